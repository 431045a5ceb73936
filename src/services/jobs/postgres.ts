import { EventEmitter } from "node:events";
import { Logger, run, runMigrations, type Runner } from "graphile-worker";
import type { Pool } from "pg";
import { unavailableError } from "../store/postgres-queries.js";
import { tracer, type TraceHeaders } from "../spans.js";
import { traced, type Job, type Jobs, type JobsOptions } from "./jobs.js";
import { isAbsent, Presence } from "./presence.js";
import { schedule } from "./schedule.js";

/**
 * Schema of the jobs in the database. It is not the default of the library, so
 * that other programs with jobs can use the same database.
 */
const SCHEMA = "gen_jobs";

/**
 * Number of times that the library starts a job. The service has its own limit;
 * this one must not end a job before.
 */
const MAX_ATTEMPTS = 10_000;

/** Milliseconds after which a queue that stopped after an error is started again. */
const RESTART_DELAY = 2_000;

/**
 * Key of the advisory lock that prevents several processes from creating the
 * tables of the library at the same time. The value is arbitrary.
 */
const LOCK = 7_146_308_222;

/**
 * Opens jobs in PostgreSQL that processes share.
 *
 * @throws Error with a StoreError as its cause if the database is unavailable
 */
export async function postgresJobs(
  pool: Pool,
  options: JobsOptions,
): Promise<Jobs> {
  const jobs = new PostgresJobs(pool, options);
  try {
    await createTables(pool);
    await jobs.start();
    return jobs;
  } catch (error) {
    await jobs.close();
    const cause = unavailableError(error);
    throw new Error(cause.message, { cause });
  }
}

async function createTables(pool: Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    await client.query("SELECT pg_advisory_xact_lock($1)", [LOCK]);
    await runMigrations({ pgPool: pool, schema: SCHEMA, logger: SILENT });
    await client.query("COMMIT");
    client.release();
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/** Content of a job in the database. */
interface Payload {
  readonly key: string;
  /** Trace of the request that added the job. */
  readonly trace?: TraceHeaders | undefined;
}

const SILENT = new Logger(() => () => {});

/**
 * Jobs in tables of graphile-worker. The library locks a job for its worker and
 * releases the locks of a worker that has ended after four hours; here, other
 * processes release them as soon as the sign of life of the worker has ended.
 */
class PostgresJobs implements Jobs {
  readonly #pool: Pool;
  readonly #options: JobsOptions;
  readonly #presence: Presence;
  /** Milliseconds between signs of life. */
  readonly #interval: number;
  readonly #running = new Map<string, AbortController>();
  /**
   * Keys of jobs that were interrupted because the service was closed. They can
   * run again at once.
   */
  readonly #interrupted: string[] = [];
  /** Workers without a sign of life, and the monotonic time when it was missed. */
  readonly #absent = new Map<string, number>();
  #runner: Runner | undefined;
  #worker = "";
  #isClosed = false;
  #isUnavailable = false;
  #stopChecks: () => Promise<void> = async () => {};
  /** Checks and restarts run one after the other. */
  #checking: Promise<void> = Promise.resolve();

  constructor(pool: Pool, options: JobsOptions) {
    this.#pool = pool;
    this.#options = options;
    this.#presence = new Presence(pool, options.timeout);
    this.#interval = Math.min(5_000, Math.ceil(options.timeout / 4));
  }

  get running(): number {
    return this.#running.size;
  }

  async start(): Promise<void> {
    await this.#startRunner();
    await this.#presence.keep(this.#worker);
    this.#stopChecks = schedule(this.#interval, () => this.#checkNext());
  }

  async add({ key, kind, needs }: Job): Promise<void> {
    // The mode does nothing if the job exists, also while it is running.
    await this.#pool.query(
      `SELECT FROM ${SCHEMA}.add_job($1, payload => $2, max_attempts => $3,
        job_key => $4, flags => $5, job_key_mode => 'unsafe_dedupe')`,
      [
        this.#taskOf(kind),
        JSON.stringify({ key, trace: tracer?.current() } satisfies Payload),
        MAX_ATTEMPTS,
        this.#keyOf(key),
        needs === undefined ? [] : [needs],
      ],
    );
  }

  async missing(keys: readonly string[]): Promise<readonly string[]> {
    const { rows } = await this.#pool.query<{ key: string }>(
      `SELECT wanted.key FROM unnest($1::text[]) AS wanted (key)
       WHERE NOT EXISTS (SELECT FROM ${SCHEMA}.jobs WHERE jobs.key = $2 || wanted.key)`,
      [keys, this.#keyOf("")],
    );
    return rows.map(({ key }) => key);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#stopChecks();
    await this.#checking;
    for (const [key, controller] of this.#running) {
      this.#interrupted.push(key);
      controller.abort(new Error("The service was closed."));
    }
    try {
      await this.#runner?.stop();
      await this.#reschedule("jobs.key = ANY($1)", [
        this.#interrupted.map((key) => this.#keyOf(key)),
      ]);
    } catch {
      // Other processes release the jobs when the presence has ended.
    }
    this.#presence.close();
  }

  #taskOf(kind: string): string {
    return `${this.#options.service}:${kind}`;
  }

  #keyOf(key: string): string {
    return `${this.#options.service}:${key}`;
  }

  async #startRunner(): Promise<void> {
    const { kinds, concurrency, absent } = this.#options;
    const events = new EventEmitter();
    events.once(
      "pool:create",
      ({ workerPool }: { workerPool: { id: string } }) => {
        this.#worker = workerPool.id;
      },
    );
    const task = (payload: unknown): Promise<void> =>
      this.#run(payload as Payload);
    const runner = await run({
      pgPool: this.#pool,
      schema: SCHEMA,
      concurrency,
      events,
      noHandleSignals: true,
      // Connections can be shared by a pooler.
      noPreparedStatements: true,
      parsedCronItems: [],
      logger: new Logger(() => (level, message, details) => {
        if (level === "error" && details?.["failure"] !== true)
          this.#log("queue failed", message);
      }),
      forbiddenFlags: async () => [...(await absent())],
      // Without any kind, the library would report an error for each search.
      taskList: Object.fromEntries(
        ["", ...kinds].map((kind) => [this.#taskOf(kind), task]),
      ),
      // Without these settings, the library does not wait for the changes of a
      // job, and their errors end the process.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    });
    this.#runner = runner;
    void runner.promise.catch(() => {}).then(() => this.#restart());
  }

  /** Starts the queue again if the library has stopped it after an error. */
  #restart(): void {
    if (this.#isClosed) return;
    const timer = setTimeout(() => {
      if (this.#isClosed) return;
      this.#checking = this.#checking
        .then(() => this.#startRunner())
        .catch(() => this.#restart());
    }, RESTART_DELAY);
    timer.unref();
  }

  async #run({ key, trace }: Payload): Promise<void> {
    const controller = new AbortController();
    if (this.#isClosed) throw new Error("The service was closed.");
    if (this.#running.has(key)) throw new Error("The job is running.");
    this.#running.set(key, controller);
    try {
      const { service, run } = this.#options;
      await traced(service, key, trace, () => run(key, controller.signal));
    } finally {
      this.#running.delete(key);
    }
  }

  #checkNext(): Promise<void> {
    this.#checking = this.#checking
      .then(() => this.#check())
      .then(
        () => {
          this.#isUnavailable = false;
        },
        (error: unknown) => this.#reportUnavailable(error),
      );
    return this.#checking;
  }

  async #check(): Promise<void> {
    if (this.#isClosed) return;
    await this.#presence.keep(this.#worker);
    await this.#abortLost();
    // The library releases locks that are older than four hours.
    await this.#pool.query(
      `UPDATE ${SCHEMA}._private_jobs SET locked_at = now()
       WHERE locked_by = $1 AND locked_at < now() - interval '1 hour'`,
      [this.#worker],
    );
    await this.#releaseAbsent();
    // The library delays a job that failed by up to six hours.
    await this.#reschedule(
      "jobs.key LIKE $1 AND run_at > now() + interval '30 seconds'",
      [`${this.#options.service}:%`],
    );
  }

  /** Aborts the jobs that other processes have taken over. */
  async #abortLost(): Promise<void> {
    if (this.#running.size === 0) return;
    const running = [...this.#running];
    const { rows } = await this.#pool.query<{ key: string }>(
      `SELECT key FROM ${SCHEMA}.jobs WHERE locked_by = $1`,
      [this.#worker],
    );
    const own = new Set(rows.map(({ key }) => key));
    for (const [key, controller] of running)
      if (!own.has(this.#keyOf(key)))
        controller.abort(new Error("Another process has taken over the job."));
  }

  /**
   * Releases the jobs of workers that have given no sign of life for two
   * intervals, so that a worker whose connection was interrupted can take its
   * lock again.
   */
  async #releaseAbsent(): Promise<void> {
    const { rows } = await this.#pool.query<{ worker: string }>(
      `SELECT DISTINCT locked_by AS worker FROM ${SCHEMA}.jobs
       WHERE locked_by IS NOT NULL AND ${isAbsent("locked_by")}`,
    );
    const now = performance.now();
    const workers = new Set(rows.map(({ worker }) => worker));
    for (const worker of this.#absent.keys())
      if (!workers.has(worker)) this.#absent.delete(worker);
    for (const worker of workers)
      if (!this.#absent.has(worker)) this.#absent.set(worker, now);
    const ended = [...workers].filter(
      (worker) => now - this.#absent.get(worker)! >= 2 * this.#interval,
    );
    if (ended.length === 0) return;
    await this.#pool.query(`SELECT ${SCHEMA}.force_unlock_workers($1)`, [
      ended,
    ]);
    for (const worker of ended)
      this.#options.log({
        service: this.#options.service,
        event: "jobs of a process released",
        worker,
      });
  }

  /** Lets waiting jobs run now, and resets the delay of their next failure. */
  async #reschedule(condition: string, values: unknown[]): Promise<void> {
    await this.#pool.query(
      `SELECT FROM ${SCHEMA}.reschedule_jobs(
        ARRAY(SELECT id FROM ${SCHEMA}.jobs WHERE locked_at IS NULL AND ${condition}),
        run_at => now(), attempts => 0)`,
      values,
    );
  }

  #reportUnavailable(error: unknown): void {
    if (this.#isUnavailable) return;
    this.#isUnavailable = true;
    this.#log("queue failed", unavailableError(error).message);
  }

  #log(event: string, reason: string): void {
    const { log, service } = this.#options;
    log({ service, event, reason: reason.split("\n", 1)[0]!.slice(0, 500) });
  }
}
