/* eslint-disable */
// biome-ignore-all lint: generated

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
  return {
    service,
    options,
    retry: (attempt, request) => attempt(request),
    async within({ descriptor, options: { signal, timeout } }, work) {
      const facts: ErrorFacts = { kind: "request", methodId: descriptor.id };
      const limit = timeout ?? options.timeout;
      const late = limit ? AbortSignal.timeout(limit) : [];
      const ends = [signal ?? [], late].flat();
      const own = ends[0] ? AbortSignal.any(ends) : null;
      try {
        return await work(own, facts);
      } catch (thrown) {
        throw toApiError(thrown, own, facts);
      }
    },
    send: async (request, call) =>
      checked(await transmit(options, request), request.facts, call.descriptor),
  };
}

/** Asks for credentials and sends. */
export async function transmit(
  { auth, fetch: own, transport = own ?? fetch }: BareOptions,
  { facts, init, url, credentials = auth }: ApiRequest,
): Promise<Response> {
  const headers = await authorize(credentials, init.headers, facts.url!);
  facts.kind = "network";
  return transport(url, { ...init, headers });
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
  const { message, ...envelope } = read(await response.text(), status);
  throw new ApiError(`${status} ${message || response.statusText}`, {
    ...facts,
    kind: "http",
    requestId: response.headers.get("x-request-id"),
    ...envelope,
  });
}
