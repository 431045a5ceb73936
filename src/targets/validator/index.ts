import type { Definition } from "../../model/ir.js";
import { Code, quote } from "../../render/typescript/code.js";
import { pureConstant } from "../../render/typescript/conditions.js";
import type { CodeTarget, TargetInput } from "../target.js";
import type { OutputFile } from "../../platform/output-file.js";
import { moduleFile } from "../shared/module-file.js";
import { ValidatorContext } from "./validator-context.js";
import { schemaView, requestViews } from "./exports.js";
import { checkViews, elementViews } from "./functions.js";
import type { jsonSchemasFile } from "./json-schemas-file.js";
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
  },
  generate,
};

let printJsonSchemas: typeof jsonSchemasFile | undefined;

function generate(input: TargetInput): OutputFile[] {
  const { options } = input;
  const context = new ValidatorContext(input);
  const view = { items: allItems(context) };
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
    : [file, ...printJsonSchemas!(input)];
}

/**
 * Returns all items of validators.ts: the patterns, then the check functions of
 * elements, then the enum values, the check function and the validator of each
 * definition, in the order of the document. Check functions are printed first, because they determine which
 * other items are needed.
 */
function allItems(context: ValidatorContext): ValidatorItem[] {
  const { definitions, names } = context;
  const exports = new Map<string, ValidatorItem[]>();
  for (const [id, name] of names.validators.schemas)
    exports.set(id, schemaView(id, name, context));
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
