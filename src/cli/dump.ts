import { readModels } from "../generate/read-model.js";
import type { PipelineResult } from "../generate/pipeline.js";
import type { Context } from "./command.js";
import type { OptionValues } from "../generate/options.js";
import { loadPatches } from "../generate/patch-files.js";
import { visibleJson, type Output } from "../diagnostics/reporters/output.js";
import { remoteOptionsOf } from "./remote-options.js";
import { reportRun } from "./reporters/report.js";

/**
 * Prints the models for `--dump ir`: a single API as an object, several APIs as
 * an array. Diagnostics are printed on standard error.
 */
export async function dumpModel(
  values: OptionValues,
  { cwd, output }: Context,
): Promise<PipelineResult> {
  const { trustProse, include, exclude, patch = [] } = values;
  const { patches, diagnostics: invalid } = await loadPatches(patch, cwd);
  if (invalid.length > 0)
    return reportErrors(
      { plans: [], diagnostics: invalid, total: 0, failed: 0 },
      values,
      output,
    );
  const { models, diagnostics } = await readModels(values.spec, {
    cwd,
    trustProse,
    remote: remoteOptionsOf(values),
    include,
    exclude,
    patches,
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
  reportErrors(result, values, output);
  output.out(`${visibleJson(apis.length === 1 ? apis[0] : apis)}\n`);
  return result;
}

/** Prints the errors in a result, and returns the result unchanged. */
function reportErrors(
  result: PipelineResult,
  values: OptionValues,
  output: Output,
): PipelineResult {
  const format = values.format === "github" ? "github" : "text";
  reportRun(result, { ...values, format, quiet: true }, output);
  return result;
}
