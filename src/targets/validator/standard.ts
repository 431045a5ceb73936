import type { Method } from "../../model/ir.js";
import { Code, identifier } from "../../render/typescript/code.js";
import {
  callOf,
  hang,
  print,
  WIDTH,
  type Layout,
} from "../../render/typescript/layout.js";
import type { ValidatorContext } from "./validator-context.js";
import type { ConstantView, ValidatorItem } from "./views.js";

/**
 * Returns the template data for the Standard Schema of a schema, such as
 * `fileSchema`; an empty list if only functions are generated.
 *
 * @param local name of the validator in the file
 */
export function standardSchemaView(
  id: string,
  validator: string,
  context: ValidatorContext,
  local: string = validator,
): ValidatorItem[] {
  const type = context.schemaType(id, "output");
  return view(validator, type, "StandardSchema", context, local);
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
  const kind =
    method.httpMethod === "PATCH" ? "StandardPatch" : "StandardSchema";
  return view(validator, type, kind, context);
}

function view(
  validator: string,
  type: string | undefined,
  kind: string,
  context: ValidatorContext,
  local: string = validator,
): ValidatorItem[] {
  const { options, names } = context;
  if (options.functionsOnly === true) return [];
  const name = names.validators.standard.get(validator)!;
  // The type can't be inferred from a validator of another module.
  const argument = local === validator ? undefined : type;
  const standard = typeText(context.use("standard"), argument);
  const create = `/* @__PURE__ */ ${standard}`;
  // Prettier does not break a call whose only argument is that short.
  const call =
    local.length <= MAX_SHORT ? `${create}(${local})` : callOf(create, local);
  return [exportedConstant(name, typeText(context.type(kind), type), call)];
}

/** Maximum length of a short argument: a quarter of a line. */
const MAX_SHORT = WIDTH / 4;

/** Returns a type with its type argument, if it has one. */
export function typeText(name: string, argument: string | undefined): string {
  return argument === undefined ? name : `${name}<${argument}>`;
}

/** Prints an exported constant whose value is the result of a call. */
export function exportedConstant(
  name: string,
  type: string,
  call: Layout,
): ConstantView {
  const head = hang(`export const ${identifier(name).text}: ${type} =`, call);
  return { isConstant: true, text: new Code(print([head, ";"])) };
}
