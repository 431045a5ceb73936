/* eslint-disable */
// biome-ignore-all lint: generated

/**
 * Statuses whose response says in `Location` where the client goes on
 * (RFC 9110, 15.4). 304 is none: it has no `Location` to follow.
 */
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Whether a success of the status (`x-status`) is a redirect. */
export function isRedirectStatus(status: number | undefined): boolean {
  return status !== undefined && REDIRECTS.has(status);
}
