import type { EmbeddingBody } from "./backend.js";
import { badMember } from "./messages.js";
import { estimateTokens } from "./tokens.js";

/** Text to embed: a string, or the ids of its tokens. */
export type EmbeddingText = string | readonly number[];

/** Maximum number of texts in a request. */
const MAX_TEXTS = 2048;

/** Returns the texts of a request. */
export function textsOf({ input }: EmbeddingBody): readonly EmbeddingText[] {
  const value = input as unknown;
  if (typeof value === "string") return [value];
  const list = value as readonly unknown[];
  return typeof list[0] === "number"
    ? [list as readonly number[]]
    : (list as readonly EmbeddingText[]);
}

/** @throws ApiError 400 for no, too many or empty texts, and for ids among texts */
export function checkTexts(body: EmbeddingBody): readonly EmbeddingText[] {
  const texts = textsOf(body);
  if (!texts.every(isText))
    throw badMember("input", "must contain either texts or ids of tokens");
  if (texts.length === 0)
    throw badMember("input", "must contain at least one text");
  if (texts.length > MAX_TEXTS)
    throw badMember("input", `must contain at most ${MAX_TEXTS} texts`);
  if (texts.some((text) => text.length === 0))
    throw badMember("input", "must not contain empty texts");
  return texts;
}

function isText(value: unknown): boolean {
  return (
    typeof value === "string" ||
    (Array.isArray(value) && value.every((id) => typeof id === "number"))
  );
}

/** Estimates the tokens of texts; the number of token ids is exact. */
export function estimateTexts(texts: readonly EmbeddingText[]): number {
  return texts.reduce(
    (sum, text) =>
      sum +
      (typeof text === "string" ? estimateTokens(text.length) : text.length),
    0,
  );
}
