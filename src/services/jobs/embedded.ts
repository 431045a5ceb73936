import { tracer, type TraceHeaders } from "../spans.js";
import { traced, type Jobs, type JobsOptions } from "./jobs.js";

/**
 * Jobs in the memory of the only process that has the store open. They run in
 * the order in which they were added. The resources that jobs need are not
 * checked, because no other process could run the jobs. A job that failed is
 * missing afterwards, so that the service adds it again.
 */
export function embeddedJobs({
  service,
  run,
  concurrency,
}: Pick<JobsOptions, "service" | "run" | "concurrency">): Jobs {
  /** Keys of jobs, and the trace of the request that added each. */
  const waiting = new Map<string, TraceHeaders | undefined>();
  const running = new Map<string, Promise<void>>();
  const stop = new AbortController();
  const startWaiting = (): void => {
    for (const [key, creator] of waiting) {
      if (stop.signal.aborted || running.size >= concurrency) return;
      waiting.delete(key);
      running.set(key, runOne(key, creator));
    }
  };
  const runOne = async (key: string, creator?: TraceHeaders): Promise<void> => {
    const runKey = (): Promise<void> => run(key, stop.signal);
    await traced(service, key, creator, runKey).catch(() => {});
    running.delete(key);
    startWaiting();
  };
  return {
    async add({ key }) {
      if (running.has(key) || waiting.has(key)) return;
      waiting.set(key, tracer?.current());
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
