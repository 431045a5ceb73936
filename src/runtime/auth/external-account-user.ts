import type { Credentials, TokenRequestOptions } from "./contract.js";
import {
  basicAuthorization,
  checkServiceUrl,
} from "./security-token-service.js";
import { permittedUniverse, requireStrings } from "./source.js";
import { tokenCredentials } from "./token-cache.js";
import {
  accessToken,
  formBody,
  parseFields,
  sendTokenRequest,
} from "./token-request.js";

/** File of a user of a workforce pool (`gcloud auth application-default login`). */
export interface ExternalAccountUserFile {
  readonly type?: string | undefined;
  readonly client_id: string;
  readonly client_secret: string;
  readonly refresh_token: string;
  readonly token_url?: string | undefined;
  readonly quota_project_id?: string | undefined;
  readonly universe_domain?: string | undefined;
  readonly [name: string]: unknown;
}

/** Settings of the credentials of a user of a workforce pool. */
export interface ExternalAccountUserOptions extends TokenRequestOptions {
  /**
   * Domain of the token servers. It must be equal to `universe_domain` of the
   * file. Default: `googleapis.com`.
   */
  readonly universeDomain?: string | undefined;
}

/**
 * Returns the credentials of a user of a workforce pool. If the server issues
 * another refresh token, it is used from then on, but not stored.
 *
 * @param file parsed file.
 * @throws CredentialsError for an invalid file, and for a `token_url` that is not
 *   of Google.
 */
export function externalAccountUser(
  file: ExternalAccountUserFile,
  options: ExternalAccountUserOptions = {},
): Credentials {
  const { client_id, client_secret } = file;
  let { refresh_token } = file;
  requireStrings({ client_id, client_secret, refresh_token });
  const universe = permittedUniverse(
    file.universe_domain,
    options.universeDomain,
  );
  const { token_url = `https://sts.${universe}/v1/oauthtoken` } = file;
  const url = checkServiceUrl(token_url, "sts", universe, "token_url");
  const client = { clientId: client_id, clientSecret: client_secret };
  return tokenCredentials(
    async () => {
      const body = formBody({ grant_type: "refresh_token", refresh_token });
      const headers = basicAuthorization(client);
      const init = { method: "POST", headers, body };
      const fields = parseFields(await sendTokenRequest(url, init, options));
      const { refresh_token: next } = fields;
      const token = accessToken(fields);
      if (typeof next === "string" && next) refresh_token = next;
      return token;
    },
    {
      quotaProject: file.quota_project_id,
      universeDomain: file.universe_domain,
    },
  );
}
