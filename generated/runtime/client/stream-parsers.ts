/* eslint-disable */
// biome-ignore-all lint: generated

import { chunksOf } from "./web-stream.js";

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

/**
 * Yields the data of server-sent events. Parses them as in the HTML standard:
 * lines end with LF, CR or CRLF, even across chunks; comments, fields other
 * than `data` and events without data are skipped. In contrast to the standard,
 * also yields a last event that is not followed by an empty line, because many
 * servers omit this line.
 *
 * @param end data of the event that ends the stream.
 * @throws TypeError for a stream without this event.
 */
export async function* eventData(
  chunks: AsyncIterable<string>,
  end?: string,
): AsyncGenerator<string> {
  let data: string[] = [];
  let size = 0;
  for await (const line of lines(chunks)) {
    if (line) {
      if (!/^data(:|$)/.test(line)) continue;
      size += line.length;
      checkSize(size);
      // According to the standard, a single space after the colon is not part
      // of the data.
      data.push(line.slice(line[5] === " " ? 6 : 5));
      continue;
    }
    const text = data.join("\n");
    data = [];
    size = 0;
    if (end !== undefined && text === end) return;
    if (text) yield text;
  }
  const text = data.join("\n");
  if (end !== undefined && text === end) return;
  if (text) yield text;
  if (end !== undefined) throw new TypeError("the stream is incomplete");
}

/**
 * Splits text into lines in linear time: the parts of a line are joined only
 * when its end is received.
 */
async function* lines(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let line: string[] = [];
  let size = 0;
  let isFirst = true;
  let afterReturn = false;
  for await (let chunk of chunks) {
    if (isFirst) chunk = chunk.replace(/^\uFEFF/, "");
    isFirst = false;
    // A CR at the end of the previous chunk can be the first half of a CRLF.
    if (afterReturn) chunk = chunk.replace(/^\n/, "");
    afterReturn = chunk.endsWith("\r");
    const parts = chunk.split(/\r\n|\n|\r/);
    const rest = parts.pop()!;
    for (const part of parts) {
      yield line.length ? [...line, part].join("") : part;
      line = [];
      size = 0;
    }
    if (!rest) continue;
    line.push(rest);
    size += rest.length;
    checkSize(size);
  }
  if (line.length) yield line.join("");
}

/** Maximum number of characters of an event or array element: 64 Mi. */
const MAX_CHARACTERS = 67_108_864;

/** @throws SyntaxError if the size exceeds the limit. */
export function checkSize(size: number): void {
  if (size > MAX_CHARACTERS)
    throw new SyntaxError(
      `an event or element must not exceed ${MAX_CHARACTERS} characters`,
    );
}

/**
 * Decodes a body as UTF-8 text in chunks. Characters are never split between
 * two chunks.
 */
export async function* texts(body: Response["body"]): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const chunk of chunksOf(body)) {
    const text = decoder.decode(chunk, { stream: true });
    if (text) yield text;
  }
  const rest = decoder.decode();
  if (rest) yield rest;
}
