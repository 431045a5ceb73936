import {
  ApiError,
  type ServerRequest,
} from "../../../generated/runtime/server/index.js";
import { HOST_HEADER } from "../host-names.js";
import type { MigrationConfig } from "./config.js";

/**
 * Returns the origin of URLs in responses: the configured origin, otherwise the
 * origin of the request.
 *
 * @throws ApiError 400 for an invalid `Host` header
 */
export function publicOrigin(
  { origin }: MigrationConfig,
  request: ServerRequest,
): string {
  if (origin !== undefined) return origin;
  // The `Host` header itself is checked, because the runtime replaces an invalid
  // host in `request.origin`.
  const host = request.header("host");
  const isInvalid = host !== undefined && !HOST_HEADER.test(host);
  if (!isInvalid && URL.canParse(request.origin)) return request.origin;
  throw new ApiError(400, "The Host header does not contain a valid host.");
}
