import { Sink } from "../diagnostics/sink.js";
import type { Diagnostic } from "../diagnostics/types.js";
import type { PipelineResult } from "../generate/pipeline.js";
import { runGeneration, type Settings } from "../generate/settings.js";
import { ensureDocuments } from "./ensure-documents.js";
import type { Job, ResolvedConfig } from "./job.js";

/** Options of a run of a config, which apply to all jobs. */
export interface RunJobsOptions extends Pick<
  Settings,
  "cwd" | "mode" | "force" | "locateInfo" | "timings"
> {
  readonly isOffline: boolean;
  readonly isFrozen: boolean;
  /** Called after each document. */
  readonly onProgress?: JobProgress | undefined;
}

/** Receives the progress of a job: documents that are done, and their number. */
export type JobProgress = (
  out: string,
  document: string,
  done: number,
  total: number,
) => void;

/** Result of a job. */
export interface JobResult extends PipelineResult {
  /** Output folder as in the config, relative to the working folder. */
  readonly out: string;
}

/** Results of all jobs. */
export interface JobsResult {
  readonly jobs: readonly JobResult[];
  /** Findings that do not concern a single job. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Fetches missing documents and runs the jobs one after the other. Errors of a
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
  const apis = job.apis.filter(({ file }) => !missing.has(file));
  const absent = job.apis.length - apis.length;
  if (apis.length === 0)
    return { out, plans: [], diagnostics: [], total: absent, failed: absent };
  const isWhole = !isPartial && absent === 0;
  const settings = settingsOfJob({ ...job, apis }, isWhole, shared);
  const result = await runGeneration(settings);
  const { total, failed } = result;
  return { ...result, out, total: total + absent, failed: failed + absent };
}

/** Options of a run, and the engines that its jobs share. */
type SharedOptions = RunJobsOptions & Pick<Settings, "engines">;

/**
 * Returns the settings of a job.
 * @param isWhole true if the job has all APIs of its output
 */
export function settingsOfJob(
  { out, apis, options }: Job,
  isWhole: boolean,
  { onProgress, ...shared }: SharedOptions,
): Settings {
  return {
    ...shared,
    ...options,
    out,
    specs: apis.map(({ file, settings }) => ({ spec: file, settings })),
    isWhole,
    onProgress:
      onProgress === undefined
        ? undefined
        : (name, done, total) => onProgress(out, name, done, total),
  };
}
