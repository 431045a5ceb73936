/* eslint-disable */
// biome-ignore-all lint: generated

import { ApiError, type ErrorFacts } from "./error.js";

/**
 * The answer, or if it is compressed one that breaks off beyond a number of
 * bytes: a small answer can unpack to more than there is memory.
 */
export function limited(
  response: Response,
  limit: number,
  facts: ErrorFacts,
): Response {
  const { body, headers } = response;
  if (!headers.has("content-encoding") || !body) return response;
  let size = 0;
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      size += piece.length;
      if (size <= limit) return controller.enqueue(piece);
      const message = `the answer has over ${limit} bytes`;
      controller.error(new ApiError(message, { ...facts, kind: "decode" }));
    },
  });
  return new Response(body.pipeThrough(count as never), response);
}
