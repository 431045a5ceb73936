import type {
  IdTokenCredentials,
  TokenRequestOptions,
  TokenResponse,
} from "./contract.js";
import { CredentialsError } from "./error.js";
import { signJwt } from "./jwt.js";
import { tokenCredentials } from "./token-cache.js";
import {
  accessToken,
  checkUrl,
  parseFields,
  sendTokenRequest,
} from "./token-request.js";

/** Key file of a service account, as downloaded from the console. */
export interface ServiceAccountKey {
  readonly type?: string | undefined;
  readonly client_email?: string | undefined;
  readonly private_key?: string | undefined;
  readonly private_key_id?: string | undefined;
  readonly token_uri?: string | undefined;
  readonly quota_project_id?: string | undefined;
  readonly universe_domain?: string | undefined;
  readonly [name: string]: unknown;
}

/** Settings of the credentials of a service account. */
export interface ServiceAccountOptions extends TokenRequestOptions {
  /**
   * OAuth scopes of the token. Default: none; requests are then authorized with a
   * self-signed JWT, whose audience is the origin of the API.
   */
  readonly scopes?: readonly string[] | undefined;
  /**
   * User in whose name calls are made (domain-wide delegation). Needs `scopes`.
   */
  readonly subject?: string | undefined;
  /**
   * True to sign tokens locally (AIP-4111) instead of requesting them. Default:
   * true without `scopes` and for a `universe_domain` other than
   * `googleapis.com`.
   */
  readonly selfSigned?: boolean | undefined;
}

/**
 * Returns the credentials of a service account. Nothing is requested before the
 * first call.
 *
 * @param key parsed key file.
 * @throws CredentialsError for a key without `client_email` or with an invalid
 *   `token_uri`, and for a `subject` with self-signed tokens. An invalid
 *   `private_key` is reported by the first call.
 */
export function serviceAccount(
  key: ServiceAccountKey,
  options: ServiceAccountOptions = {},
): IdTokenCredentials {
  const { client_email: email, private_key_id: kid, universe_domain } = key;
  if (!email) throw new CredentialsError("client_email is missing");
  const tokenUrl = checkUrl(
    key.token_uri ?? "https://oauth2.googleapis.com/token",
    "token_uri",
  );
  const { subject } = options;
  const scope = options.scopes?.join(" ");
  const selfSigned =
    options.selfSigned ??
    (!scope || !/^(googleapis\.com)?$/.test(universe_domain ?? ""));
  if (subject && selfSigned) throw new CredentialsError("subject needs scopes");

  const createToken = (header: object, claims: object): Promise<string> => {
    const iat = Math.floor(Date.now() / 1000);
    return signJwt(
      key.private_key,
      { alg: "RS256", ...header },
      { iss: email, scope, exp: iat + 3600, iat, ...claims },
    );
  };

  const exchange = async (claims?: object): Promise<TokenResponse> => {
    const payload = { aud: tokenUrl, sub: subject, ...claims };
    const body = new URLSearchParams({
      grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
      assertion: await createToken({}, payload),
    });
    return sendTokenRequest(tokenUrl, { method: "POST", body }, options);
  };

  return {
    ...tokenCredentials(
      async (aud) =>
        selfSigned
          ? {
              token: await createToken(
                { typ: "JWT", kid },
                { sub: email, aud },
              ),
              lifetime: 3_600_000,
            }
          : accessToken(parseFields(await exchange())),
      {
        quotaProject: key.quota_project_id,
        universeDomain: universe_domain,
        audienceOf:
          selfSigned && !scope ? (url) => `${new URL(url).origin}/` : undefined,
      },
    ),
    idToken: (target_audience) => exchange({ target_audience }),
  };
}
