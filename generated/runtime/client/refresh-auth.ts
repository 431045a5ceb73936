/* eslint-disable */
// biome-ignore-all lint: generated

import type { Auth, HeadersProvider, TokenSource } from "./auth.js";
import type { Invocation } from "./contract.js";
import type { ApiError } from "./error.js";

/**
 * Members of the credential classes of google-auth-library that are used here.
 */
interface GoogleCredential extends HeadersProvider {
  /**
   * Resolves to the underlying credential object. Only the class `GoogleAuth`
   * has this method.
   */
  getClient?(): Promise<GoogleCredential>;
  /**
   * Replaces the cached access token. Every credential class has this method,
   * but some declare it as protected.
   */
  refreshAccessTokenAsync?(): Promise<unknown>;
  readonly refreshHandler?: unknown;
  readonly credentials?: { refresh_token?: unknown; expiry_date?: unknown };
}

/**
 * Returns credentials that do not use cached tokens, for a request that was
 * rejected with status 401; `undefined` for an anonymous call. If refreshing
 * the token fails, the error's `cause` contains the message of the failure.
 * Other properties of the failure are dropped, because they can contain
 * secrets.
 */
export async function refreshAuth(
  { client }: Invocation,
  error: ApiError,
): Promise<Auth | undefined> {
  const auth: TokenSource | GoogleCredential | undefined = client.options.auth;
  if (typeof auth === "function") return () => auth({ refresh: true });
  if (typeof auth !== "object") return undefined;
  if (auth.renewed) return auth.renewed();
  try {
    const source = (await auth.getClient?.()) ?? auth;
    const { credentials, refreshHandler } = source;
    if (refreshHandler && credentials && !credentials.refresh_token)
      credentials.expiry_date = 1; // expired: getRequestHeaders calls the handler
    else await source.refreshAccessTokenAsync?.();
    return auth;
  } catch (thrown) {
    const cause = Error((thrown as Error | undefined)?.message);
    return void Object.assign(error, { cause });
  }
}
