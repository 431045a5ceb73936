import { ApiError, type ErrorFacts } from "./error.js";

/** A limit of bytes, and the error for more. */
export interface SizeLimit {
  readonly limit: number;
  error(): ApiError;
}

/**
 * The response, or if it is compressed one that breaks off beyond a number of
 * bytes: a small response can unpack to more than there is memory.
 */
export function limitSize(
  response: Response,
  limit: number,
  facts: ErrorFacts,
): Response {
  // Asked first: a look at `body` makes a web stream, which costs as much as the call.
  if (!response.headers.has("content-encoding")) return response;
  const error = () =>
    new ApiError(`the answer has over ${limit} bytes`, {
      ...facts,
      kind: "decode",
    });
  const { bound } = response as { bound?(bound: SizeLimit): void };
  if (bound) {
    bound.call(response, { limit, error });
    return response;
  }
  const { body } = response;
  if (!body) return response;
  let size = 0;
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform(piece, controller) {
      size += piece.length;
      if (size <= limit) controller.enqueue(piece);
      else controller.error(error());
    },
  });
  return new Response(body.pipeThrough(count as never), response);
}
