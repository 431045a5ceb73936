import type { Backend, ChatBody, Job } from "./backend.js";
import { localBackend, tokensOfTurn, usageOf, type Turn } from "./local.js";
import { lastUserText, stopsOf, textOf } from "./messages.js";
import { countTokens, tokensOf } from "./tokens.js";

/** Tokens of all choices of an answer together, where the config has no other number. */
export const ECHO_TOKENS = 131_072;

/**
 * Says what the user said last, the same for the same request: for tests.
 *
 * @param bound tokens of all choices together.
 */
export function echoBackend(bound: number = ECHO_TOKENS): Backend {
  return localBackend((job) => {
    const choices = choicesOf(job.body, echoed(job, bound));
    const made = choices.reduce((sum, turn) => sum + tokensOfTurn(turn), 0);
    return {
      choices,
      usage: usageOf(promptTokens(job.body), made),
      fingerprint: "fp_echo",
    };
  });
}

/** Tokens of all messages. */
export function promptTokens({ messages }: ChatBody): number {
  return messages.reduce((sum, one) => sum + countTokens(textOf(one)), 0);
}

/** As many choices as `n` asks for, all alike. */
export function choicesOf({ n }: ChatBody, turn: Turn): readonly Turn[] {
  return Array.from({ length: n ?? 1 }, () => turn);
}

function echoed({ body }: Job, bound: number): Turn {
  const share = Math.max(1, Math.floor(bound / (body.n ?? 1)));
  return cut(lastUserText(body), body, share);
}

/** A text up to the first stop sequence and the token limit. */
export function cut(whole: string, body: ChatBody, bound: number): Turn {
  const text = beforeStop(whole, stopsOf(body));
  const { max_completion_tokens: newer, max_tokens: older } = body;
  const limit = Math.min(newer ?? older ?? Infinity, bound);
  let kept = 0;
  let end = 0;
  for (const token of tokensOf(text)) {
    if (kept++ === limit) return { text: text.slice(0, end), finish: "length" };
    end += token.length;
  }
  return { text, finish: "stop" };
}

function beforeStop(text: string, stops: readonly string[]): string {
  const places = stops
    .filter((stop) => stop !== "")
    .map((stop) => text.indexOf(stop))
    .filter((place) => place !== -1);
  return places.length === 0 ? text : text.slice(0, Math.min(...places));
}
