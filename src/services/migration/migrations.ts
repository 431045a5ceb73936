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
  type LeaseRecord,
  migrationKey,
  type MigrationRecord,
  TABLES,
} from "./records.js";

/**
 * Stored migrations. Each change is a transaction. If processes share the
 * store, only the process that holds the lease on an export can change its
 * migration.
 */
export class Migrations {
  /** Duration of a lease in milliseconds. */
  readonly lease: number;
  readonly #store: Store;
  readonly #now: () => number;
  readonly #leases: Leases;

  /** @param owner unique name of this process */
  constructor(
    store: Store,
    now: () => number,
    owner: string = randomUUID(),
    lease: number = DEFAULT_LEASE,
  ) {
    this.#store = store;
    this.#now = now;
    this.lease = lease;
    this.#leases = new Leases(owner, lease);
  }

  /**
   * Returns the time by which leases expire. Processes on several machines use
   * the clock of the store that they share.
   */
  #leaseTime(): Promise<number> {
    return this.#store.time?.() ?? Promise.resolve(this.#now());
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

  /**
   * Returns the keys of pending and running migrations, oldest first.
   * Migrations that another process is exporting are omitted.
   */
  async unfinished(): Promise<string[]> {
    const [jobs, leases, now] = await Promise.all([
      this.#store.list<number>(TABLES.jobs),
      this.#store.list<LeaseRecord>(TABLES.leases),
      this.#leaseTime(),
    ]);
    const held = leases.filter(({ value }) =>
      this.#leases.isForeign(value, now),
    );
    const otherKeys = new Set(held.map(({ key }) => key));
    return [...jobs]
      .filter(({ key }) => !otherKeys.has(key))
      .sort((a, b) => a.value - b.value)
      .map(({ key }) => key);
  }

  /**
   * Ends all leases. The caller must ensure that no other process can use the
   * store.
   */
  async endLeases(): Promise<void> {
    await this.#store.transaction((transaction) =>
      this.#leases.endAll(transaction),
    );
  }

  /**
   * Acquires the lease of an export and counts the attempt. Returns undefined
   * if the export is finished or another process has the lease. A lease that is
   * taken over after it expired is counted separately.
   */
  async begin(key: string): Promise<MigrationRecord | undefined> {
    const now = await this.#leaseTime();
    return this.#store.transaction(async (transaction) => {
      const lease = await transaction.get<LeaseRecord>(TABLES.leases, key);
      if (lease !== undefined && this.#leases.isForeign(lease, now))
        return undefined;
      const isTakeover = lease !== undefined && !this.#leases.isOwn(lease);
      this.#leases.put(transaction, key, now);
      return this.#update(transaction, key, (record) => ({
        ...record,
        state: "exporting",
        attempts: record.attempts + 1,
        takeovers: (record.takeovers ?? 0) + (isTakeover ? 1 : 0),
      }));
    });
  }

  /** Renews the lease of an export. Returns false if the lease was lost. */
  async renew(key: string): Promise<boolean> {
    const now = await this.#leaseTime();
    return this.#store.transaction(async (transaction) => {
      const hasLease = await this.#leases.has(transaction, key);
      if (hasLease) this.#leases.put(transaction, key, now);
      return hasLease;
    });
  }

  /** Ends the lease of an interrupted export. The attempt is not counted. */
  async release(key: string): Promise<void> {
    await this.#change(key, (record, transaction) => {
      transaction.delete(TABLES.leases, key);
      return { ...record, attempts: Math.max(0, record.attempts - 1) };
    });
  }

  /**
   * Records that an archive is complete. Returns false if the lease was lost.
   */
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

  /** Records that an export failed. */
  async fail(key: string, reason: string): Promise<void> {
    await this.#change(key, (record) => ({
      ...record,
      state: "failed",
      reason,
    }));
  }

  /** Changes a migration if this process has the lease of its export. */
  #change(
    key: string,
    change: MigrationChange,
  ): Promise<MigrationRecord | undefined> {
    return this.#store.transaction(async (transaction) =>
      (await this.#leases.has(transaction, key))
        ? this.#update(transaction, key, change)
        : undefined,
    );
  }

  /**
   * Changes a migration. If the migration is then finished, removes it from the
   * unfinished migrations and ends its lease.
   */
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
}

/** Function that returns a changed copy of a migration. */
type MigrationChange = (
  record: MigrationRecord,
  transaction: Transaction,
) => MigrationRecord;

function isFinished({ state }: MigrationRecord): boolean {
  return state === "exported" || state === "failed";
}

/** Default duration of a lease in milliseconds. */
const DEFAULT_LEASE = 30_000;

/**
 * Stored leases of exports. A process may change an export only while it has
 * the lease. Two processes that share a store therefore never write the same
 * archive.
 */
class Leases {
  readonly #owner: string;
  readonly #duration: number;

  /**
   * @param owner unique name of this process
   * @param duration duration of a lease in milliseconds
   */
  constructor(owner: string, duration: number) {
    this.#owner = owner;
    this.#duration = duration;
  }

  /**
   * Stores a new or renewed lease of this process.
   *
   * @param now current time of the store
   */
  put(transaction: Transaction, key: string, now: number): void {
    const expires = now + this.#duration;
    const lease: LeaseRecord = { owner: this.#owner, expires };
    transaction.put(TABLES.leases, key, lease);
  }

  /** Tests whether this process has the lease of an export. */
  async has(transaction: Transaction, key: string): Promise<boolean> {
    const lease = await transaction.get<LeaseRecord>(TABLES.leases, key);
    return lease !== undefined && this.isOwn(lease);
  }

  /** Tests whether this process has a lease. */
  isOwn({ owner }: LeaseRecord): boolean {
    return owner === this.#owner;
  }

  /** Ends the leases of all processes. */
  async endAll(transaction: Transaction): Promise<void> {
    for (const { key } of await transaction.list(TABLES.leases))
      transaction.delete(TABLES.leases, key);
  }

  /**
   * Tests whether another process has the lease and the lease has not expired
   * at the current time of the store.
   * If the lease ends much later than a new lease would, the clock was set
   * back, and the lease counts as expired.
   */
  isForeign({ owner, expires }: LeaseRecord, now: number): boolean {
    const left = expires - now;
    return owner !== this.#owner && left > 0 && left <= 2 * this.#duration;
  }
}
