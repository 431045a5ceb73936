import type { Pool, PoolClient } from "pg";

/**
 * Sign of life of this process in the database: an open transaction with an
 * advisory lock for each of its names. PostgreSQL itself ends the transaction
 * and with it the locks: at once if the connection ends, and after the timeout
 * if the process is frozen or cut off. No clock of a machine is involved. The
 * transaction has no snapshot, so it does not delay VACUUM, and a pooler in
 * transaction mode keeps its connection.
 */
export class Presence {
  readonly #pool: Pool;
  readonly #timeout: number;
  #client: PoolClient | undefined;
  #name: string | undefined;

  /** @param timeout milliseconds without a sign of life until the locks end */
  constructor(pool: Pool, timeout: number) {
    this.#pool = pool;
    this.#timeout = timeout;
  }

  /**
   * Gives a sign of life. Takes the lock of a name again if it was lost.
   *
   * @throws Error if the database is unavailable
   */
  async keep(name: string): Promise<void> {
    if (this.#client !== undefined && this.#name === name)
      try {
        await this.#client.query("SELECT 1");
        return;
      } catch {
        // The connection was lost; the lock is taken again with another one.
      }
    this.close();
    try {
      await this.#open(name);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  async #open(name: string): Promise<void> {
    const client = await this.#pool.connect();
    this.#client = client;
    this.#name = name;
    // One query without parameters: with this level, nothing holds its snapshot
    // when it has ended.
    await client.query(
      `BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY;
       SET LOCAL idle_in_transaction_session_timeout = ${this.#timeout};
       SELECT pg_advisory_xact_lock(hashtextextended(${client.escapeLiteral(name)}, 0))`,
    );
  }

  /** Ends the lock, with its connection. */
  close(): void {
    this.#client?.release(true);
    this.#client = undefined;
  }
}

/**
 * Condition of SQL that is true if no process has the lock of a name.
 *
 * @param name expression for the name
 */
export function isAbsent(name: string): string {
  return `NOT EXISTS (
    SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 1
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND ((classid::bigint << 32) | objid::bigint) = hashtextextended(${name}, 0))`;
}
