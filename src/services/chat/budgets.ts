import { ApiError } from "../../../generated/runtime/server/index.js";
import type { StoreReader } from "../store/store.js";
import type { Key } from "./keys.js";
import { keyTables, type KeyUse } from "./stored-keys.js";
import { dayOf, monthOf } from "./usage-records.js";
import type { UsageRecorder } from "./usage-recorder.js";

/**
 * Milliseconds for which stored totals are used. Usage of other processes is
 * noticed after this time and the interval of their writes.
 */
const MAX_AGE = 1_000;

/** Tokens of a key since the start of the day and month. */
interface Totals {
  readonly day: number;
  readonly month: number;
}

/** Period of a budget, with the time of its end. */
interface Period {
  readonly name: keyof Totals;
  readonly budget: number | undefined;
  readonly reset: number;
}

/**
 * Class that compares the usage of keys with their budgets: stored usage, usage
 * of this process that is not in the last read, and the prompts of requests in
 * flight. Completions in flight can exceed a budget, because their length is not
 * known in advance.
 */
export class BudgetKeeper {
  readonly #store: StoreReader;
  readonly #recorder: UsageRecorder;
  readonly #now: () => number;
  readonly #accounts = new Map<string, Account>();

  /** @param now returns milliseconds since 1970, by the clock of the store */
  constructor(store: StoreReader, recorder: UsageRecorder, now: () => number) {
    this.#store = store;
    this.#recorder = recorder;
    this.#now = now;
  }

  /**
   * Reserves tokens of the budgets of a key. The returned function replaces the
   * reservation by the number of used tokens; it must be called once, after the
   * usage was recorded. Returns undefined for a key without budgets.
   *
   * @throws ApiError 429 if too few tokens remain
   */
  async reserve(
    { id, budgets }: Pick<Key, "id" | "budgets">,
    amount: number,
  ): Promise<((used: number) => void) | undefined> {
    const { tokensPerDay, tokensPerMonth } = budgets;
    if (tokensPerDay === undefined && tokensPerMonth === undefined)
      return undefined;
    const account = await this.#accountOf(id);
    const now = this.#now();
    const { day, month } = resetsAfter(now);
    const used = account.used;
    check({ name: "day", budget: tokensPerDay, reset: day }, used, amount, now);
    check(
      { name: "month", budget: tokensPerMonth, reset: month },
      used,
      amount,
      now,
    );
    return account.reserve(amount);
  }

  async #accountOf(id: string): Promise<Account> {
    const day = dayOf(this.#now());
    let account = this.#accounts.get(id);
    if (account?.day !== day) {
      account = new Account(day, account?.reserved);
      this.#accounts.set(id, account);
    }
    await account.refresh(this.#recorder, () =>
      this.#store.get<KeyUse>(keyTables.uses, id),
    );
    return account;
  }
}

/** Usage of a key in one day and its month. */
class Account {
  readonly day: string;
  /** Prompts of requests in flight, in tokens. */
  readonly reserved: { tokens: number };
  #stored: Totals = { day: 0, month: 0 };
  /** Tokens used in this process that are not contained in the last read. */
  #unread = 0;
  #readAt = -Infinity;
  #reading: Promise<void> | undefined;

  /** @param reserved reservations of the previous day that are in flight */
  constructor(day: string, reserved: { tokens: number } = { tokens: 0 }) {
    this.day = day;
    this.reserved = reserved;
  }

  get used(): Totals {
    const pending = this.#unread + this.reserved.tokens;
    return {
      day: this.#stored.day + pending,
      month: this.#stored.month + pending,
    };
  }

  reserve(amount: number): (used: number) => void {
    this.reserved.tokens += amount;
    return (used) => {
      this.reserved.tokens -= amount;
      this.#unread += used;
    };
  }

  /** Reads the totals if they are too old. Concurrent calls share a read. */
  async refresh(
    recorder: UsageRecorder,
    read: () => Promise<KeyUse | undefined>,
  ): Promise<void> {
    if (performance.now() - this.#readAt < MAX_AGE) return;
    this.#reading ??= this.#read(recorder, read).finally(() => {
      this.#reading = undefined;
    });
    await this.#reading;
  }

  /**
   * Writes the usage of this process before the read, so that the read contains
   * it. Until the read has ended, the tokens count as unread.
   */
  async #read(
    recorder: UsageRecorder,
    read: () => Promise<KeyUse | undefined>,
  ): Promise<void> {
    let written = 0;
    await recorder.flush(() => (written = this.#unread));
    const use = await read();
    this.#stored = totalsOf(use, this.day);
    this.#unread -= written;
    this.#readAt = performance.now();
  }
}

/**
 * Returns the totals of a day and its month. Totals of a later day, which a
 * process with another clock has written, count as those of this day.
 */
function totalsOf(use: KeyUse | undefined, day: string): Totals {
  if (use === undefined) return { day: 0, month: 0 };
  return {
    day: use.day < day ? 0 : use.dayTokens,
    month: use.month < monthOf(day) ? 0 : use.monthTokens,
  };
}

/** Returns the ends of the current day and month in UTC. */
function resetsAfter(now: number): Readonly<Record<keyof Totals, number>> {
  const date = new Date(now);
  const year = date.getUTCFullYear();
  const month = date.getUTCMonth();
  return {
    day: Date.UTC(year, month, date.getUTCDate() + 1),
    month: Date.UTC(year, month + 1),
  };
}

/** @throws ApiError 429 if too few tokens remain */
function check(
  { name, budget, reset }: Period,
  used: Totals,
  amount: number,
  now: number,
): void {
  if (budget === undefined) return;
  const remaining = Math.max(0, budget - used[name]);
  if (amount <= remaining && remaining > 0) return;
  const time = new Date(reset).toISOString().replace(".000", "");
  const message = `The budget of ${budget} tokens per ${name} has ${remaining} tokens left, and the request needs at least ${Math.max(1, amount)}. It resets at ${time}.`;
  throw new ApiError(429, message, {
    reason: "insufficient_quota",
    code: "insufficient_quota",
    headers: {
      "retry-after": String(Math.ceil((reset - now) / 1000)),
      "x-should-retry": "false",
    },
  });
}
