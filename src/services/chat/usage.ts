import { isObject } from "../../diagnostics/json.js";
import type { ChatBody, JsonObject } from "./backend.js";
import { textOf } from "./messages.js";
import { estimateTokens } from "./tokens.js";

/** Tokens of a completion. */
export interface TokenCounts {
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** True if the backend did not report its usage. */
  readonly isEstimated: boolean;
}

/**
 * Counter of the tokens of one completion. If the backend reports no usage, the
 * count is estimated from the lengths of the texts.
 */
export class UsageMeter {
  /** Estimated number of tokens of the messages in the request. */
  readonly promptEstimate: number;
  #reported: TokenCounts | undefined;
  #characters = 0;

  constructor({ messages }: ChatBody) {
    // Only text is counted, because an image uses few tokens compared with its
    // encoded length.
    const length = messages.reduce(
      (sum, message) => sum + textOf(message).length,
      0,
    );
    this.promptEstimate = estimateTokens(length);
  }

  /** Records the usage and text length of a completion or chunk. */
  observe({ usage, choices }: JsonObject): void {
    if (isObject(usage)) this.#reported = reportedBy(usage) ?? this.#reported;
    if (!Array.isArray(choices)) return;
    for (const choice of choices as unknown[])
      this.#characters += lengthOf(choice);
  }

  counts(): TokenCounts {
    return (
      this.#reported ?? {
        promptTokens: this.promptEstimate,
        completionTokens: estimateTokens(this.#characters),
        isEstimated: true,
      }
    );
  }
}

/** Returns the counts in the member `usage`; undefined if they are invalid. */
function reportedBy(usage: JsonObject): TokenCounts | undefined {
  const total = usage["total_tokens"];
  if (!isCount(total)) return undefined;
  const prompt = usage["prompt_tokens"];
  const promptTokens = isCount(prompt) ? Math.min(prompt, total) : 0;
  return {
    promptTokens,
    completionTokens: total - promptTokens,
    isEstimated: false,
  };
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

function lengthOf(choice: unknown): number {
  const { delta, message } = Object(choice) as {
    delta?: unknown;
    message?: unknown;
  };
  const { content } = Object(delta ?? message) as { content?: unknown };
  return typeof content === "string" ? content.length : 0;
}
