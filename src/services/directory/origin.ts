import type { ServerRequest } from "../../../generated/runtime/server/index.js";
import type { DirectoryConfig } from "./config.js";

/** What a host may look like in a request; anything else would end up in URLs and pages. */
const HOST =
  /^(?:[a-z0-9](?:[a-z0-9._-]{0,252})|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/i;

/**
 * The origin that the caller used, such as `http://127.0.0.1:8080`; undefined
 * where the request has no sane `Host`. What proxies say of it counts only
 * where the config trusts them, since every caller can say it too.
 */
export function originOf(
  request: Pick<ServerRequest, "header" | "origin">,
  { origin, trustForwarded }: DirectoryConfig,
): string | undefined {
  if (origin !== undefined) return origin;
  const forwarded = (name: string): string | undefined =>
    trustForwarded
      ? request.header(`x-forwarded-${name}`)?.split(",", 1)[0]?.trim()
      : undefined;
  const [ownScheme, ownHost] = request.origin.split("://", 2);
  // The runtime's origin has another name in the place of a `Host` that is none.
  const host = forwarded("host") ?? request.header("host") ?? ownHost;
  const scheme = forwarded("proto")?.toLowerCase() ?? ownScheme;
  if (host === undefined || !HOST.test(host)) return undefined;
  if (scheme !== "http" && scheme !== "https") return undefined;
  return `${scheme}://${host.toLowerCase()}`;
}
