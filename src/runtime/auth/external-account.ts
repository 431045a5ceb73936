import { awsSubjectToken, type AwsSource } from "./aws-subject-token.js";
import type { Credentials, TokenRequestOptions } from "./contract.js";
import { CredentialsError } from "./error.js";
import { generateAccessToken } from "./iam-credentials.js";
import { checkServiceUrl, exchangeToken } from "./security-token-service.js";
import { permittedUniverse, requireStrings } from "./source.js";
import { subjectTokenOf, type SubjectTokenFormat } from "./subject-token.js";
import { tokenCredentials } from "./token-cache.js";
import { checkUrl, sendTokenRequest } from "./token-request.js";

/** Source of the token of another identity provider, in a configuration file. */
export interface CredentialSource extends Partial<AwsSource> {
  readonly file?: string | undefined;
  readonly url?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly format?: SubjectTokenFormat | undefined;
  readonly executable?: ExecutableSource | undefined;
  readonly certificate?: unknown;
}

/** Program that prints a token. */
export interface ExecutableSource {
  readonly command: string;
  readonly timeout_millis?: number | undefined;
  readonly output_file?: string | undefined;
}

/** Configuration file of workload or workforce identity federation. */
export interface ExternalAccountConfig {
  readonly type?: string | undefined;
  readonly audience: string;
  readonly subject_token_type: string;
  readonly token_url?: string | undefined;
  readonly service_account_impersonation_url?: string | undefined;
  readonly service_account_impersonation?:
    { readonly token_lifetime_seconds?: number | undefined } | undefined;
  readonly workforce_pool_user_project?: string | undefined;
  readonly client_id?: string | undefined;
  readonly client_secret?: string | undefined;
  readonly quota_project_id?: string | undefined;
  readonly universe_domain?: string | undefined;
  readonly credential_source?: CredentialSource | undefined;
  readonly [name: string]: unknown;
}

/** Settings of the credentials of an external account. */
export interface ExternalAccountOptions extends TokenRequestOptions {
  /** OAuth scopes of the token. Default: `cloud-platform`. */
  readonly scopes?: readonly string[] | undefined;
  /**
   * Function that returns the token of the identity provider. It replaces the
   * `credential_source` of the configuration.
   */
  readonly subjectToken?: (() => string | Promise<string>) | undefined;
  /**
   * Environment variables, which can contain the region and credentials of AWS.
   * Default: none.
   */
  readonly environment?:
    Readonly<Record<string, string | undefined>> | undefined;
  /**
   * Domain of the token servers. It must be equal to `universe_domain` of the
   * configuration, which could otherwise choose the servers that receive tokens.
   * Default: `googleapis.com`.
   */
  readonly universeDomain?: string | undefined;
}

const CLOUD_PLATFORM = "https://www.googleapis.com/auth/cloud-platform";

/**
 * Returns the credentials of workload or workforce identity federation. The token
 * of the identity provider comes from a URL, from AWS, or from `subjectToken`;
 * `node.ts` also reads files and runs programs.
 *
 * @param config parsed configuration file.
 * @throws CredentialsError for an invalid configuration, and for URLs that are not
 *   of Google.
 */
export function externalAccount(
  config: ExternalAccountConfig,
  options: ExternalAccountOptions = {},
): Credentials {
  const { audience, subject_token_type } = config;
  if (config.type !== undefined && config.type !== "external_account")
    throw new CredentialsError('type must be "external_account"');
  requireStrings({ audience, subject_token_type });
  const universe = permittedUniverse(
    config.universe_domain,
    options.universeDomain,
  );
  const { token_url = `https://sts.${universe}/v1/token` } = config;
  const tokenUrl = checkServiceUrl(token_url, "sts", universe, "token_url");
  const impersonationUrl = impersonationUrlOf(config, universe);
  const userProject = config.workforce_pool_user_project;
  if (userProject && !/\/locations\/[^/]+\/workforcePools\//.test(audience))
    throw new CredentialsError(
      "workforce_pool_user_project needs the audience of a workforce pool",
    );
  const subjectToken = options.subjectToken ?? subjectSource(config, options);
  const { client_id: clientId, client_secret: clientSecret } = config;
  const client = clientId ? { clientId, clientSecret } : undefined;
  const scopes = options.scopes?.length ? options.scopes : [CLOUD_PLATFORM];

  return tokenCredentials(
    async () => {
      const exchange = {
        audience,
        scope: impersonationUrl ? CLOUD_PLATFORM : scopes.join(" "),
        subjectToken: await subjectToken(),
        subjectTokenType: subject_token_type,
        options: client || !userProject ? undefined : { userProject },
      };
      const token = await exchangeToken(tokenUrl, exchange, options, client);
      if (!impersonationUrl) return token;
      const lifetime =
        config.service_account_impersonation?.token_lifetime_seconds ?? 3600;
      const headers = { authorization: `Bearer ${token.token}` };
      const body = { scope: scopes, lifetime: `${lifetime}s` };
      return generateAccessToken(impersonationUrl, headers, body, options);
    },
    {
      quotaProject: config.quota_project_id,
      universeDomain: config.universe_domain,
    },
  );
}

function impersonationUrlOf(
  { service_account_impersonation_url: url }: ExternalAccountConfig,
  universe: string,
): string | undefined {
  if (url === undefined) return undefined;
  const name = "service_account_impersonation_url";
  const checked = checkServiceUrl(url, "iamcredentials", universe, name);
  if (checked.length > 2000 || !checked.endsWith(":generateAccessToken"))
    throw new CredentialsError(`${name} must end with :generateAccessToken`);
  return checked;
}

/** Returns a function that obtains the token of the identity provider. */
function subjectSource(
  { audience, credential_source }: ExternalAccountConfig,
  options: ExternalAccountOptions,
): () => Promise<string> {
  // Members of files can be null.
  const source = credential_source ?? {};
  const { environment_id, url, format, headers } = source;
  if (environment_id !== undefined)
    return awsSubjectToken(source as AwsSource, audience, options);
  if (url === undefined)
    throw new CredentialsError(
      source.file !== undefined || source.executable
        ? "credential_source with a file or executable needs externalAccount of auth/node"
        : "credential_source must have url, environment_id, file or executable",
    );
  const checked = checkSourceUrl(url);
  return async () => {
    const init = headers ? { headers } : {};
    const { text } = await sendTokenRequest(checked, init, options);
    return subjectTokenOf(text, format);
  };
}

/** Accepts https, this machine, and metadata servers, which have no https. */
function checkSourceUrl(url: string): string {
  return /^http:\/\/(169\.254\.169\.254|metadata\.google\.internal)(:\d+)?\/[!-~]*$/.test(
    url,
  )
    ? url
    : checkUrl(url, "credential_source.url");
}
