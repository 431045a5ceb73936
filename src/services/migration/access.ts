import {
  ApiError,
  type AuthRequest,
} from "../../../generated/runtime/server/index.js";
import { hashToken, type MigrationConfig, type TokenKind } from "./config.js";
import { failureBody } from "./failure.js";

/** Who calls. */
export interface Caller {
  /** In lower case. */
  readonly user: string;
}

/** Header with the version that a caller was written for, in lower case. */
export const VERSION = "x-vendor-api-version";

const REFUSED: Readonly<Record<Exclude<TokenKind, "classic">, string>> = {
  "fine-grained": "Resource not accessible by personal access token",
  "app-user": "Resource not accessible by integration",
  "app-installation": "Resource not accessible by integration",
};

/** Tokens need all of them. */
const SCOPES = ["repo", "admin:org"];

/**
 * Tells who calls, and refuses what no organization would allow.
 *
 * @throws ApiError 401, 403 for the kind of the token, 400 for the version, 404 for ids that can't be
 */
export function identify(
  { credential, request }: AuthRequest,
  { tokens, versions }: MigrationConfig,
): Caller {
  const row = tokens.get(hashToken(credential?.token ?? ""));
  if (row === undefined) {
    const headers = { "www-authenticate": "Bearer" };
    throw new ApiError(401, "Bad credentials", { headers });
  }
  if (row.kind !== "classic") throw new ApiError(403, REFUSED[row.kind]);
  const lacking = SCOPES.filter((scope) => !row.scopes.includes(scope));
  if (lacking.length > 0)
    throw new ApiError(
      403,
      `The token lacks the scopes ${lacking.join(", ")}.`,
    );
  checkVersion(request.header(VERSION), versions);
  checkId(request.target);
  return { user: row.user };
}

/** @throws ApiError 400 for a version that is not supported */
function checkVersion(
  asked: string | undefined,
  versions: readonly string[],
): void {
  if (asked === undefined || versions.includes(asked)) return;
  const list = [...versions]
    .reverse()
    .map((version, index) =>
      index === 0 ? `"${version}" (most recent)` : `"${version}"`,
    )
    .join(", ");
  const shown = JSON.stringify(asked.slice(0, 100));
  const message =
    `The version you specified in the "X-Vendor-Api-Version" request header, ${shown}, is not a supported version. ` +
    `The following versions are currently supported: ${list}.`;
  throw new ApiError(400, message);
}

/** The version that answers a request; undefined where none does. */
export function selectedVersion(
  asked: string | undefined,
  versions: readonly string[],
): string | undefined {
  return asked === undefined
    ? versions[0]
    : versions.find((version) => version === asked);
}

/** A migration whose id is no number does not exist; that is no mistake in a parameter. */
function checkId(target: string): void {
  const id = /^\/orgs\/[^/?]*\/migrations\/([^/?]*)/.exec(target)?.[1];
  if (id !== undefined && !/^[1-9]\d{0,14}$/.test(id)) throw notFound();
}

/** For what is not there, and for what a caller must not know of. */
export function notFound(): ApiError {
  return new ApiError(404, "Not Found");
}

/** The body for a missing token: the description has the words for a wrong one. */
export function envelope({ status, extras }: ApiError): object | undefined {
  return status === 401 && extras.detectedAs === "standard"
    ? failureBody(401, "Requires authentication")
    : undefined;
}
