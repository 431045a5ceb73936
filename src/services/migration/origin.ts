import {
  ApiError,
  type ServerRequest,
} from "../../../generated/runtime/server/index.js";
import type { MigrationConfig } from "./config.js";

const HOST = /^(?:[\w.-]{1,253}|\[[\da-fA-F:.]{2,45}\])(?::\d{1,5})?$/;

/**
 * Where callers reach the service, for the URLs in answers.
 *
 * @throws ApiError 400 for a `Host` that is none
 */
export function originOf(
  { origin }: MigrationConfig,
  request: ServerRequest,
): string {
  if (origin !== undefined) return origin;
  // The runtime's origin has another name in the place of a `Host` that is none.
  const host = request.header("host");
  const isNone = host !== undefined && !HOST.test(host);
  if (!isNone && URL.canParse(request.origin)) return request.origin;
  throw new ApiError(400, "The header Host is no name of a host.");
}
