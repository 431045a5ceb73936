import type { LevelValues } from "../config/checked-config.js";
import { keysOf } from "../config/config-keys.js";
import type { JobApi } from "../config/job.js";
import { loadConfig } from "../config/load-config.js";
import { type JobsResult, runJobs } from "../config/run-jobs.js";
import type { Diagnostic } from "../diagnostics/types.js";
import type { EditSettings } from "../generate/edit-document.js";
import { options, type OptionValues } from "../generate/options.js";
import { isChange, type PipelineResult } from "../generate/pipeline.js";
import type { Settings } from "../generate/settings.js";
import { Timings } from "../generate/timings.js";
import { type Context, UsageError } from "./command.js";
import { exitCodeOf } from "./exit-code.js";
import type { ExplicitValues } from "./explicit-values.js";
import { completeValues } from "./option-values.js";
import { progressOf } from "./progress.js";
import type { CheckedOutput } from "./reporters/document-changes.js";
import {
  commandOf,
  type ReportedResult,
  reportRun,
} from "./reporters/report.js";

/** Runs the jobs of the config; returns the exit code. */
export async function runConfigCommand(
  given: ExplicitValues,
  context: Context,
): Promise<number> {
  if (given.watch !== true) return runOnce(given, context);
  const { watchConfig } = await import("./watch.js");
  return watchConfig(given, () => runOnce(given, context), context);
}

async function runOnce(
  { names = [], ...given }: ExplicitValues,
  context: Context,
): Promise<number> {
  if (given.dump !== undefined)
    throw new UsageError("--dump requires --spec; see --help");
  const apis = [...(given.api ?? []), ...names];
  const values = completeValues(
    options.map((row) => ({ ...row, required: false })),
    given,
  ) as unknown as OptionValues;
  const { cwd, output } = context;
  const loaded = await loadConfig({
    cwd,
    config: given.config,
    overrides: overridesOf(given),
    apis: apis.length === 0 ? undefined : apis,
  });
  const progress = progressOf(values, output);
  const timings = timingsOf(values);
  const run =
    loaded.resolved === undefined
      ? { jobs: [], diagnostics: [] }
      : await runJobs(loaded.resolved, {
          cwd,
          mode: modeOf(values),
          force: values.force === true,
          isOffline: values.offline === true,
          isFrozen: values.frozen === true,
          showsInfo: values.verbose === true,
          onProgress: (out, document, done, total) =>
            progress?.onDocument(document, done, total, out),
          ...timings,
        });
  const result = combine(run, loaded.diagnostics);
  const command = commandOf({ ...given, api: apis });
  // If the config has no jobs, the text report contains only errors.
  const isEmpty = run.jobs.length === 0 && values.format === "text";
  const shown = isEmpty ? { ...values, quiet: true } : values;
  reportRun(result, shown, output, { command, ...timings });
  if (isDrifted(result, values)) {
    const jobs = loaded.resolved?.jobs ?? [];
    const outputs = [];
    for (const { out, apis } of jobs)
      outputs.push({
        spec: apis.map(({ file }) => file),
        out,
        settings: await editsOf(apis, cwd),
        policy: loaded.resolved?.diff,
      });
    await reportDocuments(outputs, values, context);
  }
  const code = runExitCode(result, values);
  progress?.end(result, code);
  return code;
}

/** Returns the patches and the method selection of each document. */
async function editsOf(
  apis: readonly JobApi[],
  cwd: string,
): Promise<ReadonlyMap<string, EditSettings>> {
  const { loadPatches } = await import("../generate/patch-files.js");
  const edits = new Map<string, EditSettings>();
  for (const { file, settings, patches: files, patchedApi } of apis) {
    const { patches } = await loadPatches(files, cwd, patchedApi);
    const { include, exclude } = settings;
    edits.set(file, { include, exclude, patches });
  }
  return edits;
}

/**
 * Returns the values from the command line and the environment that a config
 * file can also set.
 */
function overridesOf(given: ExplicitValues): LevelValues {
  const levels = ["file", "job", "api"] as const;
  const keys = new Set(
    levels.flatMap((level) => keysOf(level).map(({ name }) => name)),
  );
  const values = { ...given, patches: given.patch };
  return Object.fromEntries(
    Object.entries(values).filter(([name]) => keys.has(name)),
  );
}

/** Combines the results of all jobs into one. */
function combine(
  { jobs, diagnostics }: JobsResult,
  findings: readonly Diagnostic[],
): ReportedResult {
  return {
    plans: jobs.flatMap(({ out, plans }) =>
      plans.map((plan) => ({ ...plan, out })),
    ),
    diagnostics: [
      ...findings,
      ...diagnostics,
      ...jobs.flatMap((job) => job.diagnostics),
    ],
    total: jobs.reduce((sum, { total }) => sum + total, 0),
    failed: jobs.reduce((sum, { failed }) => sum + failed, 0),
    jobs: jobs.length,
  };
}

/** Returns the mode of a run according to the options. */
export function modeOf({
  check,
  dryRun,
}: Partial<OptionValues>): Settings["mode"] {
  if (check === true) return "check";
  return dryRun === true ? "dry-run" : "write";
}

/**
 * Returns an object that collects the durations of the stages, which
 * `--verbose` prints.
 */
export function timingsOf({ verbose }: Partial<OptionValues>): {
  readonly timings?: Timings;
} {
  return verbose === true ? { timings: new Timings() } : {};
}

/**
 * Returns the exit code of the most severe error. Without errors, returns 1 if
 * `--check` finds changes, else 0.
 */
export function runExitCode(
  result: PipelineResult,
  values: Partial<OptionValues>,
): number {
  const failure = exitCodeOf(result.diagnostics);
  if (failure !== undefined) return failure;
  return isDrifted(result, values) ? 1 : 0;
}

/** Returns true if `--check` found files that are out of date. */
export function isDrifted(
  { plans }: Pick<PipelineResult, "plans">,
  { check }: Partial<OptionValues>,
): boolean {
  return check === true && plans.some(({ files }) => files.some(isChange));
}

/** Prints the changes to the documents since the output was generated. */
export async function reportDocuments(
  outputs: readonly CheckedOutput[],
  { format, quiet }: Pick<OptionValues, "format" | "quiet">,
  { cwd, output }: Context,
): Promise<void> {
  if (format === "json" || format === "sarif" || quiet === true) return;
  const { documentChanges } = await import("./reporters/document-changes.js");
  for (const checked of outputs)
    output.out(await documentChanges(checked, cwd));
}
