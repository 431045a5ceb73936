import { existsSync } from "node:fs";
import path from "node:path";
import type { JobApi, ResolvedConfig } from "../../config/job.js";
import { runJobs, type JobResult } from "../../config/run-jobs.js";
import type { Sink } from "../../diagnostics/sink.js";
import type { Diagnostic } from "../../diagnostics/types.js";
import type { UpdatingApi } from "./updating-api.js";

/** Returns a config with some of its APIs. */
export function selectJobs(
  config: ResolvedConfig,
  isSelected: (api: JobApi) => boolean,
): ResolvedConfig {
  const jobs = config.jobs
    .map((job) => ({ ...job, apis: job.apis.filter(isSelected) }))
    .filter(({ apis }) => apis.length > 0);
  const count = (list: ResolvedConfig["jobs"]): number =>
    list.reduce((sum, { apis }) => sum + apis.length, 0);
  const isPartial = config.isPartial || count(jobs) < count(config.jobs);
  return { ...config, jobs, isPartial };
}

/**
 * Generates all APIs whose documents exist. APIs whose output can't be generated
 * become `kept`. Reports findings that belong to no failed API.
 */
export async function generateUpdates(
  apis: readonly UpdatingApi[],
  config: ResolvedConfig,
  cwd: string,
  sink: Sink,
): Promise<void> {
  const present = selectJobs(
    config,
    ({ file, isFetched }) => !isFetched || existsSync(path.resolve(cwd, file)),
  );
  const { jobs, diagnostics } = await runJobs(present, {
    cwd,
    mode: "write",
    force: false,
    showsInfo: false,
    // All documents exist.
    isOffline: true,
    isFrozen: false,
  });
  const reported = new Set<Diagnostic>();
  for (const api of apis) {
    const files = api.jobApis.map(({ file }) => file);
    const failed = jobs
      .filter((job) => files.some((file) => hasFailed(job, file, present)))
      .flatMap((job) => findingsOf(job, files[0]!));
    const mismatches = diagnostics.filter(({ message }) =>
      message.startsWith(`${api.jobApis[0].id}: `),
    );
    const isFailed = jobs.some((job) =>
      files.some((file) => hasFailed(job, file, present)),
    );
    if (!isFailed) continue;
    const findings = [...failed, ...mismatches];
    for (const finding of findings) reported.add(finding);
    api.kept ??= { reason: "generation-failed", findings };
  }
  const all = [...diagnostics, ...jobs.flatMap((job) => job.diagnostics)];
  sink.diagnostics.push(...all.filter((finding) => !reported.has(finding)));
}

/** Tests whether a job did not generate the output of a document. */
function hasFailed(
  { out, failed, failures }: JobResult,
  file: string,
  { jobs }: ResolvedConfig,
): boolean {
  const isPart = jobs.some(
    (job) => job.out === out && job.apis.some((api) => api.file === file),
  );
  if (!isPart) return false;
  // Without a cause in one document, the complete job counts as failed.
  return failures === undefined || failures.size < failed || failures.has(file);
}

/** Returns the errors of a document, or those of its job. */
function findingsOf(
  { failures, diagnostics }: JobResult,
  file: string,
): Diagnostic[] {
  const own = failures?.get(file);
  return (own ?? diagnostics).filter(({ severity }) => severity === "error");
}
