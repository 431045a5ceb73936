import type { Backend, ChatBody, CompletionJob } from "./backend.js";
import { echoEmbeddings } from "./echo-embeddings.js";
import { localBackend, tokensOfChoice, usageOf, type Choice } from "./local.js";
import { lastUserText, stopsOf, textOf } from "./messages.js";
import { countTokens, tokensOf } from "./tokens.js";

/** Default maximum number of tokens in all choices of a response. */
export const ECHO_TOKENS = 131_072;

/**
 * Returns a test backend that repeats the last user message, and has test
 * embeddings.
 *
 * @param bound maximum number of tokens in all choices
 */
export function echoBackend(bound: number = ECHO_TOKENS): Backend {
  const completions = localBackend((job) => {
    const choices = repeatChoice(job.body, echoChoice(job, bound));
    const completionTokens = choices.reduce(
      (sum, choice) => sum + tokensOfChoice(choice),
      0,
    );
    return {
      choices,
      usage: usageOf(promptTokens(job.body), completionTokens),
      fingerprint: "fp_echo",
    };
  });
  return { ...completions, embed: async (job) => echoEmbeddings(job) };
}

/** Counts the tokens of all messages. */
export function promptTokens({ messages }: ChatBody): number {
  return messages.reduce(
    (sum, message) => sum + countTokens(textOf(message)),
    0,
  );
}

/** Returns a list that contains `n` copies of a choice. */
export function repeatChoice(
  { n }: ChatBody,
  choice: Choice,
): readonly Choice[] {
  return Array.from({ length: n ?? 1 }, () => choice);
}

function echoChoice({ body }: CompletionJob, bound: number): Choice {
  const share = Math.max(1, Math.floor(bound / (body.n ?? 1)));
  return limitText(lastUserText(body), body, share);
}

/**
 * Truncates a string before the first stop sequence or at the token limit,
 * whichever comes first.
 */
export function limitText(
  fullText: string,
  body: ChatBody,
  bound: number,
): Choice {
  const text = beforeStop(fullText, stopsOf(body));
  const { max_completion_tokens: newer, max_tokens: older } = body;
  const limit = Math.min(newer ?? older ?? Infinity, bound);
  let count = 0;
  let end = 0;
  for (const token of tokensOf(text)) {
    if (count++ === limit)
      return { text: text.slice(0, end), finish: "length" };
    end += token.length;
  }
  return { text, finish: "stop" };
}

function beforeStop(text: string, stops: readonly string[]): string {
  const positions = stops
    .filter((stop) => stop !== "")
    .map((stop) => text.indexOf(stop))
    .filter((position) => position !== -1);
  return positions.length === 0 ? text : text.slice(0, Math.min(...positions));
}
