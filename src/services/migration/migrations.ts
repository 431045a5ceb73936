import { randomUUID } from "node:crypto";
import type { Store, Transaction } from "../store/store.js";
import {
  archiveFile,
  idKey,
  migrationKey,
  TABLES,
  type LeaseRecord,
  type MigrationRecord,
} from "./records.js";
import {
  lockRepositories,
  StartError,
  type MigrationRequest,
} from "./migration-request.js";
import { nextId } from "./settings.js";

/** Default milliseconds after which another process takes over the export of a dead process. */
export const DEFAULT_LEASE = 30_000;

/**
 * Stored migrations. Each change is one transaction. If several processes share the
 * store, only the one with the lease of an export changes it.
 */
export class Migrations {
  /** Duration of a lease in milliseconds. */
  readonly lease: number;
  readonly #store: Store;
  readonly #now: () => number;
  readonly #owner: string;

  /** @param owner unique name of this process */
  constructor(
    store: Store,
    now: () => number,
    owner: string = randomUUID(),
    lease: number = DEFAULT_LEASE,
  ) {
    this.#store = store;
    this.#now = now;
    this.#owner = owner;
    this.lease = lease;
  }

  find(org: string, id: number): Promise<MigrationRecord | undefined> {
    return this.#store.get(TABLES.migrations, migrationKey(org, id));
  }

  /** Returns a page of an organization's migrations, newest first, and their total number. */
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
   * @param unfinished limit of pending and running migrations of an organization
   * @throws StartError if the limit is reached or a repository is locked
   */
  start(
    request: MigrationRequest,
    unfinished: number,
  ): Promise<MigrationRecord> {
    const guid = randomUUID();
    const time = this.#now();
    return this.#store.transaction(async (transaction) => {
      const { org, flags, repositories } = request;
      if ((await transaction.count(TABLES.jobs, `${org}/`)) >= unfinished)
        throw new StartError(
          "The organization has too many unfinished migrations.",
          "unprocessable",
        );
      const id = await nextId(transaction, "migration");
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

  /** Returns keys of pending and running migrations, oldest first, without those of other processes. */
  async unfinished(): Promise<string[]> {
    const [jobs, leases] = await Promise.all([
      this.#store.list<number>(TABLES.jobs),
      this.#store.list<LeaseRecord>(TABLES.leases),
    ]);
    const held = leases.filter(({ value }) => this.#isForeign(value));
    const otherKeys = new Set(held.map(({ key }) => key));
    return [...jobs]
      .filter(({ key }) => !otherKeys.has(key))
      .sort((a, b) => a.value - b.value)
      .map(({ key }) => key);
  }

  /** Ends all leases. Only for stores that no other process can use. */
  async endLeases(): Promise<void> {
    await this.#store.transaction(async (transaction) => {
      for (const { key } of await transaction.list(TABLES.leases))
        transaction.delete(TABLES.leases, key);
    });
  }

  /**
   * Starts or repeats an export, and takes its lease.
   *
   * @returns undefined if it is finished or another process has the lease
   */
  begin(key: string): Promise<MigrationRecord | undefined> {
    return this.#store.transaction(async (transaction) => {
      const lease = await transaction.get<LeaseRecord>(TABLES.leases, key);
      if (lease !== undefined && this.#isForeign(lease)) return undefined;
      this.#putLease(transaction, key);
      return this.#update(transaction, key, (record) => ({
        ...record,
        state: "exporting",
        attempts: record.attempts + 1,
      }));
    });
  }

  /** Renews the lease of an export; returns false if another process has it. */
  renew(key: string): Promise<boolean> {
    return this.#store.transaction(async (transaction) => {
      const hasLease = await this.#hasLease(transaction, key);
      if (hasLease) this.#putLease(transaction, key);
      return hasLease;
    });
  }

  /** Releases an export that stopped with the service; its start is not counted. */
  async release(key: string): Promise<void> {
    await this.#change(key, (record, transaction) => {
      transaction.delete(TABLES.leases, key);
      return { ...record, attempts: Math.max(0, record.attempts - 1) };
    });
  }

  /** Records the complete archive; returns false if another process has taken over. */
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

  /** Records a failed export. */
  async fail(key: string, reason: string): Promise<void> {
    await this.#change(key, (record) => ({
      ...record,
      state: "failed",
      reason,
    }));
  }

  /** Changes a migration if this process has its lease. */
  #change(
    key: string,
    change: MigrationChange,
  ): Promise<MigrationRecord | undefined> {
    return this.#store.transaction(async (transaction) =>
      (await this.#hasLease(transaction, key))
        ? this.#update(transaction, key, change)
        : undefined,
    );
  }

  /** Changes an unfinished migration; removes its job and lease when it is finished. */
  async #update(
    transaction: Transaction,
    key: string,
    change: MigrationChange,
  ): Promise<MigrationRecord | undefined> {
    const record = await transaction.get<MigrationRecord>(
      TABLES.migrations,
      key,
    );
    const changed =
      record === undefined || isFinished(record)
        ? undefined
        : { ...change(record, transaction), updatedAt: this.#now() };
    if (changed !== undefined) transaction.put(TABLES.migrations, key, changed);
    if (changed === undefined || isFinished(changed)) {
      transaction.delete(TABLES.jobs, key);
      transaction.delete(TABLES.leases, key);
    }
    return changed;
  }

  #putLease(transaction: Transaction, key: string): void {
    const expires = this.#now() + this.lease;
    const lease: LeaseRecord = { owner: this.#owner, expires };
    transaction.put(TABLES.leases, key, lease);
  }

  async #hasLease(transaction: Transaction, key: string): Promise<boolean> {
    const lease = await transaction.get<LeaseRecord>(TABLES.leases, key);
    return lease?.owner === this.#owner;
  }

  /**
   * Returns true for an unexpired lease of another process. A lease that expires much
   * later than a new one was written before the clock was set back.
   */
  #isForeign({ owner, expires }: LeaseRecord): boolean {
    const left = expires - this.#now();
    return owner !== this.#owner && left > 0 && left <= 2 * this.lease;
  }
}

/** Returns the changed migration. */
type MigrationChange = (
  record: MigrationRecord,
  transaction: Transaction,
) => MigrationRecord;

function isFinished({ state }: MigrationRecord): boolean {
  return state === "exported" || state === "failed";
}
