import type { ChatBody, JsonObject } from "./backend.js";
import type { KeyBuckets } from "./limits.js";
import { isObject } from "../../diagnostics/json.js";
import { textOf } from "./messages.js";
import { guessTokens } from "./tokens.js";

/**
 * Tokens of one completion: a guess is taken before it starts, and made good by
 * what the back end counted, or by another guess where it did not count.
 */
export class Spending {
  readonly #buckets: KeyBuckets;
  readonly #guess: number;
  #counted: number | undefined;
  #characters = 0;

  /** @throws ApiError 429 */
  constructor(buckets: KeyBuckets, { messages }: ChatBody) {
    this.#buckets = buckets;
    // Of texts alone: an image has few tokens for its length.
    const length = messages.reduce((sum, one) => sum + textOf(one).length, 0);
    this.#guess = guessTokens(length);
    buckets.takeTokens(this.#guess);
  }

  /** Looks at a completion or a chunk of one. */
  see({ usage, choices }: JsonObject): void {
    if (isObject(usage) && typeof usage["total_tokens"] === "number")
      this.#counted = usage["total_tokens"];
    if (!Array.isArray(choices)) return;
    for (const choice of choices as unknown[])
      this.#characters += lengthOf(choice);
  }

  /** Books what was used. */
  settle(): void {
    const used = this.#counted ?? this.#guess + guessTokens(this.#characters);
    if (Number.isFinite(used)) this.#buckets.settleTokens(used - this.#guess);
  }
}

function lengthOf(choice: unknown): number {
  const { delta, message } = Object(choice) as {
    delta?: unknown;
    message?: unknown;
  };
  const { content } = Object(delta ?? message) as { content?: unknown };
  return typeof content === "string" ? content.length : 0;
}
