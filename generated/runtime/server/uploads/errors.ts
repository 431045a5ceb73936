/* eslint-disable */
// biome-ignore-all lint: generated

import { ApiError } from "../error.js";

/** Creates the error for an unknown, expired or concurrently removed upload. */
export function uploadNotFound(): ApiError {
  return new ApiError(404, "The upload is unknown or has expired.");
}

/**
 * Checks the declared or received size of an upload.
 *
 * @throws ApiError 413 beyond the limit in bytes.
 */
export function checkUploadSize(size: number | undefined, limit: number): void {
  if (size === undefined || size <= limit) return;
  throw new ApiError(413, `The content is longer than ${limit} bytes.`);
}
