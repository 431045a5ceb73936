import { ApiError } from "../error.js";

/** The failure of a request whose upload another request has removed. */
export function uploadNotFound(): ApiError {
  return new ApiError(404, "The upload is unknown or has expired.");
}

/** Refuses an upload that says itself that it is too large. */
export function checkUploadSize(size: number | undefined, limit: number): void {
  if (size === undefined || size <= limit) return;
  throw new ApiError(413, `The content is longer than ${limit} bytes.`);
}
