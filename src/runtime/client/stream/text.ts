import { piecesOf } from "../web-stream.js";

/** Characters of one event or element at most: 64 Mi. */
const MAX_CHARACTERS = 67_108_864;

/** @throws SyntaxError for a size over the limit. */
export function checkSize(size: number): void {
  if (size > MAX_CHARACTERS)
    throw new SyntaxError(`an event has over ${MAX_CHARACTERS} characters`);
}

/** The body as UTF-8 text, in whatever pieces; characters stay whole. */
export async function* texts(body: Response["body"]): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const piece of piecesOf(body)) {
    const text = decoder.decode(piece, { stream: true });
    if (text) yield text;
  }
  const rest = decoder.decode();
  if (rest) yield rest;
}
