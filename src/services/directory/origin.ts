import type { ServerRequest } from "../../../generated/runtime/server/index.js";
import { HOST_HEADER } from "../host-names.js";
import type { DirectoryConfig } from "./config.js";

/**
 * Returns the origin that the caller used, such as `http://127.0.0.1:8080`;
 * undefined if the `Host` header is invalid. `X-Forwarded-*` headers are used
 * only if the config trusts them, because any caller can send them.
 */
export function callerOrigin(
  request: Pick<ServerRequest, "header" | "origin">,
  { origin, trustForwarded }: DirectoryConfig,
): string | undefined {
  if (origin !== undefined) return origin;
  const forwarded = (name: string): string | undefined =>
    trustForwarded
      ? request.header(`x-forwarded-${name}`)?.split(",", 1)[0]?.trim()
      : undefined;
  const [requestScheme, requestHost] = request.origin.split("://", 2);
  // The `Host` header is read to detect an invalid host, because the runtime
  // replaces invalid hosts in `request.origin`.
  const host = forwarded("host") ?? request.header("host") ?? requestHost;
  const scheme = forwarded("proto")?.toLowerCase() ?? requestScheme;
  if (host === undefined || !HOST_HEADER.test(host)) return undefined;
  if (scheme !== "http" && scheme !== "https") return undefined;
  return `${scheme}://${host.toLowerCase()}`;
}
