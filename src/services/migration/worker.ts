import type { LogLine } from "../service.js";
import type { Migrations } from "./migrations.js";
import type { MigrationRecord } from "./records.js";

/** Migrations to export, export function, log and limits of a worker. */
export interface WorkerContext {
  readonly migrations: Migrations;
  /** Function that writes the archive and returns its size in bytes. */
  readonly run: (
    record: MigrationRecord,
    signal: AbortSignal,
  ) => Promise<number>;
  readonly log: (line: LogLine) => void;
  /** Maximum number of concurrent exports. */
  readonly exports: number;
  /** Maximum number of times that an export is started. */
  readonly attempts: number;
}

/**
 * Maximum number of takeovers for each permitted attempt. An export that ends
 * every process that runs it must fail at some time.
 */
const MAX_TAKEOVERS = 10;

/** Worker that exports the unfinished migrations in the store. */
export class Worker {
  readonly #context: WorkerContext;
  readonly #running = new Map<string, Promise<void>>();
  readonly #stop = new AbortController();
  #starting: Promise<void> = Promise.resolve();

  constructor(context: WorkerContext) {
    this.#context = context;
  }

  /** Starts unfinished exports asynchronously. */
  wake(): void {
    this.#starting = this.#starting
      .then(() => this.#startUnfinished())
      .catch((error: unknown) => this.#report("worker", error));
  }

  /**
   * Aborts running exports. They are restarted when the service is next
   * started.
   */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#starting;
    await Promise.all(this.#running.values());
  }

  async #startUnfinished(): Promise<void> {
    const { migrations, exports } = this.#context;
    if (this.#stop.signal.aborted || this.#running.size >= exports) return;
    for (const key of await migrations.unfinished()) {
      if (this.#running.size >= exports) return;
      if (!this.#running.has(key)) this.#start(key);
    }
  }

  #start(key: string): void {
    const finished = this.#run(key).then(
      () => true,
      (error: unknown) => {
        this.#report(key, error);
        return false;
      },
    );
    const ended = finished.then((isDone) => {
      this.#running.delete(key);
      // After a failure, a timer of the service starts the next exports.
      if (isDone) this.wake();
    });
    this.#running.set(key, ended);
  }

  async #run(key: string): Promise<void> {
    const { migrations, run, attempts, log } = this.#context;
    const { signal } = this.#stop;
    const record = await migrations.begin(key);
    if (record === undefined) return;
    if (signal.aborted) return migrations.release(key);
    const { takeovers = 0 } = record;
    const isExhausted =
      record.attempts - takeovers > attempts ||
      takeovers > attempts * MAX_TAKEOVERS;
    if (isExhausted)
      return this.#fail(
        key,
        `The export was started ${record.attempts - 1} times and was interrupted each time.`,
      );
    this.#log(key, "export started");
    const lease = new Lease(migrations, key);
    const outcome = await run(record, AbortSignal.any([signal, lease.lost]))
      .catch((error: unknown) => error)
      .finally(() => lease.close());
    if (lease.lost.aborted)
      return this.#log(key, "export taken over by another process");
    if (typeof outcome === "number") {
      if (!(await migrations.finish(key, outcome)))
        return this.#log(key, "export taken over by another process");
      log({
        service: "migration",
        event: "exported",
        migration: key,
        bytes: outcome,
      });
    } else if (signal.aborted) await migrations.release(key);
    else await this.#fail(key, reasonOf(outcome));
  }

  async #fail(key: string, reason: string): Promise<void> {
    await this.#context.migrations.fail(key, reason);
    const event = "export failed";
    this.#context.log({ service: "migration", event, migration: key, reason });
  }

  #log(key: string, event: string): void {
    this.#context.log({ service: "migration", event, migration: key });
  }

  #report(key: string, error: unknown): void {
    const reason = reasonOf(error);
    const event = "worker failed";
    this.#context.log({ service: "migration", event, migration: key, reason });
  }
}

function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 500);
}

/** Lease that this process has on an export. The lease is renewed regularly. */
class Lease {
  readonly #migrations: Migrations;
  readonly #key: string;
  readonly #lost = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #renewed = performance.now();

  constructor(migrations: Migrations, key: string) {
    this.#migrations = migrations;
    this.#key = key;
    this.#timer = setInterval(
      () => void this.#renew(),
      Math.ceil(migrations.lease / 3),
    );
    this.#timer.unref();
  }

  /**
   * Signal that is aborted when the lease is lost. Another process could then
   * take over the export.
   */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #renew(): Promise<void> {
    const { lease } = this.#migrations;
    const started = performance.now();
    try {
      if (await this.#migrations.renew(this.#key)) this.#renewed = started;
      else this.#lose();
    } catch {
      // If the store is unavailable, the lease remains valid until it expires.
      if (performance.now() - this.#renewed >= lease) this.#lose();
    }
  }

  #lose(): void {
    this.#lost.abort(new Error("The lease was lost."));
  }
}
