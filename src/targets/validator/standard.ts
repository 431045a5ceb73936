import type { Method } from "../../model/ir.js";
import { Code, identifier } from "../../render/typescript/code.js";
import { callOf, hang, print } from "../../render/typescript/layout.js";
import type { ValidatorContext } from "./validator-context.js";
import type { ValidatorItem } from "./views.js";

/**
 * Returns the template data for the Standard Schema of a schema, such as
 * `fileSchema`; an empty list if only functions are generated.
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
 * Returns the template data for the Standard Schema of a request body, such as
 * `filesCreateRequestSchema`; an empty list if only functions are generated.
 */
export function standardRequestView(
  method: Method,
  validator: string,
  type: string | undefined,
  context: ValidatorContext,
): ValidatorItem[] {
  const json = context.json?.requests.get(method);
  if (json === undefined) return [];
  const isPatch = method.httpMethod === "PATCH";
  return [view(validator, type, json, context, isPatch)];
}

/**
 * @param json name of the function in json-schemas.ts that returns the JSON
 *   Schema
 */
function view(
  validator: string,
  type: string | undefined,
  json: string,
  context: ValidatorContext,
  isPatch = false,
): ValidatorItem {
  const name = identifier(context.names.validators.standard.get(validator)!);
  const of = type === undefined ? "" : `<${type}>`;
  const kind = context.type(isPatch ? "StandardPatch" : "StandardSchema");
  const create = context.use(isPatch ? "standardPatch" : "standard");
  const head = `export const ${name.text}: ${kind}${of} =`;
  const call = callOf(
    `/* @__PURE__ */ ${create}`,
    validator,
    context.jsonSchema(json),
  );
  const text = new Code(print([hang(head, call), ";"]));
  return { isConstant: true, text };
}
