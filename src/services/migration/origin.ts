import {
  ApiError,
  type ServerRequest,
} from "../../../generated/runtime/server/index.js";
import { HOST_HEADER } from "../host-names.js";
import type { MigrationConfig } from "./config.js";

/**
 * Returns the configured origin or that of the request, for URLs in responses.
 *
 * @throws ApiError 400 for an invalid `Host`
 */
export function publicOrigin(
  { origin }: MigrationConfig,
  request: ServerRequest,
): string {
  if (origin !== undefined) return origin;
  // The runtime replaces an invalid `Host` in `request.origin`.
  const host = request.header("host");
  const isInvalid = host !== undefined && !HOST_HEADER.test(host);
  if (!isInvalid && URL.canParse(request.origin)) return request.origin;
  throw new ApiError(400, "The header Host is not a valid host.");
}
