import type { LogLine } from "../service.js";
import { tracer, type TraceHeaders } from "../spans.js";

/** Job that is run in the background by one process at a time. */
export interface Job {
  /** Unique key of up to 400 characters. */
  readonly key: string;
  /** Kind of the job, of up to 100 characters. */
  readonly kind: string;
  /**
   * Resource that the job needs, such as a folder. Processes without the
   * resource leave the job to others.
   */
  readonly needs?: string | undefined;
}

/** Jobs of a service that run in the background. */
export interface Jobs {
  /**
   * Adds a job, unless a job with the same key is waiting or running.
   *
   * @throws Error if the database is unavailable
   */
  add(job: Job): Promise<void>;
  /**
   * Returns those of the keys that have no waiting or running job. The service
   * adds the jobs again.
   */
  missing(keys: readonly string[]): Promise<readonly string[]>;
  /** Number of jobs that this process runs. */
  readonly running: number;
  /** Interrupts the running jobs, and waits for them. They run again later. */
  close(): Promise<void>;
}

/** Function that runs jobs, and limits. */
export interface JobsOptions {
  /** Name of the service. */
  readonly service: string;
  /** Kinds of jobs that this process runs. */
  readonly kinds: readonly string[];
  /** Returns the resources that jobs can need and this process does not have. */
  readonly absent: () => Promise<readonly string[]>;
  /**
   * Runs a job. A job whose function rejects is run again by any process, or is
   * missing.
   *
   * @param signal signal that is aborted when the service is closed, or when
   *   another process has taken over the job
   */
  readonly run: (key: string, signal: AbortSignal) => Promise<void>;
  /** Maximum number of jobs that this process runs at the same time. */
  readonly concurrency: number;
  /**
   * Milliseconds without a sign of life after which other processes take over
   * the jobs of a process.
   */
  readonly timeout: number;
  readonly log: (line: LogLine) => void;
}

/**
 * Runs a job in a span of its own.
 *
 * @param creator trace of the request that added the job
 */
export function traced(
  service: string,
  key: string,
  creator: TraceHeaders | undefined,
  run: () => Promise<void>,
): Promise<void> {
  if (tracer === undefined) return run();
  const attributes = { "gen.service": service, "gen.job.key": key };
  return tracer.runJob(`process ${service}`, attributes, creator, run);
}
