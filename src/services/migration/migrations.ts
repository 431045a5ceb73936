import { randomUUID } from "node:crypto";
import type { Store, Transaction } from "../store/store.js";
import {
  idKey,
  migrationKey,
  repositoryKey,
  TABLES,
  type Flags,
  type LockRecord,
  type MigrationRecord,
} from "./records.js";
import { nextId } from "./settings.js";

/** Why a migration can't be started, for callers. */
export class RefusedError extends Error {
  /** Number of the repository at fault, if it is one. */
  readonly index: number | undefined;
  readonly code: "already_exists" | "unprocessable";

  constructor(
    message: string,
    code: "already_exists" | "unprocessable",
    index?: number,
  ) {
    super(message);
    this.name = "RefusedError";
    this.code = code;
    this.index = index;
  }
}

/** What a new migration is made of. */
export interface Request {
  readonly org: string;
  readonly flags: Flags;
  /** Names in lower case. */
  readonly repositories: readonly string[];
}

/** Migrations as they are stored. Each change is one transaction. */
export class Migrations {
  readonly #store: Store;
  readonly #now: () => number;

  constructor(store: Store, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  find(org: string, id: number): Promise<MigrationRecord | undefined> {
    return this.#store.get(TABLES.migrations, migrationKey(org, id));
  }

  /** A page of an organization's migrations, the newest first, and how many there are. */
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
   * Starts a migration, with its locks.
   *
   * @param unfinished how many may wait or run in one organization
   * @throws RefusedError where there are too many, or a repository is locked
   */
  start(request: Request, unfinished: number): Promise<MigrationRecord> {
    const guid = randomUUID();
    const time = this.#now();
    return this.#store.transaction(async (transaction) => {
      const { org, flags, repositories } = request;
      if ((await transaction.count(TABLES.jobs, `${org}/`)) >= unfinished)
        throw new RefusedError(
          "Too many migrations of the organization are under way.",
          "unprocessable",
        );
      const id = await nextId(transaction, "migration");
      if (flags.lock_repositories) await lockAll(transaction, request, id);
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

  /** Keys of those that wait or run, the oldest first. */
  async unfinished(): Promise<string[]> {
    const jobs = await this.#store.list<number>(TABLES.jobs);
    return [...jobs].sort((a, b) => a.value - b.value).map(({ key }) => key);
  }

  /** The export starts, for the first time or again; undefined where none is to be done. */
  begin(key: string): Promise<MigrationRecord | undefined> {
    return this.#change(key, (record) => ({
      ...record,
      state: "exporting",
      attempts: record.attempts + 1,
    }));
  }

  /** The export stopped with the service; this start does not count. */
  async putBack(key: string): Promise<void> {
    await this.#change(key, (record) => ({
      ...record,
      attempts: Math.max(0, record.attempts - 1),
    }));
  }

  /** The archive is there. */
  async finish(key: string, size: number): Promise<void> {
    await this.#change(key, (record, transaction) => {
      const { org, guid, id } = record;
      const archive = { org, guid, size, createdAt: this.#now() };
      transaction.put(TABLES.archives, idKey(id), archive);
      return { ...record, state: "exported" };
    });
  }

  /** There will be no archive. */
  async fail(key: string, reason: string): Promise<void> {
    await this.#change(key, (record) => ({
      ...record,
      state: "failed",
      reason,
    }));
  }

  /** Changes a migration that is not at its end; its job goes when it gets there. */
  #change(
    key: string,
    next: (
      record: MigrationRecord,
      transaction: Transaction,
    ) => MigrationRecord,
  ): Promise<MigrationRecord | undefined> {
    return this.#store.transaction(async (transaction) => {
      const record = await transaction.get<MigrationRecord>(
        TABLES.migrations,
        key,
      );
      if (record === undefined || isOver(record)) {
        transaction.delete(TABLES.jobs, key);
        return undefined;
      }
      const changed = { ...next(record, transaction), updatedAt: this.#now() };
      transaction.put(TABLES.migrations, key, changed);
      if (isOver(changed)) transaction.delete(TABLES.jobs, key);
      return changed;
    });
  }
}

function isOver({ state }: MigrationRecord): boolean {
  return state === "exported" || state === "failed";
}

async function lockAll(
  transaction: Transaction,
  { org, repositories }: Request,
  migration: number,
): Promise<void> {
  for (const [index, name] of repositories.entries()) {
    const key = repositoryKey(org, name);
    const lock = await transaction.get<LockRecord>(TABLES.locks, key);
    if (lock !== undefined)
      throw new RefusedError(
        `The repository is locked for migration ${lock.migration}.`,
        "already_exists",
        index,
      );
    transaction.put(TABLES.locks, key, { migration });
  }
}
