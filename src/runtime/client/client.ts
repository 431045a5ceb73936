import { authorize } from "./auth.js";
import { readEnvelope } from "./envelope.js";
import { ApiError, type ErrorFacts } from "./error.js";
import type { ClientOptions, Interceptor } from "./options.js";
import type { ApiRequest } from "./request.js";
import type { Service } from "./service.js";

export type { CallOptions, ClientOptions, Fetch } from "./options.js";

/** An API and the settings to call it with; made by {@link createClient}. */
export interface Client {
  /** The API. */
  readonly service: Service;
  /** The settings that the client was made with. */
  readonly options: ClientOptions;
  /**
   * Makes one attempt, through all interceptors, and resolves to the answer if
   * its status is 2xx.
   *
   * @throws ApiError of kind `http` for any other status.
   */
  send(request: ApiRequest): Promise<Response>;
}

/** Makes a client of an API. Nothing is sent and nothing is checked yet. */
export function createClient(
  service: Service,
  options: ClientOptions = {},
): Client {
  return {
    service,
    options,
    send: async (request) =>
      checked(await chain(options, request)(request), request.facts),
  };
}

type Next = (request: ApiRequest) => Promise<Response>;

/** The interceptors around the sending. */
function chain(options: ClientOptions, { interceptors }: ApiRequest): Next {
  return [options.interceptors, interceptors]
    .flatMap((layers: readonly Interceptor[] = []) => layers)
    .reduceRight<Next>(
      (next, layer) => (request) => layer(request, next),
      (request) => transmit(options, request),
    );
}

/** Asks for credentials and sends. */
async function transmit(
  { auth, fetch: own, transport = own ?? fetch }: ClientOptions,
  { facts, init, url, credentials = auth }: ApiRequest,
): Promise<Response> {
  const headers = await authorize(credentials, init.headers, facts.url!);
  facts.kind = "network";
  return transport(url, { ...init, headers });
}

/**
 * The response, if its status is 2xx.
 *
 * @throws ApiError of kind `http` for any other status.
 */
export async function checked(
  response: Response,
  facts: ErrorFacts,
): Promise<Response> {
  const { ok, status, statusText, headers } = response;
  const requestId = headers.get("x-request-id");
  Object.assign(facts, { status, headers, requestId });
  if (ok) return response;
  const text = await response.text();
  facts.kind = "http";
  facts.body = text.slice(0, 2000);
  const { message, ...envelope } = readEnvelope(text);
  throw new ApiError(`${status} ${message || statusText}`, {
    ...facts,
    ...envelope,
  });
}
