import type { Jobs, JobsOptions } from "./jobs.js";

/**
 * Jobs in the memory of the only process that has the store open. They run in
 * the order in which they were added. The resources that jobs need are not
 * checked, because no other process could run the jobs. A job that failed is
 * missing afterwards, so that the service adds it again.
 */
export function embeddedJobs({
  run,
  concurrency,
}: Pick<JobsOptions, "run" | "concurrency">): Jobs {
  const waiting = new Set<string>();
  const running = new Map<string, Promise<void>>();
  const stop = new AbortController();
  const startWaiting = (): void => {
    for (const key of waiting) {
      if (stop.signal.aborted || running.size >= concurrency) return;
      waiting.delete(key);
      running.set(key, runOne(key));
    }
  };
  const runOne = async (key: string): Promise<void> => {
    await run(key, stop.signal).catch(() => {});
    running.delete(key);
    startWaiting();
  };
  return {
    async add({ key }) {
      if (running.has(key)) return;
      waiting.add(key);
      startWaiting();
    },
    missing: async (keys) =>
      keys.filter((key) => !running.has(key) && !waiting.has(key)),
    get running() {
      return running.size;
    },
    async close() {
      stop.abort(new Error("The service was closed."));
      await Promise.all(running.values());
    },
  };
}
