/* eslint-disable */
// biome-ignore-all lint: generated

import type { UploadRules } from "../contract.js";
import type { Media } from "../call.js";
import { ApiError } from "../error.js";
import { readAll, tooLarge } from "./read.js";

/** Default media type of content. */
export const OCTET_STREAM = "application/octet-stream";

/**
 * Creates a `Media` object for a stream. Reading fails if the content exceeds
 * the maximum size.
 */
export function createMedia(
  chunks: AsyncIterable<Uint8Array>,
  contentType: string,
  size: number | undefined,
  limit: number,
): Media {
  const bounded = () => limitSize(chunks, limit);
  return {
    contentType,
    size,
    chunks: bounded,
    bytes: () => readAll(bounded(), limit),
  };
}

async function* limitSize(
  chunks: AsyncIterable<Uint8Array>,
  limit: number,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > limit) throw tooLarge(limit);
    yield chunk;
  }
}

/**
 * Checks the media type of an upload.
 *
 * @throws ApiError 400 if the method does not accept the media type.
 */
export function checkMediaType(
  { accept }: UploadRules,
  contentType: string,
): void {
  if (accept === undefined) return;
  const type = contentType.split(";", 1)[0]!.trim().toLowerCase();
  const isAccepted = accept.some((range) => {
    const wanted = range.toLowerCase();
    return wanted.endsWith("/*")
      ? type.startsWith(wanted.slice(0, -1))
      : type === wanted;
  });
  if (isAccepted) return;
  const message = `Media type ${JSON.stringify(type.slice(0, 100))} is not supported. Valid media types: ${accept.join(", ")}.`;
  throw new ApiError(400, message, { reason: "badContent" });
}

/** Decodes base64 content, which some clients send in multipart uploads. */
export async function* fromBase64(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder("latin1");
  let text = "";
  for await (const chunk of chunks) {
    text += decoder.decode(chunk).replace(/\s+/g, "");
    const length = text.length - (text.length % 4);
    if (length > 0) yield bytesOf(text.slice(0, length));
    text = text.slice(length);
  }
  if (text !== "") yield bytesOf(text);
}

function bytesOf(text: string): Uint8Array {
  try {
    return Uint8Array.from(atob(text), (unit) => unit.charCodeAt(0));
  } catch (cause) {
    throw new ApiError(400, "The content is not valid base64.", { cause });
  }
}
