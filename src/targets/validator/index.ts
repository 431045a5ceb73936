import type { Definition } from "../../model/ir.js";
import { Code, quote } from "../../render/typescript/code.js";
import { pureConstant } from "../../render/typescript/conditions.js";
import type { CodeTarget, TargetInput } from "../target.js";
import type { OutputFile } from "../../render/output-file.js";
import { banner } from "../shared/banner.js";
import { ValidatorContext } from "./validator-context.js";
import { schemaView, requestViews } from "./exports.js";
import { checkViews } from "./functions.js";
import type { jsonFunctions } from "./json-functions.js";
import type { ValidatorItem } from "./views.js";

/**
 * Target that generates validators: a function and a Standard Schema for each
 * schema and each request body.
 */
export const validatorTarget: CodeTarget = {
  name: "validator",
  runtime: "validator",
  // The module is imported on demand, so that other targets start without this
  // delay.
  async load() {
    ({ jsonFunctions: toFunctions } = await import("./json-functions.js"));
  },
  generate,
};

let toFunctions: typeof jsonFunctions | undefined;

function generate(input: TargetInput): OutputFile[] {
  const { api, names, engine, options } = input;
  const json = options.functionsOnly === true ? undefined : toFunctions!(input);
  const context = new ValidatorContext(input, json);
  const items = allViews(context);
  const text = engine.render("validator/validators", {
    banner: banner(api),
    imports: context.imports.render(),
    items: [...patternViews(context), ...items],
  });
  const files = [{ path: `${names.folder}/validators.ts`, text }];
  if (json !== undefined && json.functions.length > 0)
    files.push({
      path: `${names.folder}/json-schemas.ts`,
      text: engine.render("validator/json-schemas", {
        banner: banner(api),
        imports: json.imports,
        functions: json.functions,
      }),
    });
  return files;
}

/**
 * Returns the template data for enum values, check function and validator of
 * each definition, in the order of the document.
 */
function allViews(context: ValidatorContext): ValidatorItem[] {
  const { definitions, names } = context;
  const { schemas } = names.validators;
  const exports = new Map(
    [...schemas].map(([id, name]) => [id, schemaView(id, name, context)]),
  );
  const requests = requestViews(context);
  const checks = new Map<string, ValidatorItem[]>();
  // The iteration over a set also visits ids that are added during the
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
