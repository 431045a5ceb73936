/** White space and the following word, each up to 64 characters. */
const TOKEN = /\s{0,64}\S{0,64}/uy;

/** Splits a text into words with their preceding space; concatenated, they are the text. */
export function* tokensOf(text: string): Generator<string> {
  for (let at = 0; at < text.length;) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text)![0];
    at += token.length;
    yield token;
  }
}

/** Counts the tokens of a text without creating them, see {@link tokensOf}. */
export function countTokens(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at = TOKEN.lastIndex, count++) {
    TOKEN.lastIndex = at;
    TOKEN.test(text);
  }
  return count;
}

/** Estimates the tokens of a text from its length: four characters each. */
export function estimateTokens(length: number): number {
  return Math.ceil(length / 4);
}
