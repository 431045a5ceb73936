/* eslint-disable */
// biome-ignore-all lint: generated

/**
 * Cancels the body of a response. Errors are ignored, because canceling fails
 * if the connection has already failed.
 */
export async function discardBody({ body }: Response): Promise<void> {
  await body?.cancel().catch(() => {});
}
