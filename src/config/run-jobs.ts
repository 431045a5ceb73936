import { Sink } from "../diagnostics/sink.js";
import type { Diagnostic } from "../diagnostics/types.js";
import type { PipelineResult } from "../generate/pipeline.js";
import type { SpecSettings } from "../generate/api-settings.js";
import { loadPatches } from "../generate/patch-files.js";
import { runGeneration, type Settings } from "../generate/settings.js";
import { ensureDocuments } from "./ensure-documents.js";
import type { Job, JobApi, ResolvedConfig } from "./job.js";

/** Options of a run. They apply to all jobs of the config. */
export interface RunJobsOptions extends Pick<
  Settings,
  "cwd" | "mode" | "force" | "showsInfo" | "timings"
> {
  readonly isOffline: boolean;
  readonly isFrozen: boolean;
  /** Function that is called after each document has been processed. */
  readonly onProgress?: JobProgress | undefined;
}

/**
 * Function that receives the progress of a job after each document: the number
 * of finished documents and the total number.
 */
export type JobProgress = (
  out: string,
  document: string,
  done: number,
  total: number,
) => void;

/** Result of a job: its output folder, files and findings. */
export interface JobResult extends PipelineResult {
  /** Output folder from the config, relative to the working directory. */
  readonly out: string;
}

/** Results of all jobs of a config. */
export interface JobsResult {
  readonly jobs: readonly JobResult[];
  /** Findings that belong to no particular job. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Fetches missing documents and runs the jobs one after another. Errors of a
 * job do not stop the others.
 */
export async function runJobs(
  config: ResolvedConfig,
  options: RunJobsOptions,
): Promise<JobsResult> {
  const sink = new Sink();
  const isReadOnly = options.mode !== "write";
  const documents = { ...options, isReadOnly };
  const missing = await ensureDocuments(config, documents, sink);
  const engines: Settings["engines"] = new Map();
  const jobs: JobResult[] = [];
  for (const job of config.jobs) {
    const shared = { ...options, engines };
    jobs.push(await runJob(job, missing, config.isPartial, shared));
  }
  return { jobs, diagnostics: sink.diagnostics };
}

async function runJob(
  job: Job,
  missing: ReadonlySet<string>,
  isPartial: boolean,
  shared: SharedOptions,
): Promise<JobResult> {
  const { out } = job;
  const available = job.apis.filter(({ file }) => !missing.has(file));
  const { specs, invalid } = await loadSettings(available, shared.cwd);
  const diagnostics = [...invalid.values()].flat();
  const absent = job.apis.length - specs.length;
  const unusable = new Map<string, readonly Diagnostic[]>([
    ...job.apis
      .filter(({ file }) => missing.has(file))
      .map(({ file }) => [file, []] as const),
    ...invalid,
  ]);
  if (specs.length === 0)
    return {
      out,
      plans: [],
      diagnostics,
      total: absent,
      failed: absent,
      failures: unusable,
    };
  const isComplete = !isPartial && absent === 0;
  const settings = settingsOfJob({ ...job, specs }, isComplete, shared);
  const result = await runGeneration(settings);
  return {
    ...result,
    out,
    diagnostics: [...diagnostics, ...result.diagnostics],
    total: result.total + absent,
    failed: result.failed + absent,
    ...(result.failures === undefined
      ? {}
      : { failures: new Map([...result.failures, ...unusable]) }),
  };
}

/**
 * Reads the patches of each API. Skips an API if one of its patches is invalid.
 */
async function loadSettings(
  apis: readonly JobApi[],
  cwd: string,
): Promise<{
  readonly specs: readonly SpecSettings[];
  /** Findings about invalid patches, keyed by the file of the document. */
  readonly invalid: ReadonlyMap<string, readonly Diagnostic[]>;
}> {
  const specs: SpecSettings[] = [];
  const invalid = new Map<string, readonly Diagnostic[]>();
  for (const { file, settings, patches: files, patchedApi } of apis) {
    const loaded = await loadPatches(files, cwd, patchedApi);
    const { patches, diagnostics } = loaded;
    if (diagnostics.length > 0) {
      invalid.set(file, diagnostics);
      continue;
    }
    const added = patches === undefined ? {} : { patches };
    specs.push({ spec: file, settings: { ...settings, ...added } });
  }
  return { specs, invalid };
}

/** Options of a run, with the template engines that its jobs share. */
type SharedOptions = RunJobsOptions & Pick<Settings, "engines">;

/**
 * Returns the generator settings of a job.
 * @param isComplete true if the job contains every API whose code belongs in
 * the output folder
 */
export function settingsOfJob(
  {
    out,
    specs,
    options,
  }: Pick<Job, "out" | "options"> & Pick<Settings, "specs">,
  isComplete: boolean,
  { onProgress, ...shared }: SharedOptions,
): Settings {
  return {
    ...shared,
    ...options,
    out,
    specs,
    isComplete,
    onProgress:
      onProgress === undefined
        ? undefined
        : (name, done, total) => onProgress(out, name, done, total),
  };
}
