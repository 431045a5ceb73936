/* eslint-disable */
// biome-ignore-all lint: generated

import type { Auth, HeadersProvider } from "./auth.js";
import type { Invocation } from "./contract.js";
import type { ApiError } from "./error.js";

/** Members of google-auth-library's credentials that are used here. */
interface GoogleCredential extends HeadersProvider {
  /** Exists in `GoogleAuth`: resolves to the credential that it uses. */
  getClient?(): Promise<GoogleCredential>;
  /** Replaces the cached access token. Every class has it, in some as protected. */
  refreshAccessTokenAsync?(): Promise<unknown>;
  readonly refreshHandler?: unknown;
  readonly credentials?: { refresh_token?: unknown; expiry_date?: unknown };
}

/**
 * Returns credentials that bypass the cache, after a 401; `undefined` if there
 * are none. If the refresh fails, its message becomes the `cause` of the error,
 * without other properties, which may contain secrets.
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
    credentials.expiry_date = 1; // expired: getRequestHeaders calls the handler
  else await source.refreshAccessTokenAsync?.();
}
