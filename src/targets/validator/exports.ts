import type { Method, Schema } from "../../model/ir.js";
import {
  Code,
  EMPTY,
  identifier,
  quote,
} from "../../render/typescript/code.js";
import { docComment } from "../../render/typescript/doc-comment.js";
import { returnCall } from "../../render/typescript/conditions.js";
import { callOf, type Layout } from "../../render/typescript/layout.js";
import type { ValidatorContext } from "./validator-context.js";
import { elementViews, ROOT } from "./functions.js";
import { GuardPrinter } from "./guards.js";
import { standardRequestView, standardSchemaView } from "./standard.js";
import type { ValidatorItem } from "./views.js";

/**
 * Returns the template data for a schema's validator, such as `validateFile`,
 * and for its Standard Schema.
 */
export function schemaView(
  id: string,
  name: string,
  context: ValidatorContext,
): ValidatorItem[] {
  const args = [context.check(id), "value", "options"];
  const call = callOf(context.use("validate"), ...args);
  const type = context.schemaType(id, "output");
  return [
    view(name, "ValidationResult", type, call, EMPTY, context),
    ...standardSchemaView(id, name, context),
  ];
}

/**
 * Returns the template data for the validator of a request body, such as
 * `validateFilesCreateRequest`.
 */
export function requestViews(
  method: Method,
  name: string,
  context: ValidatorContext,
): ValidatorItem[] {
  const schema = method.request!;
  const isPatch = method.httpMethod === "PATCH";
  const printer = new GuardPrinter(context);
  const check = bodyCheck(method, schema, printer, context);
  const validate = context.use(isPatch ? "validatePatch" : "validateRequest");
  const call = callOf(validate, check, "value", quote(method.id), "options");
  const type =
    schema.kind === "ref" ? context.schemaType(schema.id, "input") : undefined;
  const result = isPatch ? "PatchResult" : "ValidationResult";
  const description = `Checks the body of \`${method.id.replaceAll("`", "'")}\`.`;
  const doc = docComment({ description }, 0);
  return [
    ...elementViews(printer, context),
    view(name, result, type, call, doc, context),
    ...standardRequestView(method, name, type, context),
  ];
}

/** Returns the name of the function that checks a request body. */
function bodyCheck(
  { pointer }: Method,
  schema: Schema,
  printer: GuardPrinter,
  context: ValidatorContext,
): string {
  if (schema.kind === "any") return context.use("anything");
  if (schema.kind === "ref" && schema.nullable !== true)
    return context.check(schema.id);
  const position = {
    ...ROOT,
    words: "Body",
    pointer: `${pointer}/request`,
  };
  return printer.check(schema, position);
}

function view(
  name: string,
  result: string,
  type: string | undefined,
  call: Layout,
  doc: Code,
  context: ValidatorContext,
): ValidatorItem {
  const of = type === undefined ? "" : `<${type}>`;
  return {
    isExport: true,
    doc,
    name: identifier(name),
    Options: identifier(context.type("ValidationOptions")),
    result: new Code(`${context.type(result)}${of}`),
    call: new Code(returnCall(call, 2)),
  };
}
