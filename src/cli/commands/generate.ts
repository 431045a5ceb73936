import {
  runGeneration,
  sameSettings,
  type Settings,
} from "../../generate/settings.js";
import type { EditSettings } from "../../generate/edit-document.js";
import { exportSettings } from "../../generate/api-settings.js";
import { UsageError, type Command, type Context } from "../command.js";
import { options, type OptionValues } from "../../generate/options.js";
import type { PipelineResult } from "../../generate/pipeline.js";
import { exitCodeOf } from "../exit-code.js";
import type { ExplicitValues } from "../explicit-values.js";
import { completeValues } from "../option-values.js";
import type { LoadedPatches } from "../../generate/patch-files.js";
import { progressOf } from "../progress.js";
import { remoteOptionsOf } from "../remote-options.js";
import { reportRun } from "../reporters/report.js";
import {
  isDrifted,
  modeOf,
  reportDocuments,
  runExitCode,
  timingsOf,
} from "../config-command.js";

const EXIT_CODES = `
Without --spec, the jobs of the config file are run, for all APIs or only for the named ones.

Exit codes:
  0  the output was generated, or is up to date
  1  --check: the output is not up to date
  2  invalid usage or config, or the output can't be written
  3  a description is invalid; the other APIs were generated
  4  a patch is invalid or does not match its description
  5  bug in the generator`;

/** Command `gen generate`: generates TypeScript from descriptions. */
export const generate: Command = {
  options,
  operands: {
    name: "names",
    description:
      "names of APIs to generate, as in the config, such as drive:v3 (default: all)",
    isMany: true,
    isOptional: true,
  },
  isLayered: true,
  help: EXIT_CODES,
  run: async (values: ExplicitValues, context) => {
    if (values.spec !== undefined) return run(values, context);
    if (values.noConfig === true)
      throw new UsageError("--no-config requires --spec; see --help");
    const { runConfigCommand } = await import("../config-command.js");
    return runConfigCommand(values, context);
  },
};

async function run(given: ExplicitValues, context: Context): Promise<number> {
  const { names = [], ...rest } = given;
  if (names.length > 0)
    throw new UsageError(
      `${names[0]} can't be used with --spec; names select APIs of a config file`,
    );
  const values = completeValues(options, rest) as unknown as OptionValues;
  if (values.dump === "ir") {
    const { dumpModel } = await import("../dump.js");
    return runExitCode(await dumpModel(values, context), values);
  }
  return values.watch === true
    ? watch(values, context)
    : runOnce(values, context);
}

async function runOnce(
  values: OptionValues,
  context: Context,
): Promise<number> {
  const progress = progressOf(values, context.output);
  const timings = timingsOf(values);
  const { patches, diagnostics } = await readPatches(values, context);
  const result =
    diagnostics.length > 0
      ? { plans: [], diagnostics, total: 0, failed: 0 }
      : await runGeneration({
          ...settingsOf(values, patches, context),
          onProgress: progress?.onDocument,
          ...timings,
        });
  reportRun(result, values, context.output, timings);
  await reportImport(result, values, context);
  if (isDrifted(result, values))
    await reportDocuments(
      [{ ...values, out: values.out!, settings: editsOf(values, patches) }],
      values,
      context,
    );
  const code = runExitCode(result, values);
  progress?.end(result, code);
  return code;
}

/** Prints how to import a client that the run has created. */
async function reportImport(
  { plans, diagnostics }: PipelineResult,
  values: OptionValues,
  { cwd, output }: Context,
): Promise<void> {
  const { format, quiet, out, emit, importSuffix } = values;
  const isWritten =
    modeOf(values) === "write" && exitCodeOf(diagnostics) === undefined;
  if (!isWritten || format !== "text" || quiet === true) return;
  // Loaded on demand, because most runs create nothing.
  if (
    !plans.some(({ files }) => files.some(({ action }) => action === "create"))
  )
    return;
  const { firstImport } = await import("../reporters/first-import.js");
  output.out(firstImport(plans, { out: out!, emit, importSuffix }, cwd));
}

/** Returns the patches and the method selection of each `--spec` argument. */
function editsOf(
  { spec, include, exclude }: OptionValues,
  patches: LoadedPatches["patches"],
): ReadonlyMap<string, EditSettings> {
  return new Map(spec.map((name) => [name, { include, exclude, patches }]));
}

/** Reads the patch files given with `--patch`. */
async function readPatches(
  { patch = [] }: OptionValues,
  { cwd }: Context,
): Promise<LoadedPatches> {
  if (patch.length === 0) return { diagnostics: [] };
  const { loadPatches } = await import("../../generate/patch-files.js");
  return loadPatches(patch, cwd);
}

async function watch(values: OptionValues, context: Context): Promise<number> {
  if (values.spec.includes("-"))
    throw new UsageError("--watch can't be combined with --spec -");
  const { specInputs } = await import("../watch.js");
  const { watchRuns } = await import("../watch.js");
  const { watchedInputs } = await import("../../generate/watched-inputs.js");
  const settings = settingsOf(values, undefined, context);
  const runs = {
    inputs: () => watchedInputs(settings, values.patch),
    run: () => runOnce(values, context),
    remote: specInputs(values, settings),
    isQuiet: values.quiet === true || values.format !== "text",
  };
  return watchRuns(runs, context);
}

function settingsOf(
  values: OptionValues,
  patches: LoadedPatches["patches"],
  { cwd }: Context,
): Settings {
  const { spec, target, trustProse = false, include, exclude } = values;
  return {
    ...values,
    specs: sameSettings(spec, {
      ...exportSettings(values),
      target,
      trustProse,
      include,
      exclude,
      patches,
    }),
    // `out` is always set here: the option is required unless `--dump` is
    // given, and a run with `--dump` does not call this function.
    out: values.out!,
    mode: modeOf(values),
    force: values.force === true,
    prune: values.prune === true,
    cwd,
    remote: remoteOptionsOf(values),
    showsInfo: values.verbose === true,
  };
}
