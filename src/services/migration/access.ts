import {
  ApiError,
  type AuthRequest,
} from "../../../generated/runtime/server/index.js";
import { hashOf } from "../key-hash.js";
import type { MigrationConfig, TokenKind } from "./config.js";
import { errorBody } from "./error-response.js";

/** Authenticated caller. */
export interface Caller {
  /** User name in lower case. */
  readonly user: string;
}

/** Name of the header with the API version, in lower case. */
export const VERSION_HEADER = "x-vendor-api-version";

const REFUSALS: Readonly<Record<Exclude<TokenKind, "classic">, string>> = {
  "fine-grained": "Resource not accessible by personal access token",
  "app-user": "Resource not accessible by integration",
  "app-installation": "Resource not accessible by integration",
};

/** Scopes that a token must have for this API. */
const REQUIRED_SCOPES = ["repo", "admin:org"];

/**
 * Authenticates the caller, and checks the API version and the migration id of
 * the request.
 *
 * @throws ApiError 401 for an unknown token, 403 for a token of the wrong kind
 * or without the required scopes, 400 for an unsupported version, 404 for a
 * malformed id
 */
export function authenticateCaller(
  { credential, request }: AuthRequest,
  { tokens, versions }: MigrationConfig,
): Caller {
  const row = tokens.get(hashOf(credential?.token ?? ""));
  if (row === undefined) {
    const headers = { "www-authenticate": "Bearer" };
    throw new ApiError(401, "Bad credentials", { headers });
  }
  if (row.kind !== "classic") throw new ApiError(403, REFUSALS[row.kind]);
  const missing = REQUIRED_SCOPES.filter(
    (scope) => !row.scopes.includes(scope),
  );
  if (missing.length > 0)
    throw new ApiError(
      403,
      `The token must have the scopes ${missing.join(", ")}.`,
    );
  checkVersion(request.header(VERSION_HEADER), versions);
  checkId(request.target);
  return { user: row.user };
}

/** @throws ApiError 400 for a version that is not supported */
function checkVersion(
  version: string | undefined,
  versions: readonly string[],
): void {
  if (version === undefined || versions.includes(version)) return;
  const list = [...versions]
    .reverse()
    .map((version, index) =>
      index === 0 ? `"${version}" (most recent)` : `"${version}"`,
    )
    .join(", ");
  const shown = JSON.stringify(version.slice(0, 100));
  const message =
    `The version you specified in the "X-Vendor-Api-Version" request header, ${shown}, is not a supported version. ` +
    `The following versions are currently supported: ${list}.`;
  throw new ApiError(400, message);
}

/**
 * Returns the API version that a request selects; undefined if it is not
 * supported.
 */
export function selectedVersion(
  requested: string | undefined,
  versions: readonly string[],
): string | undefined {
  return requested === undefined
    ? versions[0]
    : versions.find((version) => version === requested);
}

/**
 * Throws a 404 if the migration id is not a number. Without this check, the
 * generated server would respond with 400.
 */
function checkId(target: string): void {
  const id = /^\/orgs\/[^/?]*\/migrations\/([^/?]*)/.exec(target)?.[1];
  if (id !== undefined && !/^[1-9]\d{0,14}$/.test(id)) throw notFound();
}

/**
 * Returns the 404 error for missing resources, and for resources whose
 * existence must not be revealed to the caller.
 */
export function notFound(): ApiError {
  return new ApiError(404, "Not Found");
}

/**
 * Returns the response body for a request without a token; undefined selects
 * the default body.
 */
export function envelope({ status, extras }: ApiError): object | undefined {
  return status === 401 && extras.detectedAs === "standard"
    ? errorBody(401, "Requires authentication")
    : undefined;
}
