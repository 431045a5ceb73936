import type {
  AccessToken,
  TokenRequestOptions,
  TokenResponse,
} from "./contract.js";
import { accessToken, parseFields, sendTokenRequest } from "./token-request.js";

/** Sends a request with a JSON body to the IAM Credentials API. */
export async function callIam(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: object,
  options: TokenRequestOptions,
): Promise<TokenResponse> {
  const init = {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(body),
  };
  return sendTokenRequest(url, init, options);
}

/**
 * Requests an access token of a service account. Its time of expiry is compared
 * with the time of the server, because the local clock can be wrong.
 */
export async function generateAccessToken(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: object,
  options: TokenRequestOptions,
): Promise<AccessToken> {
  const response = await callIam(url, headers, body, options);
  const fields = parseFields(response);
  const expires = Date.parse(String(fields["expireTime"]));
  const seconds = (expires - response.serverTime) / 1000;
  return accessToken(fields, "accessToken", seconds);
}
