import { authorize, type Auth, type HeadersProvider } from "./auth.js";
import type { Client, Descriptor } from "./contract.js";
import { readEnvelope } from "./error.js";
import { ApiError, type ErrorContext } from "./error.js";
import type { BareOptions, ClientOptions } from "./options.js";
import type { ApiRequest } from "./request.js";

/**
 * Adds the settings to a client as a non-enumerable property. The settings
 * contain secrets, so they must not appear in the output of `inspect` and
 * `JSON.stringify`, or in copies of the client.
 */
export const hideOptions = (
  options: ClientOptions,
  client: Omit<Client, "options">,
): Client =>
  Object.defineProperty(client, "options", { get: () => options }) as Client;

/**
 * Returns a copy of a client with the credentials of a call, whose calls can be
 * part of a batch of the original client. Without credentials, returns the
 * client.
 */
export const withAuth = (client: Client, auth: Auth | undefined): Client => {
  if (auth == null) return client;
  const { options } = client;
  const common = options.auth as Partial<HeadersProvider> | undefined;
  return hideOptions(
    { ...options, auth: common?.replaced?.(auth) ?? auth },
    { ...client, base: client },
  );
};

/**
 * Sends a request with its credentials. The `url` of the response does not
 * contain the query, because a query can contain secrets.
 *
 * @param redirect default value of the `redirect` option for the transport.
 */
export async function sendRequest(
  { auth, fetch: own, transport = own ?? fetch }: BareOptions,
  { context, init, url, credentials = auth }: ApiRequest,
  redirect?: "manual",
): Promise<Response> {
  const headers = await authorize(credentials, init.headers, context.url!);
  context.kind = "network";
  const options = { redirect, ...init, headers } as RequestInit;
  return Object.defineProperty(await transport(url, options), "url", {
    value: context.url,
  });
}

/**
 * Returns the response if its status is 2xx.
 *
 * @throws ApiError of kind `http` (as a rejection) for any other status.
 */
export async function requireSuccess(
  response: Response,
  context: ErrorContext,
  { errors: read = readEnvelope }: Descriptor,
): Promise<Response> {
  const { status, headers } = response;
  Object.assign(context, { status, headers });
  if (response.ok) return response;
  // A body that can't be read counts as empty, so that the error still has the
  // HTTP status of the response.
  const envelope = read(await response.text().catch(() => ""), status);
  const { serverMessage = response.statusText } = envelope;
  throw new ApiError(`${status} ${serverMessage}`, {
    ...context,
    kind: "http",
    code: status,
    requestId: headers.get("x-request-id"),
    ...envelope,
  });
}
