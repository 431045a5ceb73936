/** Pattern for white space followed by a word, each of at most 64 characters. */
const TOKEN = /\s{0,64}\S{0,64}/uy;

/**
 * Splits a string into tokens: words, each with the white space before it.
 * Joining the tokens results in the original string.
 */
export function* tokensOf(text: string): Generator<string> {
  for (let at = 0; at < text.length;) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text)![0];
    at += token.length;
    yield token;
  }
}

/** Counts the tokens that {@link tokensOf} returns, without creating them. */
export function countTokens(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at = TOKEN.lastIndex, count++) {
    TOKEN.lastIndex = at;
    TOKEN.test(text);
  }
  return count;
}

/**
 * Estimates the number of tokens in a string: one for every four characters.
 */
export function estimateTokens(length: number): number {
  return Math.ceil(length / 4);
}
