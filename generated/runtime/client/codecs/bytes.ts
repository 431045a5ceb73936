/* eslint-disable */
// biome-ignore-all lint: generated

import type { Codec } from "./codec.js";

/**
 * Converts between base64 text (format `byte`) and bytes. Decodes the standard
 * and the URL-safe alphabet, with or without padding; encodes the standard
 * alphabet with padding.
 *
 * @throws SyntaxError for text that is not base64.
 */
export const bytes: Codec<string, Uint8Array<ArrayBuffer>> = {
  decode: decodeBase64,
  encode: encodeBase64,
};

/**
 * Converts between base64 text (format `byte`) and bytes, for parameters in
 * paths and queries. Like {@link bytes}, but encodes with the URL-safe alphabet
 * (`-`, `_`) and without padding.
 *
 * @throws SyntaxError for text that is not base64.
 */
export const urlBytes: Codec<string, Uint8Array<ArrayBuffer>> = {
  decode: decodeBase64,
  encode: (value) =>
    encodeBase64(value)
      .replaceAll("+", "-")
      .replaceAll("/", "_")
      .replace(/==?$/, ""),
};

function decodeBase64(wire: string): Uint8Array<ArrayBuffer> {
  const text = wire.replaceAll("-", "+").replaceAll("_", "/");
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text))
    throw new SyntaxError("base64 text has an invalid character");
  try {
    const binary = atob(text);
    return Uint8Array.from(binary, (char) => char.charCodeAt(0));
  } catch (cause) {
    throw new SyntaxError("base64 text has an invalid length", { cause });
  }
}

function encodeBase64(value: Uint8Array): string {
  let binary = "";
  // The bytes are encoded in chunks, because JavaScript engines limit the
  // number of arguments of a call.
  for (let at = 0; at < value.length; at += 8192)
    binary += String.fromCharCode(...value.subarray(at, at + 8192));
  return btoa(binary);
}
