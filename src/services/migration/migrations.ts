import { randomUUID } from "node:crypto";
import type { Store, Transaction } from "../store/store.js";
import {
  lockRepositories,
  type MigrationRequest,
  StartError,
} from "./migration-request.js";
import {
  archiveFile,
  idKey,
  migrationKey,
  type MigrationRecord,
  TABLES,
} from "./records.js";

/** Stored migrations. Each change is a transaction. */
export class Migrations {
  readonly #store: Store;
  readonly #time: () => Promise<number>;

  /** @param time function that returns the time by a clock of all processes */
  constructor(store: Store, time: () => Promise<number>) {
    this.#store = store;
    this.#time = time;
  }

  find(org: string, id: number): Promise<MigrationRecord | undefined> {
    return this.#store.get(TABLES.migrations, migrationKey(org, id));
  }

  /**
   * Returns a page of migrations, newest first, and the total number of
   * migrations.
   */
  async page(
    org: string,
    offset: number,
    limit: number,
  ): Promise<{ rows: MigrationRecord[]; total: number }> {
    const prefix = `${org}/`;
    const range = { prefix, offset, limit, isReverse: true };
    const [rows, total] = await Promise.all([
      this.#store.list<MigrationRecord>(TABLES.migrations, range),
      this.#store.count(TABLES.migrations, prefix),
    ]);
    return { rows: rows.map(({ value }) => value), total };
  }

  /**
   * Stores a migration with its locks.
   *
   * @param unfinished maximum number of pending and running migrations per
   * organization
   * @throws StartError if this number is reached or a repository is locked
   */
  async start(
    request: MigrationRequest,
    unfinished: number,
  ): Promise<MigrationRecord> {
    const guid = randomUUID();
    const time = await this.#time();
    return this.#store.transaction(async (transaction) => {
      const { org, flags, repositories } = request;
      if ((await transaction.count(TABLES.jobs, `${org}/`)) >= unfinished)
        throw new StartError(
          `The organization already has ${unfinished} unfinished migrations.`,
          "unprocessable",
        );
      const id = await transaction.nextId("migration");
      if (flags.lock_repositories)
        await lockRepositories(transaction, request, id);
      const record: MigrationRecord = {
        id,
        guid,
        org,
        kind: "export",
        state: "pending",
        flags,
        repositories,
        createdAt: time,
        updatedAt: time,
        attempts: 0,
      };
      transaction.put(TABLES.migrations, migrationKey(org, id), record);
      transaction.put(TABLES.jobs, migrationKey(org, id), id);
      return record;
    });
  }

  /** Returns the keys of pending and running migrations, oldest first. */
  async unfinished(): Promise<string[]> {
    const jobs = await this.#store.list<number>(TABLES.jobs);
    return [...jobs].sort((a, b) => a.value - b.value).map(({ key }) => key);
  }

  /** Returns the number of pending and running migrations. */
  countUnfinished(): Promise<number> {
    return this.#store.count(TABLES.jobs);
  }

  /**
   * Counts a start of an export. Earlier starts can no longer change the
   * migration. Returns undefined if the migration is finished.
   */
  begin(key: string): Promise<MigrationRecord | undefined> {
    return this.#change(key, undefined, (record) => ({
      ...record,
      state: "exporting",
      attempts: record.attempts + 1,
    }));
  }

  /** Ends a start that was interrupted. It is not counted. */
  async release(start: MigrationRecord): Promise<void> {
    await this.#change(keyOf(start), start, (record) => ({
      ...record,
      attempts: record.attempts - 1,
    }));
  }

  /**
   * Records that an archive is complete. Returns false if the export was started
   * again since.
   */
  async finish(start: MigrationRecord, size: number): Promise<boolean> {
    const changed = await this.#change(
      keyOf(start),
      start,
      (record, transaction, createdAt) => {
        const { org, guid, id } = record;
        const file = archiveFile(record);
        const archive = { org, guid, size, createdAt, file };
        transaction.put(TABLES.archives, idKey(id), archive);
        return { ...record, state: "exported" };
      },
    );
    return changed !== undefined;
  }

  /**
   * Records that an export failed. Returns false if the export was started again
   * since.
   */
  async fail(start: MigrationRecord, reason: string): Promise<boolean> {
    const changed = await this.#change(keyOf(start), start, (record) => ({
      ...record,
      state: "failed",
      reason,
    }));
    return changed !== undefined;
  }

  /**
   * Changes a migration that is not finished. If it is then finished, removes it
   * from the unfinished migrations.
   *
   * @param start start of the export that makes the change; it must be the last
   */
  async #change(
    key: string,
    start: MigrationRecord | undefined,
    change: MigrationChange,
  ): Promise<MigrationRecord | undefined> {
    const time = await this.#time();
    return this.#store.transaction(async (transaction) => {
      const record = await transaction.get<MigrationRecord>(
        TABLES.migrations,
        key,
      );
      if (record === undefined || isFinished(record)) {
        transaction.delete(TABLES.jobs, key);
        return undefined;
      }
      if (start !== undefined && start.attempts !== record.attempts)
        return undefined;
      const changed = {
        ...change(record, transaction, time),
        updatedAt: time,
      };
      transaction.put(TABLES.migrations, key, changed);
      if (isFinished(changed)) transaction.delete(TABLES.jobs, key);
      return changed;
    });
  }
}

/** Function that returns a changed copy of a migration. */
type MigrationChange = (
  record: MigrationRecord,
  transaction: Transaction,
  time: number,
) => MigrationRecord;

function keyOf({ org, id }: MigrationRecord): string {
  return migrationKey(org, id);
}

export function isFinished({ state }: MigrationRecord): boolean {
  return state === "exported" || state === "failed";
}
