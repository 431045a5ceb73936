/**
 * Redirect statuses with a `Location` header (RFC 9110 §15.4). 304 is not
 * included: it has no `Location`.
 */
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Returns true if a success status (`x-status`) is a redirect. */
export function isRedirectStatus(status: number | undefined): boolean {
  return status !== undefined && REDIRECTS.has(status);
}
