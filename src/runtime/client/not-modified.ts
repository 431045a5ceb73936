import { isApiError } from "./error.js";

/**
 * The value of a conditional call (`if-none-match`, `if-modified-since`), or
 * `undefined` where the server answers that the caller has it already (304).
 *
 *     const headers = { "if-none-match": etag };
 *     const fresh = await orNotModified(drive.files.get({ fileId }, { headers }));
 *
 * @param call a call, its `withResponse()` or its `media()`.
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
