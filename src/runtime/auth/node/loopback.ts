import { CredentialsError } from "../error.js";
import { builtin, type NodeServer } from "./builtin.js";

/** Settings of a login that `login` passes on. */
interface CodeOptions {
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly open?: ((url: string) => void | Promise<void>) | undefined;
  readonly loginTimeout?: number | undefined;
}

/** Code of a login, and what its exchange needs. */
interface LoginCode {
  readonly code: string;
  readonly redirectUri: string;
  /** PKCE verifier. */
  readonly verifier: string;
}

/**
 * Shows the login to the user and waits for the redirect to a server on
 * 127.0.0.1, which accepts only the `state` of this login.
 *
 * @throws CredentialsError if the user refuses, or does not log in within the
 *   timeout.
 */
export async function requestCode(
  authUrl: string,
  { clientId, scopes, open = show, loginTimeout = 300_000 }: CodeOptions,
): Promise<LoginCode> {
  const state = randomText();
  const verifier = randomText();
  let server: NodeServer | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    return await new Promise<LoginCode>((resolve, reject) => {
      let redirectUri = "";
      const created = builtin("node:http").createServer(
        ({ url = "" }, response) => {
          const { pathname, searchParams } = new URL(url, redirectUri);
          const isOwn = searchParams.get("state") === state && pathname === "/";
          const code = searchParams.get("code");
          response
            .writeHead(isOwn ? 200 : 404, {
              "content-type": "text/plain; charset=utf-8",
              "referrer-policy": "no-referrer",
              connection: "close",
            })
            .end(
              isOwn
                ? "The login is complete. You can close this page.\n"
                : "Not found\n",
            );
          if (!isOwn) return;
          if (code) resolve({ code, redirectUri, verifier });
          else reject(new CredentialsError("the login was refused"));
        },
      );
      server = created;
      timer = setTimeout(
        () =>
          reject(
            new CredentialsError(
              `the login was not completed in ${loginTimeout} ms`,
            ),
          ),
        loginTimeout,
      );
      created.on("error", reject);
      created.listen(0, "127.0.0.1", () => {
        redirectUri = `http://127.0.0.1:${created.address().port}/`;
        challengeOf(verifier)
          .then((challenge) => {
            const query = new URLSearchParams({
              response_type: "code",
              client_id: clientId,
              redirect_uri: redirectUri,
              scope: scopes.join(" "),
              access_type: "offline",
              prompt: "consent",
              state,
              code_challenge: challenge,
              code_challenge_method: "S256",
            });
            return open(`${authUrl}?${query}`);
          })
          .catch(reject);
      });
    });
  } finally {
    clearTimeout(timer);
    server?.close();
  }
}

function show(url: string): void {
  console.error(
    `Open this URL in a browser on this machine to log in:\n${url}`,
  );
}

/** Returns 43 random characters (256 bits). */
function randomText(): string {
  return base64Url(crypto.getRandomValues(new Uint8Array(32)));
}

async function challengeOf(verifier: string): Promise<string> {
  const bytes = new TextEncoder().encode(verifier);
  return base64Url(
    new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)),
  );
}

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
