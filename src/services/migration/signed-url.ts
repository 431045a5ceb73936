import { createHmac, timingSafeEqual } from "node:crypto";

/** Path prefix of the download URLs of archives. */
export const ARCHIVES = "/archives/";

/** Parsed download URL of an archive. */
export interface SignedTarget {
  readonly id: number;
  /** Expiry time of the URL in seconds since 1970. */
  readonly expires: number;
  readonly signature: string;
}

const TARGET =
  /^\/archives\/([1-9]\d{0,14})\.tar\.gz\?expires=([1-9]\d{0,11})&signature=([\w-]{43})$/;

/**
 * Returns a signed path and query. Anyone can download the archive with this
 * URL until the signature expires.
 */
export function signTarget(
  secret: string,
  archive: { readonly id: number; readonly guid: string },
  expires: number,
): string {
  const signature = sign(secret, archive.guid, archive.id, expires);
  return `${ARCHIVES}${archive.id}.tar.gz?expires=${expires}&signature=${signature}`;
}

/**
 * Parses a signed path and query. Returns undefined if the format is invalid.
 */
export function readTarget(target: string): SignedTarget | undefined {
  const match = TARGET.exec(target);
  if (match === null) return undefined;
  const [, id, expires, signature] = match;
  return { id: Number(id), expires: Number(expires), signature: signature! };
}

/** Verifies a signature in constant time. */
export function isSigned(
  secret: string,
  guid: string,
  { id, expires, signature }: SignedTarget,
): boolean {
  const expected = Buffer.from(sign(secret, guid, id, expires));
  const actual = Buffer.from(signature);
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

function sign(
  secret: string,
  guid: string,
  id: number,
  expires: number,
): string {
  return createHmac("sha256", secret)
    .update(`${guid}/${id}/${expires}`)
    .digest("base64url");
}
