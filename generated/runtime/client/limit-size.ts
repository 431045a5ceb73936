/* eslint-disable */
// biome-ignore-all lint: generated

import { ApiError, type ErrorContext } from "./error.js";

/**
 * Maximum size of a body in bytes, and a function that creates the error for a
 * larger body.
 */
export interface SizeLimit {
  readonly limit: number;
  error(): ApiError;
}

/**
 * Limits the size in bytes of a compressed response after decompression,
 * because a small body can decompress to more than the available memory.
 * Uncompressed responses are returned unchanged.
 */
export function limitSize(
  response: Response,
  limit: number,
  context: ErrorContext,
): Response {
  // The `content-encoding` header is checked first, because reading
  // `response.body` creates a web stream, which takes as long as the call
  // itself.
  if (!response.headers.has("content-encoding")) return response;
  const error = () =>
    new ApiError(`the response must not exceed ${limit} bytes`, {
      ...context,
      kind: "decode",
    });
  const nodeResponse = response as { limitSize?(limit: SizeLimit): void };
  if (nodeResponse.limitSize) {
    nodeResponse.limitSize({ limit, error });
    return response;
  }
  const { body } = response;
  if (!body) return response;
  let size = 0;
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      size += chunk.length;
      if (size > limit) throw error();
      controller.enqueue(chunk);
    },
  });
  return new Response(body.pipeThrough(count as never), response);
}
