import { authorize, type Auth } from "./auth.js";
import { readEnvelope } from "./envelope.js";
import { ApiError } from "./error.js";
import type { HeadersLike } from "./headers.js";
import type { ApiRequest } from "./request.js";
import type { Service } from "./service.js";

/** The part of the platform's `fetch` that the runtime uses. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Settings of a client; all of them optional. */
export interface ClientOptions {
  /** Replaces the API's root URL; must be absolute. */
  readonly rootUrl?: string | undefined;
  /** Credentials, see {@link Auth}. Default: anonymous. */
  readonly auth?: Auth | undefined;
  /** API key, sent as query parameter `key` unless a call gives its own. */
  readonly apiKey?: string | undefined;
  /** Headers of every request; they win over those that the runtime sets. */
  readonly headers?: HeadersLike | undefined;
  /** Replaces the platform's `fetch`. */
  readonly fetch?: Fetch | undefined;
  /** Time for one call, see `CallOptions.timeout`. Default: no limit. */
  readonly timeout?: number | undefined;
  /** Parameters of every call, such as `quotaUser`; a call's own ones win. */
  readonly parameters?: object | undefined;
}

/** Settings of one call; they win over those of the client. */
export interface CallOptions {
  /** Aborts the call, and the body of a download that is being read. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Milliseconds for the whole call: credentials, request and reading of the
   * answer; a download's body may take longer. Default: no limit, as for 0.
   */
  readonly timeout?: number | undefined;
  /** More headers; they win over those of the client. */
  readonly headers?: HeadersLike | undefined;
}

/** An API and the settings to call it with; made by {@link createClient}. */
export interface Client {
  /** The API. */
  readonly service: Service;
  /** The settings that the client was made with. */
  readonly options: ClientOptions;
  /**
   * Sends one request and resolves to the answer if its status is 2xx.
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
  return { service, options, send: (request) => send(options, request) };
}

/** One attempt; it asks for a token of its own. */
async function send(
  options: ClientOptions,
  request: ApiRequest,
): Promise<Response> {
  const { fetch: transport = fetch } = options;
  const { facts, init, url } = request;
  const headers = await authorize(options.auth, init.headers, facts.url!);
  facts.kind = "network";
  const response = await transport(url, { ...init, headers });
  facts.status = response.status;
  facts.headers = response.headers;
  facts.requestId = response.headers.get("x-request-id");
  if (response.ok) return response;
  const text = await response.text();
  facts.kind = "http";
  facts.body = text.slice(0, 2000);
  const { message, ...envelope } = readEnvelope(text);
  throw new ApiError(`${facts.status} ${message || response.statusText}`, {
    ...facts,
    ...envelope,
  });
}
