import type { Outgoing } from "../../../generated/runtime/server/index.js";
import type { EncodedBody, Representation } from "./representation.js";

/** Request header that determines the content coding of the response. */
export const VARY = "accept-encoding";

/**
 * Adds headers to an API response: CORS headers for all origins and, for status
 * 200, headers that allow caching for five minutes.
 */
export function withApiHeaders(response: Outgoing): Outgoing {
  const { status, headers } = response;
  return {
    ...response,
    headers: {
      ...(status === 200 ? { "cache-control": "public, max-age=300" } : {}),
      ...headers,
      "access-control-allow-origin": "*",
      "access-control-expose-headers": "etag",
      "x-content-type-options": "nosniff",
    },
  };
}

/** Returns a response with status 200 and the given encoded body. */
export function fullResponse(
  entry: Representation,
  { body, etag, coding }: EncodedBody,
): Outgoing {
  const headers: Record<string, string> = {
    ...entry.headers,
    "content-type": entry.contentType,
    etag,
    vary: VARY,
  };
  if (coding !== "identity") headers["content-encoding"] = coding;
  return { status: 200, headers, body };
}
