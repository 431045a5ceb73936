/* eslint-disable */
// biome-ignore-all lint: generated

import { checkSize } from "./text.js";

/**
 * Yields each element of a JSON array as a string as soon as the element is
 * complete. Any other JSON text is yielded as a single element.
 *
 * @throws SyntaxError for an incomplete array.
 */
export async function* elements(
  chunks: AsyncIterable<string>,
): AsyncGenerator<string> {
  const state = { depth: 0, quoted: false, escaped: false, array: false };
  let element: string[] = [];
  let size = 0;
  let started = false;
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const char = chunk[at]!;
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
      element.push(chunk.slice(from, at));
      from = at + 1;
      const text = element.join("");
      if (/\S/.test(text)) yield text;
      element = [];
      size = 0;
    }
    element.push(chunk.slice(from));
    size += chunk.length - from;
    checkSize(size);
  }
  if (state.array && state.depth)
    throw new SyntaxError("the JSON array is incomplete");
  const text = element.join("");
  if (/\S/.test(text)) yield text;
}

/**
 * Updates the state of the parser for the next character. Returns true if the
 * character ends an element.
 */
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
