/* eslint-disable */
// biome-ignore-all lint: generated

import { ApiError, standardError } from "../error.js";

/** Returns a 413 error for a body that exceeds its maximum size. */
export function tooLarge(limit: number): ApiError {
  return new ApiError(413, `The body is longer than ${limit} bytes.`, {
    headers: { connection: "close" },
  });
}

/**
 * Decodes a body as UTF-8.
 *
 * @throws ApiError 400 for invalid UTF-8.
 */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw unreadable("The body is not UTF-8.", error);
  }
}

/**
 * Parses JSON.
 *
 * @throws ApiError 400 for invalid JSON, or if the nesting depth exceeds the
 *   limit.
 */
export function parseJson(text: string, depth: number): unknown {
  if (mayExceedDepth(text, depth) && depthOf(text, depth) > depth)
    throw unreadable(`Values are nested deeper than ${depth} levels.`);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw unreadable("The body is not valid JSON.", error);
  }
}

function unreadable(message: string, cause?: unknown): ApiError {
  const reason = "parseError";
  return standardError(400, message, {
    reason,
    problems: [{ message, reason, locationType: "body" }],
    cause,
  });
}

/**
 * Returns true if a string contains more opening brackets than the nesting
 * limit. For most strings, this fast test makes the exact test unnecessary.
 */
function mayExceedDepth(text: string, limit: number): boolean {
  if (text.length <= 2 * limit) return false;
  let count = 0;
  for (const bracket of ["{", "["]) {
    let at = text.indexOf(bracket);
    while (at !== -1 && count <= limit) {
      count++;
      at = text.indexOf(bracket, at + 1);
    }
  }
  return count > limit;
}

/**
 * Returns the nesting depth of a JSON text. Stops counting when the depth
 * exceeds the limit.
 */
function depthOf(text: string, limit: number): number {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < text.length && deepest <= limit; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 34) at = endOfString(text, at);
    else if (unit === 91 || unit === 123) deepest = Math.max(deepest, ++depth);
    else if (unit === 93 || unit === 125) depth--;
  }
  return deepest;
}

/** Returns the index of the closing quote of a JSON string. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, at: number): boolean {
  let count = 0;
  while (text.charCodeAt(at - 1 - count) === 92) count++;
  return count % 2 === 1;
}

/**
 * Returns the size in bytes of a string encoded as UTF-8. Uses `Buffer` if
 * available, because `Buffer` can count the bytes without encoding the string.
 */
export const byteLength: (text: string) => number =
  (
    globalThis as {
      readonly Buffer?: { byteLength(text: string): number };
    }
  ).Buffer?.byteLength ?? ((text) => new TextEncoder().encode(text).length);

/**
 * Returns the media type of a Content-Type header in lower case, without its
 * parameters.
 */
export function mediaType(header: string | undefined): string {
  if (header === undefined) return "";
  const end = header.indexOf(";");
  return (end === -1 ? header : header.slice(0, end)).trim().toLowerCase();
}

/**
 * Reads all chunks of a body into memory.
 *
 * @throws ApiError 413 if the body exceeds the limit in bytes.
 */
export async function readAll(
  chunks: AsyncIterable<Uint8Array>,
  limit: number,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > limit) throw tooLarge(limit);
    parts.push(chunk);
  }
  return concatBytes(parts, size);
}

/** Concatenates chunks. A single chunk is returned without being copied. */
export function concatBytes(
  parts: readonly Uint8Array[],
  size: number,
): Uint8Array {
  if (parts.length === 1) return parts[0]!;
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
