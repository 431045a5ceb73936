import { isChange, type PipelineResult } from "../../generate/pipeline.js";
import {
  runGeneration,
  sameSettings,
  type Settings,
} from "../../generate/settings.js";
import { exitCodeOf } from "../exit-code.js";
import type { Command, Context } from "../command.js";
import { options, type OptionValues } from "../../generate/options.js";
import type { LoadedPatches } from "../../generate/patch-files.js";
import { progressOf } from "../progress.js";
import { report } from "../reporters/report.js";

const EXIT_CODES = `
Exit codes:
  0  generated, or up to date
  1  --check: the output is not up to date
  2  invalid usage, or the output can't be written
  3  a description is invalid; the others were generated
  4  a patch is invalid or does not match its description
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
  const { patches, diagnostics } = await readPatches(values, context);
  const settings = settingsOf(values, patches, context);
  const result =
    diagnostics.length > 0
      ? { plans: [], diagnostics, total: 0, failed: 0 }
      : await runGeneration(settings);
  report(result, values, context.output);
  return exitCode(result, values);
}

/** Reads the patch files of `--patch`. */
async function readPatches(
  { patch = [] }: OptionValues,
  { cwd }: Context,
): Promise<LoadedPatches> {
  if (patch.length === 0) return { diagnostics: [] };
  const { loadPatches } = await import("../../generate/patch-files.js");
  return loadPatches(patch, cwd);
}

function settingsOf(
  values: OptionValues,
  patches: LoadedPatches["patches"],
  { cwd, output }: Context,
): Settings {
  const { spec, target, trustProse = false, include, exclude } = values;
  return {
    ...values,
    specs: sameSettings(spec, {
      target,
      trustProse,
      include,
      exclude,
      patches,
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
