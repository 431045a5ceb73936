import { authorize } from "./auth.js";
import { readEnvelope } from "./envelope.js";
import { ApiError, toApiError, type ErrorFacts } from "./error.js";
import type { Invocation } from "./call.js";
import type { BareOptions, ClientOptions } from "./options.js";
import type { ApiRequest } from "./request.js";
import type { Descriptor, Retry, Service } from "./service.js";

/** An API and the settings to call it with. */
export interface Client {
  /** The API. */
  readonly service: Service;
  /** The settings that the client was made with. */
  readonly options: ClientOptions;
  /** Makes one or more attempts for a call. */
  readonly retry: Retry;
  /**
   * Does the work of a call in time.
   *
   * @param keep whether something of it goes on afterwards, for the signal to end.
   * @throws ApiError (as rejection), whatever goes wrong.
   */
  within<T>(call: Invocation, work: Work<T>, keep?: boolean): Promise<T>;
  /**
   * Makes one attempt and resolves to the answer if its status is 2xx.
   *
   * @throws ApiError of kind `http` for any other status.
   */
  send(request: ApiRequest, call: Invocation): Promise<Response>;
}

/** What is done within a time limit, or without one. */
export type Work<T> = (
  signal: AbortSignal | null,
  facts: ErrorFacts,
) => Promise<T>;

/**
 * Makes the smallest client of an API, for bundles in which bytes count: each
 * call is one attempt, without retries, interceptors and locations. Signals
 * and timeouts rely on `fetch` to obey and on platforms with `AbortSignal.any`;
 * a timeout covers the body of a download, too. Nothing is sent and nothing is
 * checked yet.
 */
export function createBareClient(
  service: Service,
  options: BareOptions = {},
): Client {
  return clientOf(options, {
    service,
    retry: (attempt, request) => attempt(request),
    async within({ descriptor, options: { signal, timeout } }, work) {
      const facts: ErrorFacts = { kind: "request", methodId: descriptor.id };
      const limit = timeout ?? options.timeout;
      const ends = [signal, limit && AbortSignal.timeout(limit)].filter(
        (end) => !!end,
      );
      const own = ends[0] ? AbortSignal.any(ends) : null;
      try {
        return await work(own, facts);
      } catch (thrown) {
        throw toApiError(thrown, own, facts);
      }
    },
    send: async (request, call) =>
      checked(await transmit(options, request), request.facts, call.descriptor),
  });
}

/**
 * Makes a client whose settings, which hold secrets, are hidden: `inspect` and
 * `JSON.stringify` do not show them, and copies of a client have none.
 */
export const clientOf = (
  options: ClientOptions,
  client: Omit<Client, "options">,
): Client =>
  Object.defineProperty(client, "options", { get: () => options }) as Client;

/**
 * Asks for credentials and sends; bare clients follow no redirects. The response has
 * the URL without its query, which can hold secrets.
 */
export async function transmit(
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
 * The response, if its status is 2xx.
 *
 * @throws ApiError of kind `http` (as rejection) for any other status.
 */
export function checked(
  response: Response,
  facts: ErrorFacts,
  descriptor: Descriptor,
): Response | Promise<never> {
  facts.status = response.status;
  facts.headers = response.headers;
  return response.ok ? response : refused(response, facts, descriptor);
}

async function refused(
  response: Response,
  facts: ErrorFacts,
  { errors: read = readEnvelope }: Descriptor,
): Promise<never> {
  const { status } = response;
  // The status counts, also where the body breaks off or is over the limit.
  const envelope = read(await response.text().catch(() => ""), status);
  const { serverMessage = response.statusText } = envelope;
  throw new ApiError(`${status} ${serverMessage}`, {
    ...facts,
    kind: "http",
    requestId: response.headers.get("x-request-id"),
    ...envelope,
  });
}
