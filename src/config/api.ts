import type { Diagnostic } from "../diagnostics/types.js";
import { isChange, type Action } from "../write/plan.js";
import type { GenConfig } from "./gen-config.js";
import { loadConfig } from "./load-config.js";
import { runJobs, type JobResult } from "./run-jobs.js";

/** Options of `runConfig`, which generates all jobs of a config. */
export interface RunConfigOptions {
  /** Config, or path of its file. Default: `gen.config.*` in `cwd`. */
  readonly config?: string | GenConfig;
  /** Names of the APIs to generate. Default: all. */
  readonly api?: readonly string[];
  /** Compares the output without writing files. Default: false. */
  readonly check?: boolean;
  /** Overwrites files that were not generated. Default: false. */
  readonly force?: boolean;
  /** Fails if a document or the lock file would change. Default: false. */
  readonly frozen?: boolean;
  /** Works without network access. Default: false. */
  readonly offline?: boolean;
  /**
   * Working directory, which contains the config. Default: the working directory of
   * the process.
   */
  readonly cwd?: string;
}

/** Result of `runConfig`: output files and findings. */
export interface RunConfigResult {
  /** Output files. Paths are relative to the output folder of their job. */
  readonly files: readonly {
    readonly out: string;
    readonly path: string;
    readonly action: Action;
  }[];
  readonly diagnostics: readonly Diagnostic[];
  /** True if files on disk differed from the generated files before the run. */
  readonly changed: boolean;
}

/**
 * Runs all jobs of a config. Environment variables are not read. Invalid input
 * is reported as diagnostics. Throws if a config in TypeScript needs a package
 * that is not installed.
 */
export function runConfig(
  options: RunConfigOptions = {},
): Promise<RunConfigResult> {
  return runWithFindings(options, true);
}

/**
 * Runs all jobs of a config, as `runConfig`.
 * @param showsInfo true if the caller shows info findings
 */
export async function runWithFindings(
  options: RunConfigOptions,
  showsInfo: boolean,
): Promise<RunConfigResult> {
  const { config, api, cwd = process.cwd() } = options;
  const loaded = await loadConfig({ config, apis: api, cwd });
  if (loaded.resolved === undefined)
    return { files: [], diagnostics: loaded.diagnostics, changed: false };
  const { jobs, diagnostics } = await runJobs(loaded.resolved, {
    cwd,
    mode: options.check === true ? "check" : "write",
    force: options.force === true,
    isOffline: options.offline === true,
    isFrozen: options.frozen === true,
    showsInfo,
  });
  const files = jobs.flatMap(filesOf);
  return {
    files,
    diagnostics: [...diagnostics, ...jobs.flatMap((job) => job.diagnostics)],
    changed: files.some(isChange),
  };
}

/** Returns the files of a job, with the job's output folder. */
function filesOf({ out, plans }: JobResult): RunConfigResult["files"] {
  return plans.flatMap(({ files }) =>
    files.map(({ path, action }) => ({ out, path, action })),
  );
}
