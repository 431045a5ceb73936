import type {
  IdTokenCredentials,
  TokenRequestOptions,
  TokenResponse,
} from "./contract.js";
import { CredentialsError } from "./error.js";
import { tokenCredentials } from "./token-cache.js";
import { accessToken, parseFields, sendTokenRequest } from "./token-request.js";

/** Settings of credentials of a metadata server. */
export interface MetadataServerOptions extends TokenRequestOptions {
  /** OAuth scopes of the token. Default: those of the machine or service. */
  readonly scopes?: readonly string[] | undefined;
  /** Email address of the service account. Default: `default`. */
  readonly account?: string | undefined;
  /**
   * Host of the metadata server, with an optional port. Default:
   * `169.254.169.254`.
   */
  readonly host?: string | undefined;
  /** Project to bill, which is sent in the `x-goog-user-project` header. */
  readonly quotaProject?: string | undefined;
  readonly universeDomain?: string | undefined;
  /** Number of attempts of each request. Default: 3. */
  readonly attempts?: number | undefined;
}

/**
 * Returns the credentials of the service account of a machine: Compute Engine,
 * Cloud Run, Cloud Functions, App Engine, GKE.
 *
 * @throws CredentialsError for a host or account with characters that these
 *   names can't contain.
 */
export function metadataServer(
  options: MetadataServerOptions = {},
): IdTokenCredentials {
  const { scopes = [], account = "default" } = options;
  const { host = "169.254.169.254", attempts } = options;
  if (!/^([\w.-]+|\[[\da-f:]+\])(:\d+)?$/i.test(host))
    throw new CredentialsError(
      "host must be a host name with an optional port",
    );
  if (!/^[\w.@+-]+$/.test(account))
    throw new CredentialsError("account must be an email address");
  const root = `http://${host}/computeMetadata/v1/instance/service-accounts/${account}`;
  const request = async (path: string): Promise<TokenResponse> => {
    const init = { headers: { "metadata-flavor": "Google" } };
    const url = `${root}/${path}`;
    const response = await sendTokenRequest(url, init, options, attempts);
    // Routers and captive portals respond to any request.
    if (response.headers.get("metadata-flavor") !== "Google")
      throw new CredentialsError(`${host} is not a metadata server`);
    return response;
  };
  const query = scopes.length
    ? `?scopes=${encodeURIComponent(scopes.join(","))}`
    : "";
  return {
    ...tokenCredentials(
      async () => accessToken(parseFields(await request(`token${query}`))),
      options,
    ),
    idToken: (audience) =>
      request(`identity?format=full&audience=${encodeURIComponent(audience)}`),
  };
}
