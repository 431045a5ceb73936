import type { Credentials, TokenRequestOptions } from "./contract.js";
import { CredentialsError } from "./error.js";
import {
  externalAccountUser,
  type ExternalAccountUserFile,
} from "./external-account-user.js";
import {
  externalAccount,
  type ExternalAccountConfig,
  type ExternalAccountOptions,
} from "./external-account.js";
import { impersonate } from "./impersonate.js";
import { refreshToken } from "./refresh-token.js";
import { serviceAccount } from "./service-account.js";

/** Settings of credentials from a key file. */
export interface KeyFileOptions extends TokenRequestOptions {
  /** OAuth scopes of the token. The scopes of a user's file are fixed. */
  readonly scopes?: readonly string[] | undefined;
  /** Project to bill. Default: the `quota_project_id` of the file. */
  readonly quotaProject?: string | undefined;
  /** Domain of external accounts. Default: `googleapis.com`. */
  readonly universeDomain?: string | undefined;
  /**
   * Function that creates the credentials of external accounts. Default:
   * `externalAccount`, which does not read files or run programs.
   */
  readonly externalAccount?: typeof externalAccount | undefined;
  readonly environment?: ExternalAccountOptions["environment"];
}

/**
 * Returns the credentials of a parsed key file of any type: `service_account`,
 * `authorized_user`, `external_account`, `external_account_authorized_user` or
 * `impersonated_service_account`.
 *
 * @throws CredentialsError for another type and for an invalid file.
 */
export function keyFile(
  file: unknown,
  options: KeyFileOptions = {},
): Credentials {
  const given = Object(file) as Readonly<Record<string, unknown>>;
  const { quotaProject } = options;
  const fields = quotaProject
    ? { ...given, quota_project_id: quotaProject }
    : given;
  switch (fields["type"]) {
    case "service_account":
      return serviceAccount(fields, options);
    case "authorized_user":
      return refreshToken({
        fetch: options.fetch,
        timeout: options.timeout,
        clientId: fields["client_id"] as string,
        clientSecret: fields["client_secret"] as string,
        refreshToken: fields["refresh_token"] as string,
        quotaProject: fields["quota_project_id"] as string | undefined,
        universeDomain: fields["universe_domain"] as string | undefined,
      });
    case "external_account": {
      const create = options.externalAccount ?? externalAccount;
      return create(fields as unknown as ExternalAccountConfig, options);
    }
    case "external_account_authorized_user":
      return externalAccountUser(
        fields as unknown as ExternalAccountUserFile,
        options,
      );
    case "impersonated_service_account":
      return impersonated(fields, options);
    default:
      throw new CredentialsError(
        `type must be that of a key file, not ${JSON.stringify(fields["type"] ?? null).slice(0, 100)}`,
      );
  }
}

/** The fields are those that `gcloud auth … --impersonate-service-account` writes. */
function impersonated(
  fields: Readonly<Record<string, unknown>>,
  options: KeyFileOptions,
): Credentials {
  const url = String(fields["service_account_impersonation_url"]);
  const target = /\/([^/:]+):generate(?:AccessToken|IdToken)$/.exec(
    url.slice(-300),
  )?.[1];
  if (!target)
    throw new CredentialsError(
      "service_account_impersonation_url must end with the service account and :generateAccessToken",
    );
  const { delegates = [], scopes = [], source_credentials } = fields;
  if (Object(source_credentials).type === "impersonated_service_account")
    throw new CredentialsError(
      "source_credentials must not be impersonated; use delegates",
    );
  const { fetch, timeout } = options;
  const source = keyFile(source_credentials, {
    ...options,
    quotaProject: undefined,
    scopes: ["https://www.googleapis.com/auth/cloud-platform"],
  });
  return impersonate(source, {
    fetch,
    timeout,
    targetPrincipal: target,
    scopes: options.scopes ?? (scopes as string[]),
    delegates: delegates as string[],
    quotaProject: fields["quota_project_id"] as string | undefined,
  });
}
