import type { LogLine } from "../service.js";
import { tracer } from "../spans.js";
import { StoreError } from "../store/store.js";
import type { Progress } from "./archive-writer.js";
import type { Migrations } from "./migrations.js";
import type { MigrationRecord } from "./records.js";

/** Migrations to export, functions of an export, log and limits. */
export interface ExportContext {
  readonly migrations: Migrations;
  /** Function that writes the archive and returns its size in bytes. */
  readonly run: (
    record: MigrationRecord,
    signal: AbortSignal,
    progress: Progress,
  ) => Promise<number>;
  /** Function that removes the archive of a start whose result was rejected. */
  readonly discard: (record: MigrationRecord) => Promise<void>;
  readonly log: (line: LogLine) => void;
  /** Maximum number of times that an export is started. */
  readonly attempts: number;
}

/** Milliseconds between two log lines about the progress of an export. */
const PROGRESS_INTERVAL = 10_000;

/** Milliseconds between attempts to store a result. */
const STORE_DELAY = 2_000;

/**
 * Returns the function that exports a migration as a job. It is resolved when
 * the migration is exported, or failed with a reason. It rejects if the export
 * was interrupted.
 */
export function exportJob(
  context: ExportContext,
): (key: string, signal: AbortSignal) => Promise<void> {
  const { migrations, attempts, log } = context;
  return async (key, signal) => {
    const report = (event: string, facts: object = {}): void =>
      log({ service: "migration", event, migration: key, ...facts });
    const record = await stored(signal, () => migrations.begin(key));
    if (record === undefined) return;
    const fail = async (reason: string): Promise<void> => {
      if (await stored(signal, () => migrations.fail(record, reason)))
        report("export failed", { reason });
      tracer?.fail("export failed");
    };
    if (record.attempts > attempts)
      return fail(
        `The export was started ${record.attempts - 1} times and was interrupted each time.`,
      );
    report("export started");
    const begun = performance.now();
    const outcome = await runExport(context, record, signal, report);
    if (typeof outcome !== "number" && !signal.aborted)
      return fail(reasonOf(outcome));
    if (typeof outcome !== "number") {
      await migrations.release(record).catch(() => {});
      report("export interrupted", { reason: reasonOf(signal.reason) });
      throw signal.reason;
    }
    if (!(await stored(signal, () => migrations.finish(record, outcome)))) {
      await context.discard(record);
      report("export rejected", { reason: "The export was started again." });
      return;
    }
    const ms = Math.round(performance.now() - begun);
    report("exported", { bytes: outcome, ms });
  };
}

/** Returns the size of the archive, or the error. Logs the progress. */
async function runExport(
  { run }: ExportContext,
  record: MigrationRecord,
  signal: AbortSignal,
  report: (event: string, facts: object) => void,
): Promise<unknown> {
  const progress: Progress = { bytes: 0, repositories: 0 };
  const timer = setInterval(
    () =>
      report("export progress", {
        bytes: progress.bytes,
        repositories: progress.repositories,
        of: record.repositories.length,
      }),
    PROGRESS_INTERVAL,
  );
  timer.unref();
  try {
    return await run(record, signal, progress);
  } catch (error) {
    return error;
  } finally {
    clearInterval(timer);
  }
}

/**
 * Changes the store, and tries again while it is unavailable: a complete archive
 * must not be made again because of a short outage.
 *
 * @throws Error of the store if the export is interrupted
 */
async function stored<T>(
  signal: AbortSignal,
  change: () => Promise<T>,
): Promise<T> {
  for (;;)
    try {
      return await change();
    } catch (error) {
      const isUnavailable =
        error instanceof StoreError ||
        (error as Error).cause instanceof StoreError;
      if (signal.aborted || !isUnavailable) throw error;
      await delay(STORE_DELAY, signal);
    }
}

function delay(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
  });
}

function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 500);
}
