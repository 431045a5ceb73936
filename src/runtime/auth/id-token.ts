import type { Credentials, IdTokenCredentials } from "./contract.js";
import { CredentialsError } from "./error.js";
import { tokenCredentials } from "./token-cache.js";
import { accessToken, parseFields } from "./token-request.js";

/** Settings of ID tokens. */
export interface IdTokenOptions {
  /** URL of the Cloud Run service, or client ID of the application, that is called. */
  readonly audience: string;
}

/**
 * Returns credentials that authorize requests with ID tokens of an account, for
 * Cloud Run, Cloud Functions and Identity-Aware Proxy.
 *
 * @param source credentials of `serviceAccount`, `metadataServer`, `impersonate`
 *   or `refreshToken`.
 * @throws CredentialsError for other credentials, and for an empty audience.
 */
export function idToken(
  source: Credentials & Partial<IdTokenCredentials>,
  { audience }: IdTokenOptions,
): Credentials {
  if (!audience) throw new CredentialsError("audience must not be empty");
  if (!source.idToken)
    throw new CredentialsError("these credentials can't issue ID tokens");
  return tokenCredentials(async () => {
    const response = await source.idToken!(audience);
    const { text, serverTime } = response;
    const fields = parseFields(response);
    const token = fields["id_token"] ?? fields["token"] ?? text.trim();
    const seconds = expiryOf(token) - serverTime / 1000;
    return accessToken({ token }, "token", seconds);
  });
}

/**
 * Returns the time of expiry that a token contains, in seconds since 1970.
 *
 * @throws CredentialsError for a value that is not a JWT.
 */
function expiryOf(token: unknown): number {
  try {
    const [, claims] = String(token).split(".");
    const base64 = claims!.replaceAll("-", "+").replaceAll("_", "/");
    return Number(JSON.parse(atob(base64)).exp);
  } catch {
    throw new CredentialsError(
      "the response of the token server has no ID token",
    );
  }
}
