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

/** Counts of a request that the back end has not processed. */
export const NO_TOKENS: TokenCounts = {
  promptTokens: 0,
  completionTokens: 0,
  isEstimated: false,
};

/** Estimates the number of tokens of the messages in a request. */
export function estimatePrompt({ messages }: ChatBody): number {
  // Only text is counted, because an image uses few tokens compared with its
  // encoded length.
  const length = messages.reduce(
    (sum, message) => sum + textOf(message).length,
    0,
  );
  return estimateTokens(length);
}

/**
 * Counter of the tokens of one request. If the backend reports no usage, the
 * count is estimated from the lengths of the texts.
 */
export class UsageMeter {
  readonly #promptEstimate: number;
  #reported: TokenCounts | undefined;
  #characters = 0;

  constructor(promptEstimate: number) {
    this.#promptEstimate = promptEstimate;
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
        promptTokens: this.#promptEstimate,
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

/**
 * Maximum of a count from a back end, the largest value of the format `int32`.
 * Larger counts are not plausible, and their sums would exceed the range of the
 * store.
 */
const MAX_COUNT = 2 ** 31 - 1;

function isCount(value: unknown): value is number {
  return (
    Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_COUNT
  );
}

/**
 * Returns the number of generated characters in a choice: those of its text,
 * reasoning, refusal, and tool calls.
 */
function lengthOf(choice: unknown): number {
  const { delta, message } = Object(choice) as {
    delta?: unknown;
    message?: unknown;
  };
  const {
    content,
    reasoning_content: reasoning,
    refusal,
    tool_calls: calls,
  } = Object(delta ?? message) as Record<string, unknown>;
  const toolCalls = Array.isArray(calls) ? (calls as unknown[]) : [];
  const texts = [
    content,
    reasoning,
    refusal,
    ...toolCalls.flatMap((call) => {
      const { function: called } = Object(call) as { function?: unknown };
      const { name, arguments: text } = Object(called) as JsonObject;
      return [name, text];
    }),
  ];
  return texts.reduce<number>(
    (sum, text) => sum + (typeof text === "string" ? text.length : 0),
    0,
  );
}
