/* eslint-disable */
// biome-ignore-all lint: generated

import { ApiError } from "../error.js";

/**
 * Returns the error for an upload that is unknown or expired, or that another
 * request has removed.
 */
export function uploadNotFound(): ApiError {
  return new ApiError(404, "The upload is unknown or has expired.");
}

/**
 * Checks the declared or received size of an upload.
 *
 * @throws ApiError 413 if the size exceeds the limit in bytes.
 */
export function checkUploadSize(size: number | undefined, limit: number): void {
  if (size === undefined || size <= limit) return;
  throw new ApiError(413, `The content is longer than ${limit} bytes.`);
}
