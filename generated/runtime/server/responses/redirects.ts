/* eslint-disable */
// biome-ignore-all lint: generated

/**
 * Status codes of redirects with a `Location` header (RFC 9110 §15.4). 304 is
 * not included, because a 304 response has no `Location`.
 */
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Returns true if the success status in the API description (`x-status`) is a
 * redirect.
 */
export function isRedirectStatus(status: number | undefined): boolean {
  return status !== undefined && REDIRECTS.has(status);
}
