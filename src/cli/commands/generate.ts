import { isChange, type PipelineResult } from "../../generate/pipeline.js";
import {
  runGeneration,
  sameSettings,
  type Settings,
} from "../../generate/settings.js";
import { exportSettings } from "../../generate/api-settings.js";
import { exitCodeOf } from "../exit-code.js";
import type { Command, Context } from "../command.js";
import { options, type OptionValues } from "../../generate/options.js";
import { progressOf } from "../progress.js";
import { report } from "../reporters/report.js";

const EXIT_CODES = `
Exit codes:
  0  generated, or up to date
  1  --check: the output is not up to date
  2  invalid usage, or the output can't be written
  3  a description is invalid; the others were generated
  5  bug in the generator`;

/** Generates TypeScript from descriptions. */
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
  const result = await runGeneration(settingsOf(values, context));
  report(result, values, context.output);
  return exitCode(result, values);
}

function settingsOf(values: OptionValues, { cwd, output }: Context): Settings {
  const { spec, target, trustProse = false } = values;
  return {
    ...values,
    specs: sameSettings(spec, {
      ...exportSettings(values),
      target,
      trustProse,
    }),
    // The option table requires `--out` unless `--dump` is set.
    out: values.out!,
    mode: modeOf(values),
    force: values.force === true,
    prune: values.prune === true,
    cwd,
    locateInfo: values.verbose === true,
    onProgress: progressOf(values, output),
  };
}

function modeOf({ check, dryRun }: OptionValues): Settings["mode"] {
  if (check === true) return "check";
  return dryRun === true ? "dry-run" : "write";
}

/**
 * Returns the exit code of the most severe error. Without errors, returns 1 if
 * `--check` finds changes, else 0.
 */
function exitCode(result: PipelineResult, values: OptionValues): number {
  const failure = exitCodeOf(result.diagnostics);
  if (failure !== undefined) return failure;
  const hasDrifted = result.plans.some(({ files }) => files.some(isChange));
  return values.check === true && hasDrifted ? 1 : 0;
}
