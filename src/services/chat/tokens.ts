/** White space and what stands behind it, neither of them longer than 64 characters. */
const TOKEN = /\s{0,64}\S{0,64}/uy;

/** Cuts a text into words with the space before them; joined they are the text again. */
export function* tokensOf(text: string): Generator<string> {
  for (let at = 0; at < text.length;) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text)![0];
    at += token.length;
    yield token;
  }
}

/** Number of tokens of a text, as {@link tokensOf} cuts it. */
export function countTokens(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at = TOKEN.lastIndex, count++) {
    TOKEN.lastIndex = at;
    TOKEN.test(text);
  }
  return count;
}

/** A guess at the tokens of a text that is not looked at: four characters each. */
export function guessTokens(length: number): number {
  return Math.ceil(length / 4);
}
