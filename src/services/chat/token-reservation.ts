import type { ChatBody, JsonObject } from "./backend.js";
import type { KeyBuckets } from "./key-buckets.js";
import { isObject } from "../../diagnostics/json.js";
import { textOf } from "./messages.js";
import { estimateTokens } from "./tokens.js";

/**
 * Token reservation of one completion. The estimated number of tokens is
 * removed from the token bucket before the completion starts. At the end, the
 * bucket is corrected according to the usage that the backend reports, or to a
 * second estimate if the backend reports no usage.
 */
export class TokenReservation {
  readonly #buckets: KeyBuckets;
  readonly #estimate: number;
  #reported: number | undefined;
  #characters = 0;

  /** @throws ApiError 429 if too few tokens are available */
  constructor(buckets: KeyBuckets, { messages }: ChatBody) {
    this.#buckets = buckets;
    // Only text is counted, because an image uses few tokens compared with its
    // encoded length.
    const length = messages.reduce(
      (sum, message) => sum + textOf(message).length,
      0,
    );
    this.#estimate = estimateTokens(length);
    buckets.takeTokens(this.#estimate);
  }

  /** Records the usage and text length of a completion or chunk. */
  observe({ usage, choices }: JsonObject): void {
    if (isObject(usage) && typeof usage["total_tokens"] === "number")
      this.#reported = usage["total_tokens"];
    if (!Array.isArray(choices)) return;
    for (const choice of choices as unknown[])
      this.#characters += lengthOf(choice);
  }

  /** Corrects the reservation to the actual usage. */
  settle(): void {
    const used =
      this.#reported ?? this.#estimate + estimateTokens(this.#characters);
    if (Number.isFinite(used))
      this.#buckets.settleTokens(used - this.#estimate);
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
