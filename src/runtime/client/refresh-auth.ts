import type { Auth, HeadersProvider } from "./auth.js";
import type { Invocation } from "./contract.js";
import type { ApiError } from "./error.js";

/** Members of google-auth-library's credentials that a renewal needs. */
interface GoogleCredential extends HeadersProvider {
  /** Of `GoogleAuth`: resolves to the credential that it has found. */
  getClient?(): Promise<GoogleCredential>;
  /** Replaces the cached access token; every class has it, where public or not. */
  refreshAccessTokenAsync?(): Promise<unknown>;
  readonly refreshHandler?: unknown;
  readonly credentials?: { refresh_token?: unknown; expiry_date?: unknown };
}

/**
 * Credentials that do not come out of a cache, after a 401; `undefined` if
 * there are none. If the token cannot be renewed, the reason becomes the
 * `cause` of the error, without what else the credential's error holds.
 */
export async function refreshAuth(
  { client }: Invocation,
  error: ApiError,
): Promise<Auth | undefined> {
  const { auth } = client.options;
  if (typeof auth === "function") return () => auth({ refresh: true });
  if (typeof auth !== "object") return undefined;
  if (auth.renewed) return auth.renewed();
  try {
    await refreshCredential(auth);
    return auth;
  } catch (thrown) {
    const cause = Error((thrown as Error | undefined)?.message);
    return void Object.assign(error, { cause });
  }
}

async function refreshCredential(auth: GoogleCredential): Promise<void> {
  const source = (await auth.getClient?.()) ?? auth;
  const { credentials, refreshHandler } = source;
  if (refreshHandler && credentials && !credentials.refresh_token)
    credentials.expiry_date = 1; // the next request for headers asks the handler
  else await source.refreshAccessTokenAsync?.();
}
