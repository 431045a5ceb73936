import type { Migrations } from "./migrations.js";

/** Lease that this process has on an export. The lease is renewed regularly. */
export class Lease {
  readonly #migrations: Migrations;
  readonly #key: string;
  readonly #lost = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #renewed = performance.now();

  constructor(migrations: Migrations, key: string) {
    this.#migrations = migrations;
    this.#key = key;
    this.#timer = setInterval(
      () => void this.#renew(),
      Math.ceil(migrations.lease / 3),
    );
    this.#timer.unref();
  }

  /**
   * Signal that is aborted when the lease is lost. Another process could then
   * take over the export.
   */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #renew(): Promise<void> {
    const { lease } = this.#migrations;
    const started = performance.now();
    try {
      if (await this.#migrations.renew(this.#key)) this.#renewed = started;
      else this.#lose();
    } catch {
      // If the store is unavailable, the lease remains valid until it expires.
      if (performance.now() - this.#renewed >= lease) this.#lose();
    }
  }

  #lose(): void {
    this.#lost.abort(new Error("The lease was lost."));
  }
}
