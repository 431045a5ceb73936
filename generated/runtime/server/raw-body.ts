/* eslint-disable */
// biome-ignore-all lint: generated

import type { Media } from "./call.js";
import { OCTET_STREAM, createMedia } from "./bodies/media.js";
import type { ServerOptions } from "./options.js";
import { tooLarge } from "./bodies/read.js";
import type { Incoming } from "./request.js";
import { decodedChunks } from "./bodies/timeouts.js";

/** Bytes of a body of any type where the options have no bound. */
const LIMIT = 1024 ** 3;

/**
 * The body of a request that is content of any type (`google.api.HttpBody`),
 * as it arrives. Imported by servers whose API has methods that take one.
 *
 * @throws ApiError 413 for a body that says itself that it is too large.
 */
export function rawBody(request: Incoming, options: ServerOptions): Media {
  const limit = options.limits?.upload ?? LIMIT;
  const length = request.header("content-length");
  const size = length === undefined ? undefined : Number(length);
  if (size !== undefined && size > limit) throw tooLarge(limit);
  const type = request.header("content-type") ?? OCTET_STREAM;
  return createMedia(decodedChunks(request, options), type, size, limit);
}
