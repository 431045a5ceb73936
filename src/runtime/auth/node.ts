/**
 * Credentials that need files, environment variables or programs, for Node, Deno
 * and Bun. Without these modules of Node, the functions throw a TypeError.
 */
import type {
  Credentials,
  IdTokenCredentials,
  TokenRequestOptions,
} from "./contract.js";
import { CredentialsError } from "./error.js";
import {
  externalAccount as webExternalAccount,
  type ExternalAccountConfig,
  type ExternalAccountOptions,
} from "./external-account.js";
import { keyFile } from "./key-file.js";
import { metadataServer } from "./metadata-server.js";
import { builtin, nodeProcess } from "./node/builtin.js";
import { executableToken } from "./node/executable.js";
import { readJsonFile, readTextFile } from "./node/read-file.js";
import { subjectTokenOf } from "./subject-token.js";

export { login, type LoginOptions } from "./node/login.js";

/** Settings of external accounts whose token comes from a file or program. */
export interface NodeExternalAccountOptions extends ExternalAccountOptions {
  /**
   * True to run the program that the configuration names. Use it only for
   * configurations that you trust. Default: true if the environment variable
   * GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES is `1`.
   */
  readonly allowExecutables?: boolean | undefined;
}

/**
 * Returns the credentials of workload or workforce identity federation, from a
 * URL, AWS, a file or a program.
 *
 * @throws CredentialsError as `externalAccount` of index.ts, and for a program
 *   without consent.
 */
export function externalAccount(
  config: ExternalAccountConfig,
  options: NodeExternalAccountOptions = {},
): Credentials {
  const { env } = nodeProcess();
  const {
    environment = env,
    allowExecutables = env["GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES"] === "1",
  } = options;
  const { file, format, executable } = config.credential_source ?? {};
  let { subjectToken } = options;
  if (!subjectToken && file !== undefined)
    subjectToken = async () => subjectTokenOf(await readTextFile(file), format);
  else if (!subjectToken && executable) {
    if (!allowExecutables)
      throw new CredentialsError(
        "the configuration runs a program; set allowExecutables to permit it",
      );
    subjectToken = () => executableToken(executable, config);
  }
  return webExternalAccount(config, { ...options, environment, subjectToken });
}

/** Settings of application default credentials. */
export interface ApplicationDefaultOptions extends TokenRequestOptions {
  /** OAuth scopes of the token. The scopes of a user's file are fixed. */
  readonly scopes?: readonly string[] | undefined;
  /**
   * Project to bill. Default: the environment variable
   * GOOGLE_CLOUD_QUOTA_PROJECT, or the `quota_project_id` of the file.
   */
  readonly quotaProject?: string | undefined;
  /** See {@link NodeExternalAccountOptions}. */
  readonly allowExecutables?: boolean | undefined;
  /** Domain of external accounts. Default: `googleapis.com`. */
  readonly universeDomain?: string | undefined;
}

/**
 * Returns application default credentials: the key file that the environment
 * variable GOOGLE_APPLICATION_CREDENTIALS names, else the file of `gcloud auth
 * application-default login`, else the metadata server (at GCE_METADATA_HOST or
 * GCE_METADATA_IP, if set). They are looked up by the first call. `idToken` rejects
 * for credentials that can't issue ID tokens.
 */
export function applicationDefault(
  options: ApplicationDefaultOptions = {},
): IdTokenCredentials {
  let found: Promise<FoundCredentials> | undefined;
  const find = (): Promise<FoundCredentials> =>
    (found ??= findCredentials(options).catch((thrown) => {
      found = undefined;
      throw thrown;
    }));
  return {
    headers: async (request) => (await find()).headers(request),
    refresh: async () => (await find()).refresh(),
    async idToken(audience) {
      const credentials = await find();
      if (credentials.idToken) return credentials.idToken(audience);
      throw new CredentialsError("these credentials can't issue ID tokens");
    },
  };
}

type FoundCredentials = Credentials & Partial<IdTokenCredentials>;

async function findCredentials(
  options: ApplicationDefaultOptions,
): Promise<FoundCredentials> {
  const { env } = nodeProcess();
  const quotaProject =
    options.quotaProject ?? env["GOOGLE_CLOUD_QUOTA_PROJECT"];
  const settings = { ...options, quotaProject };
  const named = env["GOOGLE_APPLICATION_CREDENTIALS"];
  const file = named || (await wellKnownFile());
  if (file) {
    const { allowExecutables } = options;
    const create = (config: ExternalAccountConfig, given = {}): Credentials =>
      externalAccount(config, { ...given, allowExecutables });
    const content = await readJsonFile(file);
    return keyFile(content, { ...settings, externalAccount: create });
  }
  const host = env["GCE_METADATA_HOST"] || env["GCE_METADATA_IP"] || undefined;
  const credentials = metadataServer({
    timeout: 3000,
    attempts: host ? 3 : 1,
    ...settings,
    host,
  });
  return {
    ...credentials,
    async headers(request) {
      try {
        return await credentials.headers(request);
      } catch (thrown) {
        const { message } = thrown as CredentialsError;
        throw new CredentialsError(
          `no credentials found; set GOOGLE_APPLICATION_CREDENTIALS or run "gcloud auth application-default login" (metadata server: ${message})`,
        );
      }
    },
  };
}

/** Returns the path of gcloud's file, if it exists. */
async function wellKnownFile(): Promise<string | undefined> {
  const { env, platform } = nodeProcess();
  const folder =
    env["CLOUDSDK_CONFIG"] ||
    (platform === "win32"
      ? env["APPDATA"] && `${env["APPDATA"]}/gcloud`
      : env["HOME"] && `${env["HOME"]}/.config/gcloud`);
  if (!folder) return undefined;
  const file = `${folder}/application_default_credentials.json`;
  const { stat } = builtin("node:fs/promises");
  return stat(file).then(
    () => file,
    () => undefined,
  );
}
