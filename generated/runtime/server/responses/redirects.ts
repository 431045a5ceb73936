/* eslint-disable */
// biome-ignore-all lint: generated

/**
 * Redirect statuses with a `Location` header (RFC 9110 §15.4). Does not include
 * 304, which has no `Location`.
 */
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Returns true if the status in the API description (`x-status`) is a redirect.
 */
export function isRedirectStatus(status: number | undefined): boolean {
  return status !== undefined && REDIRECTS.has(status);
}
