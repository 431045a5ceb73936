import { isChange, type PipelineResult } from "../../generate/pipeline.js";
import { runWith, type Settings } from "../../generate/settings.js";
import { exitCodeOf } from "../exit-code.js";
import type { Command, Context } from "../command.js";
import { options, type OptionValues } from "../../generate/options.js";
import { progressOf } from "../progress.js";
import { report } from "../reporters/report.js";

const EXIT_CODES = `
Exit codes:
  0  done, or up to date
  1  --check found the output not up to date
  2  bad usage, or the output can't be written
  3  a description can't be used; the others are done
  5  a bug in the generator`;

/** The main job: descriptions in, TypeScript out. */
export const generate: Command = {
  options,
  help: EXIT_CODES,
  run: (values, context) => run(values as unknown as OptionValues, context),
};

async function run(values: OptionValues, context: Context): Promise<number> {
  if (values.dump === "ir") {
    const { dumpModel } = await import("../dump.js");
    return exitCode(await dumpModel(values, context), values);
  }
  const result = await runWith(settingsOf(values, context));
  report(result, values, context.output);
  return exitCode(result, values);
}

function settingsOf(values: OptionValues, { cwd, output }: Context): Settings {
  return {
    ...values,
    // The option table requires it unless the model is dumped.
    out: values.out!,
    mode: modeOf(values),
    force: values.force === true,
    prune: values.prune === true,
    trustProse: values.trustProse === true,
    cwd,
    locateInfo: values.verbose === true,
    onProgress: progressOf(values, output),
  };
}

function modeOf({ check, dryRun }: OptionValues): Settings["mode"] {
  if (check === true) return "check";
  return dryRun === true ? "dry-run" : "write";
}

/** 0 done, 1 drift, 2 usage or output, 3 description, 4 patch, 5 bug: the worst of them. */
function exitCode(result: PipelineResult, values: OptionValues): number {
  const worst = exitCodeOf(result.diagnostics);
  if (worst !== undefined) return worst;
  const hasDrifted = result.plans.some(({ files }) => files.some(isChange));
  return values.check === true && hasDrifted ? 1 : 0;
}
