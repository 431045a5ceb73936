import type { AccessToken, TokenRequestOptions } from "./contract.js";
import { CredentialsError } from "./error.js";
import {
  accessToken,
  formBody,
  parseFields,
  sendTokenRequest,
} from "./token-request.js";

/** Type of access tokens in token exchanges (RFC 8693, section 3). */
export const ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token";

/** Fields of a token exchange. */
export interface TokenExchange {
  readonly audience?: string | undefined;
  readonly scope?: string | undefined;
  readonly subjectToken: string;
  readonly subjectTokenType: string;
  /** Value that is sent as JSON. */
  readonly options?: object | undefined;
}

/** OAuth client that authenticates itself to the token server. */
export interface ClientIdentity {
  readonly clientId: string;
  readonly clientSecret?: string | undefined;
}

/** Exchanges a token for an access token of Google (RFC 8693). */
export async function exchangeToken(
  url: string,
  { audience, scope, subjectToken, subjectTokenType, options }: TokenExchange,
  settings: TokenRequestOptions,
  client?: ClientIdentity,
): Promise<AccessToken> {
  const body = formBody({
    grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
    audience,
    scope,
    requested_token_type: ACCESS_TOKEN,
    subject_token: subjectToken,
    subject_token_type: subjectTokenType,
    options: options && JSON.stringify(options),
  });
  const headers = client && basicAuthorization(client);
  const init = { method: "POST", body, ...(headers && { headers }) };
  return accessToken(parseFields(await sendTokenRequest(url, init, settings)));
}

/** Returns the header with the identity of an OAuth client (RFC 6749, section 2.3.1). */
export function basicAuthorization({
  clientId,
  clientSecret = "",
}: ClientIdentity): Record<string, string> {
  const bytes = new TextEncoder().encode(`${clientId}:${clientSecret}`);
  return { authorization: `Basic ${btoa(String.fromCharCode(...bytes))}` };
}

/**
 * Checks a URL of an external account to which tokens are sent: it must be
 * https on a host of Google, or on this machine.
 *
 * @param service first label of the host, which a location can precede or follow:
 *   `sts.googleapis.com`, `us-east1-sts.googleapis.com`, `sts.us-east1.rep.…`.
 * @throws CredentialsError for other URLs.
 */
export function checkServiceUrl(
  url: unknown,
  service: "sts" | "iamcredentials",
  universe: string,
  name: string,
): string {
  const text = typeof url === "string" ? url : "";
  const host = /^https:\/\/([a-z\d.-]+)(?=\/)/i.exec(text)?.[1]?.toLowerCase();
  const isLocal = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?\//.test(
    text,
  );
  const labels = host?.endsWith(`.${universe}`)
    ? host.slice(0, -universe.length - 1).split(/[.-]/)
    : [];
  if ((isLocal || labels.includes(service)) && /^[!-~]+$/.test(text))
    return text;
  throw new CredentialsError(
    `${name} must be a URL of ${service}.${universe}; a key file from an unknown source can send tokens to its author`,
  );
}
