import type {
  IdTokenCredentials,
  TokenRequestOptions,
  TokenResponse,
} from "./contract.js";
import { requireStrings } from "./source.js";
import { tokenCredentials } from "./token-cache.js";
import {
  accessToken,
  checkUrl,
  formBody,
  parseFields,
  sendTokenRequest,
} from "./token-request.js";

/** Refresh token of a user, and the OAuth client that obtained it. */
export interface RefreshTokenOptions extends TokenRequestOptions {
  readonly clientId: string;
  readonly clientSecret?: string | undefined;
  readonly refreshToken: string;
  /** Project to bill, which is sent in the `x-goog-user-project` header. */
  readonly quotaProject?: string | undefined;
  /** URL of the token server. Default: `https://oauth2.googleapis.com/token`. */
  readonly tokenUrl?: string | undefined;
  readonly universeDomain?: string | undefined;
}

/**
 * Returns the credentials of a user, from a refresh token.
 *
 * @throws CredentialsError if a value is missing or `tokenUrl` is not https.
 */
export function refreshToken(options: RefreshTokenOptions): IdTokenCredentials {
  const { clientId: client_id, clientSecret: client_secret } = options;
  const { refreshToken: refresh_token } = options;
  const tokenUrl = checkUrl(
    options.tokenUrl ?? "https://oauth2.googleapis.com/token",
    "tokenUrl",
  );
  requireStrings({ client_id, refresh_token });
  const exchange = (target_audience?: string): Promise<TokenResponse> => {
    const grant_type = "refresh_token";
    const identity = { refresh_token, client_id, client_secret };
    const body = formBody({ ...identity, grant_type, target_audience });
    return sendTokenRequest(tokenUrl, { method: "POST", body }, options);
  };
  return {
    ...tokenCredentials(
      async () => accessToken(parseFields(await exchange())),
      options,
    ),
    idToken: exchange,
  };
}
