import type {
  Credentials,
  CredentialsRequest,
  TokenRequestOptions,
} from "../contract.js";
import { CredentialsError } from "../error.js";
import { refreshToken } from "../refresh-token.js";
import {
  checkUrl,
  formBody,
  parseFields,
  sendTokenRequest,
} from "../token-request.js";
import { builtin, nodeProcess } from "./builtin.js";
import { requestCode } from "./loopback.js";
import { readJsonFile } from "./read-file.js";

/** Settings of the login of a user. */
export interface LoginOptions extends TokenRequestOptions {
  /** ID of an OAuth client of the type "Desktop app". */
  readonly clientId: string;
  /** Secret of the client. It is not confidential for installed programs. */
  readonly clientSecret?: string | undefined;
  /** OAuth scopes that the user grants. */
  readonly scopes: readonly string[];
  /**
   * Path of the file that stores the refresh token. Default: a file for each
   * client in `discovery-codegen` of the user's folder of settings
   * (XDG_CONFIG_HOME, `~/.config`, or APPDATA).
   */
  readonly file?: string | undefined;
  /**
   * Function that shows the URL of the login to the user, for example opens it in
   * a browser. Default: prints it to the console.
   */
  readonly open?: ((url: string) => void | Promise<void>) | undefined;
  /** Milliseconds until a login that the user does not complete fails. Default: 300,000. */
  readonly loginTimeout?: number | undefined;
  /** URL of the page for the user. Default: that of Google. */
  readonly authUrl?: string | undefined;
  /** URL of the token server. Default: that of Google. */
  readonly tokenUrl?: string | undefined;
}

/** Content of the file. */
interface StoredLogin {
  readonly client_id: string;
  readonly refresh_token: string;
  readonly scopes: readonly string[];
}

/**
 * Returns the credentials of a user who logs in with a browser on this machine:
 * a redirect to a loopback address with PKCE (RFC 8252, RFC 7636). The refresh
 * token is stored in a file that only the user can read (mode 600). A stored
 * token without one of the scopes, or that the server rejects, is deleted, and
 * the user logs in again.
 *
 * @throws CredentialsError for a URL that is not https.
 */
export function login(options: LoginOptions): Credentials {
  const { clientId, clientSecret, scopes } = options;
  const authUrl = checkUrl(
    options.authUrl ?? "https://accounts.google.com/o/oauth2/v2/auth",
    "authUrl",
  );
  const tokenUrl = checkUrl(
    options.tokenUrl ?? "https://oauth2.googleapis.com/token",
    "tokenUrl",
  );
  const file = options.file ?? storedFile(clientId);
  let current: Promise<Credentials> | undefined;

  const fromToken = (token: string): Credentials =>
    refreshToken({ ...options, tokenUrl, refreshToken: token });

  const askUser = async (): Promise<Credentials> => {
    const { code, redirectUri, verifier } = await requestCode(authUrl, options);
    const body = formBody({
      client_id: clientId,
      code_verifier: verifier,
      code,
      grant_type: "authorization_code",
      redirect_uri: redirectUri,
      client_secret: clientSecret,
    });
    const init = { method: "POST", body };
    // A code is valid once.
    const response = await sendTokenRequest(tokenUrl, init, options, 1);
    const { refresh_token: token } = parseFields(response);
    if (typeof token !== "string" || !token)
      throw new CredentialsError("the response has no refresh_token");
    const stored = { client_id: clientId, refresh_token: token, scopes };
    await writeSecret(file, `${JSON.stringify(stored)}\n`);
    return fromToken(token);
  };

  const forgetToken = (): Promise<void> =>
    builtin("node:fs/promises").rm(file, { force: true });

  const find = async (): Promise<Credentials> => {
    const stored = (await readJsonFile(file).catch(() => undefined)) as
      Partial<StoredLogin> | undefined;
    const granted = Array.isArray(stored?.scopes) ? stored.scopes : [];
    return stored?.client_id === clientId &&
      typeof stored.refresh_token === "string" &&
      scopes.every((scope) => granted.includes(scope))
      ? fromToken(stored.refresh_token)
      : askUser();
  };

  const credentials = (): Promise<Credentials> =>
    (current ??= find().catch((thrown) => {
      current = undefined;
      throw thrown;
    }));

  return {
    async headers(request: CredentialsRequest) {
      const used = credentials();
      try {
        return await (await used).headers(request);
      } catch (thrown) {
        // The user revoked the access, or the token has expired.
        if ((thrown as CredentialsError).code !== "invalid_grant") throw thrown;
        if (current === used)
          current = forgetToken()
            .then(askUser)
            .catch((failure) => {
              current = undefined;
              throw failure;
            });
        return (await credentials()).headers(request);
      }
    },
    refresh: async () => (await credentials()).refresh(),
  };
}

/** Returns the path of the file for a client. */
function storedFile(clientId: string): string {
  const { env, platform } = nodeProcess();
  const home = env["HOME"] && `${env["HOME"]}/.config`;
  const folder =
    platform === "win32" ? env["APPDATA"] : env["XDG_CONFIG_HOME"] || home;
  if (!folder)
    throw new CredentialsError(
      "the option file must be set, because the home folder is unknown",
    );
  const name = clientId.replace(/[^\w.-]/g, "_").slice(0, 100);
  return `${folder}/discovery-codegen/login-${name}.json`;
}

/** Replaces a file that only the user can read. */
async function writeSecret(file: string, text: string): Promise<void> {
  const { mkdir, rename, writeFile } = builtin("node:fs/promises");
  const folder = file.replace(/[/\\][^/\\]*$/, "");
  if (folder !== file) await mkdir(folder, { recursive: true, mode: 0o700 });
  const temporary = `${file}.${crypto.randomUUID()}`;
  await writeFile(temporary, text, { mode: 0o600, flag: "wx" });
  await rename(temporary, file);
}
