import type { Store } from "../store/store.js";
import { tables, type KeyUse } from "./data.js";

/** Minimum number of milliseconds between two stored uses of a key. */
const INTERVAL = 60_000;

/** Milliseconds for which uses are collected before they are stored together. */
const DELAY = 2_000;

/**
 * Maximum number of keys whose last use is in memory. Beyond it, keys are stored
 * more often.
 */
const MAX_KEYS = 100_000;

/**
 * Stores the uses of keys, at most once a minute for each key. Requests do not
 * wait for it, and a failure only delays the next stored use.
 */
export class KeyUses {
  readonly #store: Store;
  readonly #now: () => number;
  /** Times of the uses that were stored, keyed by the id of the key. */
  readonly #stored = new Map<string, number>();
  #collected = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(store: Store, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /** Records the use of the key with an id. */
  add(id: string): void {
    const now = this.#now();
    const last = this.#stored.get(id);
    if (last !== undefined && Math.abs(now - last) < INTERVAL) return;
    if (this.#stored.size >= MAX_KEYS) this.#stored.clear();
    this.#stored.set(id, now);
    this.#collected.add(id);
    this.#timer ??= setTimeout(() => void this.#flush(), DELAY).unref();
  }

  /** Stores the collected uses. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#flush();
  }

  #flush(): Promise<void> {
    this.#timer = undefined;
    const ids = [...this.#collected].sort();
    this.#collected = new Set();
    if (ids.length > 0)
      this.#writing = this.#writing
        .then(() => this.#write(ids))
        .catch(() => {
          for (const id of ids) this.#stored.delete(id);
        });
    return this.#writing;
  }

  async #write(ids: readonly string[]): Promise<void> {
    const { rows } = this.#store;
    if (rows !== undefined) {
      await rows(ADD_USES, [ids]);
      return;
    }
    const lastUsedAt = new Date(this.#now()).toISOString();
    await this.#store.transaction(async (tx) => {
      // Keys that were revoked in the meantime have no uses.
      for (const id of await tx.existing(tables.keys, ids))
        tx.put(tables.keyUses, id, { lastUsedAt } satisfies KeyUse);
    });
  }
}

/**
 * Stores uses by the clock of the database in one statement, without a
 * transaction that reads. If another process has just stored a use, it remains.
 */
const ADD_USES = `INSERT INTO gen_key_uses AS old (id, last_used_at)
  SELECT id, now() FROM gen_keys WHERE id = ANY($1::text[]) ORDER BY id
  ON CONFLICT (id) DO UPDATE SET last_used_at = EXCLUDED.last_used_at
  WHERE old.last_used_at <= EXCLUDED.last_used_at - interval '55 seconds'`;
