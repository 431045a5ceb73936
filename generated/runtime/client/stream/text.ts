/* eslint-disable */
// biome-ignore-all lint: generated

import { chunksOf } from "../web-stream.js";

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
