import type { Method } from "../../model/ir.js";
import { Code, identifier } from "../../render/typescript/code.js";
import { callOf, hang, print } from "../../render/typescript/layout.js";
import type { ValidatorContext } from "./validator-context.js";
import type { ValidatorItem } from "./views.js";

/**
 * Returns the standard form of a schema's validator, e.g. `fileSchema`; empty
 * if only functions are printed.
 */
export function standardSchemaView(
  id: string,
  validator: string,
  context: ValidatorContext,
): ValidatorItem[] {
  const json = context.json?.output.get(id);
  if (json === undefined) return [];
  const type = context.schemaType(id, "output");
  return [view(validator, type, json, context)];
}

/**
 * Returns the standard form of a request body's validator, e.g.
 * `filesCreateRequestSchema`. JSON Schema can't express the rules of PATCH.
 */
export function standardRequestView(
  method: Method,
  validator: string,
  type: string | undefined,
  context: ValidatorContext,
): ValidatorItem[] {
  if (context.json === undefined) return [];
  const isPatch = method.httpMethod === "PATCH";
  const json = isPatch ? undefined : context.json.requests.get(method);
  return [view(validator, type, json, context)];
}

/** @param json function in json-schemas.ts; undefined for a PATCH body */
function view(
  validator: string,
  type: string | undefined,
  json: string | undefined,
  context: ValidatorContext,
): ValidatorItem {
  const name = identifier(context.names.validators.standard.get(validator)!);
  const isPatch = json === undefined;
  const of = type === undefined ? "" : `<${type}>`;
  const kind = context.type(isPatch ? "StandardPatch" : "StandardSchema");
  const create = context.use(isPatch ? "standardPatch" : "standard");
  const args = isPatch ? [validator] : [validator, context.jsonSchema(json)];
  const head = `export const ${name.text}: ${kind}${of} =`;
  const call = callOf(`/* @__PURE__ */ ${create}`, ...args);
  return { isConstant: true, text: new Code(print([hang(head, call), ";"])) };
}
