import type { Job, Jobs, JobsOptions } from "./jobs.js";

/** Milliseconds after which a job that failed is run again. */
const RETRY_DELAY = 5_000;

/**
 * Jobs in the memory of the only process that has the store open. They run in
 * the order in which they were added. The resources that jobs need are not
 * checked, because no other process could run the jobs.
 */
export function embeddedJobs({
  run,
  concurrency,
}: Pick<JobsOptions, "run" | "concurrency">): Jobs {
  const waiting = new Map<string, Job>();
  const running = new Map<string, Promise<void>>();
  const stop = new AbortController();
  const retries = new Set<NodeJS.Timeout>();
  const startWaiting = (): void => {
    for (const [key, job] of waiting) {
      if (stop.signal.aborted || running.size >= concurrency) return;
      waiting.delete(key);
      running.set(key, runOne(job));
    }
  };
  const runOne = async (job: Job): Promise<void> => {
    try {
      await run(job.key, stop.signal);
      running.delete(job.key);
    } catch {
      running.delete(job.key);
      const timer = setTimeout(() => {
        retries.delete(timer);
        waiting.set(job.key, job);
        startWaiting();
      }, RETRY_DELAY);
      timer.unref();
      retries.add(timer);
    }
    startWaiting();
  };
  return {
    async add(job) {
      if (running.has(job.key)) return;
      waiting.set(job.key, job);
      startWaiting();
    },
    missing: async (keys) =>
      keys.filter((key) => !running.has(key) && !waiting.has(key)),
    get running() {
      return running.size;
    },
    async close() {
      stop.abort(new Error("The service was closed."));
      for (const timer of retries) clearTimeout(timer);
      await Promise.all(running.values());
    },
  };
}
