/* eslint-disable */
// biome-ignore-all lint: generated

import { mediaType, tooLarge } from "../bodies/read.js";

/**
 * Returns the text of a body that a framework has read. A parsed value is
 * serialized again.
 *
 * @throws ApiError 413 if the text exceeds the limit in bytes.
 */
export async function textOfParsedBody(
  body: unknown,
  contentType: string | undefined,
  limit: number,
): Promise<string> {
  const text = serialize(body, contentType);
  if (bytesOf(text).length > limit) throw tooLarge(limit);
  return typeof text === "string" ? text : new TextDecoder().decode(text);
}

/** Returns the bytes of a body that a framework has read. */
export function bytesOfParsedBody(
  body: unknown,
  contentType: string | undefined,
): Uint8Array {
  return bytesOf(serialize(body, contentType));
}

function bytesOf(text: string | Uint8Array): Uint8Array {
  return typeof text === "string" ? new TextEncoder().encode(text) : text;
}

function serialize(
  body: unknown,
  contentType: string | undefined,
): string | Uint8Array {
  const type = mediaType(contentType);
  if (body instanceof Uint8Array || typeof body === "string") return body;
  return type === "application/x-www-form-urlencoded"
    ? formOf(body)
    : JSON.stringify(body);
}

function formOf(body: unknown): string {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(Object(body)))
    for (const one of Array.isArray(value) ? value : [value])
      form.append(
        name,
        typeof one === "object" ? JSON.stringify(one) : String(one),
      );
  return form.toString();
}
