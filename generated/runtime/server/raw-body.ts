/* eslint-disable */
// biome-ignore-all lint: generated

import type { Media } from "./call.js";
import { OCTET_STREAM, createMedia } from "./bodies/media.js";
import type { ServerOptions } from "./options.js";
import { tooLarge } from "./bodies/read.js";
import type { Incoming } from "./request.js";
import { decodedChunks } from "./bodies/timeouts.js";

/** Default maximum size of a raw body in bytes. */
const LIMIT = 1024 ** 3;

/**
 * Reads a request body of any media type (`google.api.HttpBody`) as a stream.
 * Only servers whose API has methods with such bodies import this module.
 *
 * @throws ApiError 413 if the declared length exceeds the limit.
 */
export function rawBody(request: Incoming, options: ServerOptions): Media {
  const limit = options.limits?.upload ?? LIMIT;
  const length = request.header("content-length");
  const size = length === undefined ? undefined : Number(length);
  if (size !== undefined && size > limit) throw tooLarge(limit);
  const type = request.header("content-type") ?? OCTET_STREAM;
  return createMedia(decodedChunks(request, options), type, size, limit);
}
