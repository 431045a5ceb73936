import type { Definition, Method, Schema } from "../../model/ir.js";
import type { OutputFile } from "../../platform/output-file.js";
import {
  Code,
  EMPTY,
  identifier,
  quote,
} from "../../render/typescript/code.js";
import {
  pureConstant,
  returnCall,
} from "../../render/typescript/conditions.js";
import { docComment } from "../../render/typescript/doc-comment.js";
import { callOf, type Layout } from "../../render/typescript/layout.js";
import { moduleFile } from "../shared/module-file.js";
import type { CodeTarget, TargetInput } from "../target.js";
import { checkViews, elementViews, ROOT } from "./functions.js";
import { GuardPrinter } from "./guards.js";
import type { rulesFile } from "./rules-file.js";
import type { jsonSchemasFile } from "./json-schemas-file.js";
import { standardRequestView, standardSchemaView } from "./standard.js";
import { ValidatorContext } from "./validator-context.js";
import type { ValidatorItem } from "./views.js";

/**
 * Target that generates validators: a function and a Standard Schema for each
 * schema and each request body.
 */
export const validatorTarget: CodeTarget = {
  name: "validator",
  runtime: "validator",
  // The module is imported on demand, so that runs without this target start
  // faster.
  async load() {
    ({ jsonSchemasFile: printJsonSchemas } =
      await import("./json-schemas-file.js"));
    ({ rulesFile: printRules } = await import("./rules-file.js"));
  },
  generate,
};

let printJsonSchemas: typeof jsonSchemasFile | undefined;
let printRules: typeof rulesFile | undefined;

function generate(input: TargetInput): OutputFile[] {
  const { api, options } = input;
  const context = new ValidatorContext(input);
  const root = options.functionsOnly === true ? undefined : api.file?.root;
  const view = { items: allItems(context, root) };
  const { imports } = context;
  const file = moduleFile(
    {
      path: "validators",
      template: "validator/validators",
      view,
      imports,
    },
    input,
    input.engine,
  );
  return options.functionsOnly === true
    ? [file]
    : [file, ...printRules!(input), ...printJsonSchemas!(input)];
}

/**
 * Returns all items of validators.ts: the patterns, then the check functions of
 * elements, then the enum values, the check function and the validator of each
 * definition, in the order of the document. Check functions are printed first, because they determine which
 * other items are needed.
 *
 * @param root id of the schema that rules.ts validates
 */
function allItems(
  context: ValidatorContext,
  root: string | undefined,
): ValidatorItem[] {
  const { definitions, names } = context;
  const exports = new Map<string, ValidatorItem[]>();
  for (const [id, name] of names.validators.schemas)
    exports.set(
      id,
      id === root ? rootView(id, name, context) : schemaView(id, name, context),
    );
  const requests = [...names.validators.requests].flatMap(([method, name]) =>
    requestViews(method, name, context),
  );
  const checks = new Map<string, ValidatorItem[]>();
  // The iteration also visits ids that are added to the set during the
  // iteration.
  for (const id of context.needed)
    checks.set(id, checkViews(definitions.get(id)!, context));
  const shared = [...context.elements].sort(([a], [b]) => (a < b ? -1 : 1));
  const elements = shared.map(([, element]) => element);
  return [
    ...patternViews(context),
    ...elementViews({ elements }, context),
    ...[...definitions.values()].flatMap((definition) => [
      ...valueViews(definition, context),
      ...(checks.get(definition.id) ?? []),
      ...(exports.get(definition.id) ?? []),
    ]),
    ...requests,
  ];
}

function valueViews(
  { id, body }: Definition,
  context: ValidatorContext,
): ValidatorItem[] {
  const name = context.usedValues(id);
  if (name === undefined || body.kind !== "enum") return [];
  const values = body.values.map(({ value }) => quote(value));
  const text = pureConstant(name, "Set", values);
  return [{ isConstant: true, text: new Code(text) }];
}

function patternViews({ patterns }: ValidatorContext): ValidatorItem[] {
  return [...patterns].map(([source, name]) => ({
    isConstant: true,
    text: new Code(pureConstant(name, "RegExp", quote(source))),
  }));
}

/**
 * Returns the template data for a schema's validator, such as `validateFile`,
 * and for its Standard Schema.
 */
function schemaView(
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
 * Returns the template data for the validator of the file that the document
 * describes, which rules.ts exports, and for its Standard Schema.
 */
function rootView(
  id: string,
  name: string,
  context: ValidatorContext,
): ValidatorItem[] {
  const module = `./rules${context.options.importSuffix}`;
  const local = context.imports.value(module, name);
  const exported = local === name ? name : `${local} as ${name}`;
  return [
    { isConstant: true, text: new Code(`export { ${exported} };`) },
    ...standardSchemaView(id, name, context, local),
  ];
}

/**
 * Returns the template data for the validator of a request body, such as
 * `validateFilesCreateRequest`.
 */
function requestViews(
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
