import type {
  IdTokenCredentials,
  Source,
  TokenRequestOptions,
} from "./contract.js";
import { CredentialsError } from "./error.js";
import { callIam, generateAccessToken } from "./iam-credentials.js";
import { sourceHeaders, universeOf, withSource } from "./source.js";
import { tokenCredentials } from "./token-cache.js";

/** Settings of impersonated credentials. */
export interface ImpersonateOptions extends TokenRequestOptions {
  /** Email address or unique ID of the service account. */
  readonly targetPrincipal: string;
  /** OAuth scopes of the token. Can be empty only for ID tokens. */
  readonly scopes: readonly string[];
  /**
   * Service accounts of a chain, each of which may impersonate the next one; the
   * last one impersonates `targetPrincipal`. Default: none.
   */
  readonly delegates?: readonly string[] | undefined;
  /**
   * Seconds for which a token is valid, from 1 to 43,200. More than 3,600 needs a
   * policy of the organization. Default: 3,600.
   */
  readonly lifetime?: number | undefined;
  /** Project to bill, which is sent in the `x-goog-user-project` header. */
  readonly quotaProject?: string | undefined;
  /** Default: that of the source credentials, or `googleapis.com`. */
  readonly universeDomain?: string | undefined;
}

/**
 * Returns the credentials of a service account in whose name the source
 * credentials may act (role Service Account Token Creator).
 *
 * @throws CredentialsError for a `targetPrincipal` or `lifetime` that is not
 *   valid.
 */
export function impersonate(
  source: Source,
  options: ImpersonateOptions,
): IdTokenCredentials {
  const { targetPrincipal, scopes: scope, delegates = [] } = options;
  const { lifetime = 3600, quotaProject } = options;
  const domain =
    options.universeDomain ??
    (source as { universeDomain?: string }).universeDomain;
  const universe = universeOf(domain);
  if (!/^[\w.@+-]+$/.test(targetPrincipal ?? ""))
    throw new CredentialsError(
      "targetPrincipal must be the email address or ID of a service account",
    );
  if (!(lifetime >= 1 && lifetime <= 43_200))
    throw new CredentialsError(
      `lifetime must be from 1 to 43200 seconds, not ${lifetime}`,
    );
  const root = `https://iamcredentials.${universe}/v1/projects/-/serviceAccounts/${targetPrincipal}`;
  const credentials = tokenCredentials(
    () =>
      withSource(source, async () => {
        const url = `${root}:generateAccessToken`;
        const headers = await sourceHeaders(source, url);
        const body = { delegates, scope, lifetime: `${lifetime}s` };
        return generateAccessToken(url, headers, body, options);
      }),
    { quotaProject, universeDomain: domain },
  );
  return {
    ...credentials,
    idToken: (audience) =>
      withSource(source, async () => {
        const url = `${root}:generateIdToken`;
        const headers = await sourceHeaders(source, url);
        const email = { includeEmail: true, useEmailAzp: true };
        const body = { delegates, audience, ...email };
        return callIam(url, headers, body, options);
      }),
  };
}
