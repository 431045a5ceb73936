import type { Transaction } from "../store/store.js";
import { TABLES, type LeaseRecord } from "./records.js";

/** Default duration of a lease in milliseconds. */
export const DEFAULT_LEASE = 30_000;

/**
 * Stored leases of exports. A process may change an export only while it has
 * the lease. Two processes that share a store therefore never write the same
 * archive.
 */
export class Leases {
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
