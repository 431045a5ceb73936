import type { LogLine } from "../service.js";
import { Queue } from "../store/queue.js";
import type { Store } from "../store/store.js";
import type { Key } from "./keys.js";
import type { TokenCounts } from "./usage.js";
import { dayOf, recordUsage, sumOf, type UsageDelta } from "./usage-records.js";

/**
 * Milliseconds after which usage is written. A process that is killed loses the
 * usage of this time, and of the requests in flight.
 */
export const FLUSH_INTERVAL = 1_000;

/**
 * Class that adds up usage in memory and writes it to the store in intervals, so
 * that requests do not wait for the store.
 */
export class UsageRecorder {
  readonly #store: Store;
  readonly #now: () => number;
  readonly #log: (line: LogLine) => void;
  readonly #queue = new Queue();
  #pending = new Map<string, UsageDelta>();
  #timer: NodeJS.Timeout | undefined;

  /** @param now returns milliseconds since 1970, by the clock of the store */
  constructor(store: Store, now: () => number, log: (line: LogLine) => void) {
    this.#store = store;
    this.#now = now;
    this.#log = log;
  }

  /** Records the usage of a request. */
  add(
    { id, name, owner }: Pick<Key, "id" | "name" | "owner">,
    model: string,
    { promptTokens, completionTokens, isEstimated }: TokenCounts,
  ): void {
    const now = this.#now();
    this.#merge({
      day: dayOf(now),
      key: id,
      name,
      owner,
      model,
      requests: 1,
      estimatedRequests: isEstimated ? 1 : 0,
      promptTokens,
      completionTokens,
      lastUsed: now,
    });
  }

  #merge(delta: UsageDelta): void {
    const key = JSON.stringify([delta.day, delta.key, delta.model]);
    const old = this.#pending.get(key);
    this.#pending.set(key, old === undefined ? delta : latestSum(old, delta));
    this.#timer ??= this.#startTimer();
  }

  #startTimer(): NodeJS.Timeout {
    const flush = (): void => {
      this.#timer = undefined;
      // The store reports its failures; the usage is written later.
      this.flush().catch(() => {});
    };
    return setTimeout(flush, FLUSH_INTERVAL).unref();
  }

  /**
   * Writes all pending usage. If this fails, the usage remains pending.
   *
   * @param onStart function that is called when the usage to write is selected
   * @throws the error of the store
   */
  flush(onStart: () => void = () => {}): Promise<void> {
    return this.#queue.run(async () => {
      const deltas = [...this.#pending.values()];
      this.#pending = new Map();
      onStart();
      try {
        await recordUsage(this.#store, deltas);
      } catch (error) {
        for (const delta of deltas) this.#merge(delta);
        throw error;
      }
    });
  }

  /** Writes the remaining usage. If this fails, a line of the log contains it. */
  async close(): Promise<void> {
    await this.flush().catch(() => {});
    clearTimeout(this.#timer);
    for (const { lastUsed: _time, ...usage } of this.#pending.values())
      this.#log({ service: "chat", event: "usage-lost", ...usage });
  }
}

function latestSum(a: UsageDelta, b: UsageDelta): UsageDelta {
  return a.lastUsed > b.lastUsed ? sumOf(a, b) : sumOf(b, a);
}
