import path from "node:path";
import type { Sink } from "../diagnostics/sink.js";
import { realFolder } from "../platform/paths.js";
import type { Job } from "./job.js";

/**
 * Reports jobs with the same output folder, because each job would delete the
 * files of the other jobs. An output folder inside another job's output folder
 * is allowed.
 */
export function reportSharedOutput(
  jobs: readonly Job[],
  cwd: string,
  sink: Sink,
): void {
  const folders = new Set<string>();
  for (const { out } of jobs) {
    const folder = realFolder(path.resolve(cwd, out));
    if (folders.has(folder))
      sink.report(
        "config-out",
        `two jobs have the output folder ${out}; each job must have its own folder`,
      );
    folders.add(folder);
  }
}
