import type { BudgetKeeper } from "./budgets.js";
import type { RequestLimiter } from "./key-buckets.js";
import type { Key } from "./keys.js";
import type { TokenCounts } from "./usage.js";
import type { UsageRecorder } from "./usage-recorder.js";

/** Function that records the usage of a request. It must be called once. */
export type Settle = (counts: TokenCounts) => void;

/** Class that applies token limits and budgets, and records usage. */
export class Accounting {
  readonly #budgets: BudgetKeeper;
  readonly #recorder: UsageRecorder;

  constructor(budgets: BudgetKeeper, recorder: UsageRecorder) {
    this.#budgets = budgets;
    this.#recorder = recorder;
  }

  /**
   * Reserves the estimated tokens of a request before it is sent to the back
   * end. The returned function replaces the estimate by the actual usage.
   *
   * @throws ApiError 429 if the token limit or a budget is reached
   */
  async admit(
    key: Key,
    model: string,
    limiter: RequestLimiter | undefined,
    estimate: number,
  ): Promise<Settle> {
    const settleBudget = await this.#budgets.reserve(key, estimate);
    try {
      await limiter?.takeTokens(estimate);
    } catch (error) {
      settleBudget?.(0);
      throw error;
    }
    return (counts) => {
      const used = counts.promptTokens + counts.completionTokens;
      this.#recorder.add(key, model, counts);
      settleBudget?.(used);
      limiter?.settleTokens(estimate, used);
    };
  }
}
