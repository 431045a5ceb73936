import { authorize } from "./auth.js";
import type { Client, Descriptor } from "./contract.js";
import { readEnvelope } from "./envelope.js";
import { ApiError, type ErrorFacts } from "./error.js";
import type { BareOptions, ClientOptions } from "./options.js";
import type { ApiRequest } from "./request.js";

/**
 * Adds the settings to a client. They hold secrets, so `inspect`,
 * `JSON.stringify` and copies of the client leave them out.
 */
export const hideOptions = (
  options: ClientOptions,
  client: Omit<Client, "options">,
): Client =>
  Object.defineProperty(client, "options", { get: () => options }) as Client;

/**
 * Sends a request with its credentials. The URL of the response has no query,
 * which can hold secrets.
 *
 * @param defaults init of the transport; by default redirects aren't followed.
 */
export async function sendRequest(
  { auth, fetch: own, transport = own ?? fetch }: BareOptions,
  { facts, init, url, credentials = auth }: ApiRequest,
  defaults: RequestInit = { redirect: "manual" },
): Promise<Response> {
  const headers = await authorize(credentials, init.headers, facts.url!);
  facts.kind = "network";
  return Object.defineProperty(
    await transport(url, { ...defaults, ...init, headers }),
    "url",
    { value: facts.url },
  );
}

/**
 * Returns the response if its status is 2xx.
 *
 * @throws ApiError of kind `http` (as rejection) for any other status.
 */
export async function requireSuccess(
  response: Response,
  facts: ErrorFacts,
  { errors: read = readEnvelope }: Descriptor,
): Promise<Response> {
  const { status, headers } = response;
  facts.status = status;
  facts.headers = headers;
  if (response.ok) return response;
  // A body that breaks off or exceeds the limit still is an error of this status.
  const envelope = read(await response.text().catch(() => ""), status);
  const { serverMessage = response.statusText } = envelope;
  throw new ApiError(`${status} ${serverMessage}`, {
    ...facts,
    kind: "http",
    requestId: headers.get("x-request-id"),
    ...envelope,
  });
}
