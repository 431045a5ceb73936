import { randomUUID } from "node:crypto";
import type { Store, Transaction } from "../store/store.js";
import {
  archiveFile,
  idKey,
  migrationKey,
  repositoryKey,
  TABLES,
  type Flags,
  type LeaseRecord,
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

/** Milliseconds after which another process takes over an export whose process is gone. */
export const LEASE = 30_000;

/**
 * Migrations as they are stored. Each change is one transaction. Of several processes, the
 * one that has the lease of an export changes it.
 */
export class Migrations {
  /** Milliseconds of a lease. */
  readonly lease: number;
  readonly #store: Store;
  readonly #now: () => number;
  readonly #owner: string;

  /** @param owner a name that no other process has */
  constructor(
    store: Store,
    now: () => number,
    owner: string = randomUUID(),
    lease: number = LEASE,
  ) {
    this.#store = store;
    this.#now = now;
    this.#owner = owner;
    this.lease = lease;
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

  /** Keys of those that wait or run, but not in another process; the oldest first. */
  async unfinished(): Promise<string[]> {
    const [jobs, leases] = await Promise.all([
      this.#store.list<number>(TABLES.jobs),
      this.#store.list<LeaseRecord>(TABLES.leases),
    ]);
    const held = leases.filter(({ value }) => this.#isForeign(value));
    const others = new Set(held.map(({ key }) => key));
    return [...jobs]
      .filter(({ key }) => !others.has(key))
      .sort((a, b) => a.value - b.value)
      .map(({ key }) => key);
  }

  /** Ends all leases: no other process can have the store. */
  async endLeases(): Promise<void> {
    await this.#store.transaction(async (transaction) => {
      for (const { key } of await transaction.list(TABLES.leases))
        transaction.delete(TABLES.leases, key);
    });
  }

  /**
   * Starts the export, for the first time or again, and takes its lease.
   *
   * @returns undefined where there is nothing to export, or another process does
   */
  begin(key: string): Promise<MigrationRecord | undefined> {
    return this.#store.transaction(async (transaction) => {
      const lease = await transaction.get<LeaseRecord>(TABLES.leases, key);
      if (lease !== undefined && this.#isForeign(lease)) return undefined;
      this.#hold(transaction, key);
      return this.#next(transaction, key, (record) => ({
        ...record,
        state: "exporting",
        attempts: record.attempts + 1,
      }));
    });
  }

  /** Prolongs the lease of an export; false where another process has it now. */
  renew(key: string): Promise<boolean> {
    return this.#store.transaction(async (transaction) => {
      const isHeld = await this.#isHeld(transaction, key);
      if (isHeld) this.#hold(transaction, key);
      return isHeld;
    });
  }

  /** The export stopped with the service; this start does not count. */
  async putBack(key: string): Promise<void> {
    await this.#change(key, (record, transaction) => {
      transaction.delete(TABLES.leases, key);
      return { ...record, attempts: Math.max(0, record.attempts - 1) };
    });
  }

  /** The archive is there. Returns false where another process has taken over. */
  async finish(key: string, size: number): Promise<boolean> {
    const changed = await this.#change(key, (record, transaction) => {
      const { org, guid, id } = record;
      const file = archiveFile(record);
      const archive = { org, guid, size, createdAt: this.#now(), file };
      transaction.put(TABLES.archives, idKey(id), archive);
      return { ...record, state: "exported" };
    });
    return changed !== undefined;
  }

  /** There will be no archive. */
  async fail(key: string, reason: string): Promise<void> {
    await this.#change(key, (record) => ({
      ...record,
      state: "failed",
      reason,
    }));
  }

  /** Changes a migration whose lease this process has. */
  #change(key: string, next: Change): Promise<MigrationRecord | undefined> {
    return this.#store.transaction(async (transaction) =>
      (await this.#isHeld(transaction, key))
        ? this.#next(transaction, key, next)
        : undefined,
    );
  }

  /** Changes a migration that is not at its end; its job and lease go when it gets there. */
  async #next(
    transaction: Transaction,
    key: string,
    next: Change,
  ): Promise<MigrationRecord | undefined> {
    const record = await transaction.get<MigrationRecord>(
      TABLES.migrations,
      key,
    );
    const changed =
      record === undefined || isOver(record)
        ? undefined
        : { ...next(record, transaction), updatedAt: this.#now() };
    if (changed !== undefined) transaction.put(TABLES.migrations, key, changed);
    if (changed === undefined || isOver(changed)) {
      transaction.delete(TABLES.jobs, key);
      transaction.delete(TABLES.leases, key);
    }
    return changed;
  }

  #hold(transaction: Transaction, key: string): void {
    const expires = this.#now() + this.lease;
    const lease: LeaseRecord = { owner: this.#owner, expires };
    transaction.put(TABLES.leases, key, lease);
  }

  async #isHeld(transaction: Transaction, key: string): Promise<boolean> {
    const lease = await transaction.get<LeaseRecord>(TABLES.leases, key);
    return lease?.owner === this.#owner;
  }

  /** A lease of another process that is not over. One far ahead is from before the clock was set back. */
  #isForeign({ owner, expires }: LeaseRecord): boolean {
    const left = expires - this.#now();
    return owner !== this.#owner && left > 0 && left <= 2 * this.lease;
  }
}

/** Makes the next version of a migration. */
type Change = (
  record: MigrationRecord,
  transaction: Transaction,
) => MigrationRecord;

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
