import { readModels } from "../generate/read-model.js";
import type { PipelineResult } from "../generate/pipeline.js";
import type { Context } from "./command.js";
import type { OptionValues } from "../generate/options.js";
import { visibleJson } from "../diagnostics/reporters/output.js";
import { report } from "./reporters/report.js";

/**
 * Prints the models for `--dump ir`: a single API as an object, several APIs as
 * an array. Diagnostics are printed on standard error.
 */
export async function dumpModel(
  values: OptionValues,
  { cwd, output }: Context,
): Promise<PipelineResult> {
  const { trustProse, include, exclude } = values;
  const { models, diagnostics } = await readModels(values.spec, {
    cwd,
    trustProse,
    include,
    exclude,
  });
  const apis = models.flatMap(({ api }) => (api === undefined ? [] : [api]));
  const result = {
    plans: [],
    diagnostics: [
      ...diagnostics,
      ...models.flatMap((model) => model.diagnostics),
    ],
    total: models.length,
    failed: models.length - apis.length,
  };
  const format = values.format === "json" ? "text" : values.format;
  report(result, { ...values, format, quiet: true }, output);
  output.out(`${visibleJson(apis.length === 1 ? apis[0] : apis)}\n`);
  return result;
}
