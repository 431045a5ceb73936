import { checkSize } from "./text.js";

/**
 * The elements of a JSON array as texts, as soon as each is complete. A text
 * that is no array counts as its one element.
 *
 * @throws SyntaxError for an array that breaks off.
 */
export async function* elements(
  pieces: AsyncIterable<string>,
): AsyncGenerator<string> {
  const state = { depth: 0, quoted: false, escaped: false, array: false };
  let element: string[] = [];
  let size = 0;
  let started = false;
  for await (const piece of pieces) {
    let from = 0;
    for (let at = 0; at < piece.length; at++) {
      const char = piece[at]!;
      if (!started && !/[\s\uFEFF]/.test(char)) {
        started = true;
        state.array = char === "[";
        if (state.array) {
          state.depth = 1;
          from = at + 1;
          continue;
        }
      }
      if (!started || !endsElement(state, char)) continue;
      element.push(piece.slice(from, at));
      from = at + 1;
      const text = element.join("");
      if (/\S/.test(text)) yield text;
      element = [];
      size = 0;
    }
    element.push(piece.slice(from));
    size += piece.length - from;
    checkSize(size);
  }
  if (state.array && state.depth) throw new SyntaxError("the array breaks off");
  const text = element.join("");
  if (/\S/.test(text)) yield text;
}

/** Takes a character; whether it ends an element of the array. */
function endsElement(
  state: {
    depth: number;
    quoted: boolean;
    escaped: boolean;
    readonly array: boolean;
  },
  char: string,
): boolean {
  if (state.quoted) {
    if (state.escaped) state.escaped = false;
    else if (char === "\\") state.escaped = true;
    else if (char === '"') state.quoted = false;
    return false;
  }
  if (char === '"') state.quoted = true;
  else if (char === "[" || char === "{") state.depth++;
  else if (char === "]" || char === "}")
    return --state.depth === 0 && state.array;
  return char === "," && state.depth === 1 && state.array;
}
