/* eslint-disable */
// biome-ignore-all lint: generated

import { isApiError } from "./error.js";

/**
 * Resolves to the result of a conditional call (`if-none-match`,
 * `if-modified-since`), or to `undefined` for status 304 (Not Modified).
 *
 *     const headers = { "if-none-match": etag };
 *     const fresh = await orNotModified(drive.files.get({ fileId }, { headers }));
 *
 * @param call the call, or the promise returned by its `withResponse()` or
 *   `media()`.
 * @throws ApiError for any other failure.
 */
export async function orNotModified<T>(
  call: PromiseLike<T>,
): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (isApiError(error) && error.status === 304) return undefined;
    throw error;
  }
}
