import { buildModel } from "../generate/read-model.js";
import { loadSource } from "../load/load.js";
import { listSources } from "../load/sources.js";
import type { PipelineResult } from "../generate/pipeline.js";
import type { Context } from "./command.js";
import type { OptionValues } from "../generate/options.js";
import { visibleJson } from "../diagnostics/reporters/output.js";
import { report } from "./reporters/report.js";

/** `--dump ir`: one API as an object, several as an array; findings go to stderr. */
export async function dumpModel(
  values: OptionValues,
  { cwd, output }: Context,
): Promise<PipelineResult> {
  const { sources, diagnostics } = await listSources(values.spec, cwd);
  const read = sources.map((source) =>
    buildModel(loadSource(source), values.trustProse === true),
  );
  const apis = read.flatMap(({ api }) => (api === undefined ? [] : [api]));
  const result = {
    plans: [],
    diagnostics: [...diagnostics, ...read.flatMap((one) => one.diagnostics)],
    total: sources.length,
    failed: sources.length - apis.length,
  };
  const format = values.format === "json" ? "text" : values.format;
  report(result, { ...values, format, quiet: true }, output);
  output.out(`${visibleJson(apis.length === 1 ? apis[0] : apis)}\n`);
  return result;
}
