import type { Definition } from "../../model/ir.js";
import { Code, quote } from "../../render/typescript/code.js";
import { pureConstant } from "../../render/typescript/conditions.js";
import type { CodeTarget, TargetInput } from "../target.js";
import type { OutputFile } from "../../render/output-file.js";
import { moduleFiles } from "../shared/module-files.js";
import { ValidatorContext } from "./validator-context.js";
import { schemaView, requestViews } from "./exports.js";
import { checkViews } from "./functions.js";
import type { JsonFunctions, jsonFunctions } from "./json-functions.js";
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
    ({ jsonFunctions: toFunctions } = await import("./json-functions.js"));
  },
  generate,
};

let toFunctions: typeof jsonFunctions | undefined;

function generate(input: TargetInput): OutputFile[] {
  const { engine, options } = input;
  const json = options.functionsOnly === true ? undefined : toFunctions!(input);
  const context = new ValidatorContext(input, json);
  const exported = allViews(context);
  const items = [...patternViews(context), ...exported];
  const isScript =
    options.emit === "js" && !items.some((item) => "declaration" in item);
  const { imports } = context;
  const files = moduleFiles(
    {
      path: "validators",
      template: "validator/validators",
      view: { items, isScript },
      imports,
    },
    input,
    engine,
  );
  if (json === undefined || json.functions.length === 0) return files;
  return [...files, ...jsonFiles(json, input)];
}

/** Prints json-schemas.ts, which contains functions that return JSON Schema. */
function jsonFiles(
  { imports, functions }: JsonFunctions,
  input: TargetInput,
): OutputFile[] {
  return moduleFiles(
    {
      path: "json-schemas",
      template: "validator/json-schemas",
      view: { functions },
      imports,
    },
    input,
    input.engine,
  );
}

/**
 * Returns the template data for the enum values, the check function and the
 * validator of each definition, in the order of the document.
 */
function allViews(context: ValidatorContext): ValidatorItem[] {
  const { definitions, names } = context;
  const { schemas } = names.validators;
  const exports = new Map(
    [...schemas].map(([id, name]) => [id, schemaView(id, name, context)]),
  );
  const requests = requestViews(context);
  const checks = new Map<string, ValidatorItem[]>();
  // The iteration also visits ids that are added to the set during the
  // iteration.
  for (const id of context.needed)
    checks.set(id, checkViews(definitions.get(id)!, context));
  const views = [...definitions.values()].flatMap((definition) => [
    ...valueViews(definition, context),
    ...(checks.get(definition.id) ?? []),
    ...(exports.get(definition.id) ?? []),
  ]);
  return [...views, ...requests];
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
