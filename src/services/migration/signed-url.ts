import { createHmac, timingSafeEqual } from "node:crypto";

/** Where archives are fetched. */
export const ARCHIVES = "/archives/";

/** What a good URL of an archive says. */
export interface Ticket {
  readonly id: number;
  /** Seconds since 1970. */
  readonly expires: number;
  readonly signature: string;
}

const TARGET =
  /^\/archives\/([1-9]\d{0,14})\.tar\.gz\?expires=([1-9]\d{0,11})&signature=([\w-]{43})$/;

/** Path and query under which an archive can be fetched, by anybody, until it expires. */
export function signTarget(
  secret: string,
  archive: { readonly id: number; readonly guid: string },
  expires: number,
): string {
  const signature = sign(secret, archive.guid, archive.id, expires);
  return `${ARCHIVES}${archive.id}.tar.gz?expires=${expires}&signature=${signature}`;
}

/** Reads a path and query; undefined for any other form than the one that is made. */
export function readTarget(target: string): Ticket | undefined {
  const match = TARGET.exec(target);
  if (match === null) return undefined;
  const [, id, expires, signature] = match;
  return { id: Number(id), expires: Number(expires), signature: signature! };
}

/** Whether the service signed it; takes the same time whatever differs. */
export function isSigned(
  secret: string,
  guid: string,
  { id, expires, signature }: Ticket,
): boolean {
  const wanted = Buffer.from(sign(secret, guid, id, expires));
  const given = Buffer.from(signature);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
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
