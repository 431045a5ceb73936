import type { Auth } from "./auth.js";
import type { Invocation } from "./call.js";
import type { ErrorFacts } from "./error.js";
import { mergeHeaders } from "./headers.js";
import type { Interceptor } from "./options.js";
import type { Payload } from "./service.js";
import { buildUrl } from "./url.js";

/** A request that is ready to be sent, but for its credentials. */
export interface ApiRequest {
  /** Absolute URL with its query. */
  readonly url: string;
  /** What goes to `fetch`; the headers are the method's and the caller's. */
  readonly init: RequestInit & {
    readonly method: string;
    readonly headers: Headers;
    readonly signal: AbortSignal;
  };
  /** What an error would say at this point; grows on the way. */
  readonly facts: ErrorFacts;
  /** Those of the call. */
  readonly interceptors?: readonly Interceptor[] | undefined;
  /** Whether the body can be sent but once. */
  readonly once?: boolean | undefined;
  /** In place of those of the client. */
  readonly credentials?: Auth | undefined;
}

/**
 * Encodes a call.
 *
 * @throws Error for a call that cannot be sent.
 */
export function prepare(
  call: Invocation,
  signal: AbortSignal,
  facts: ErrorFacts,
): ApiRequest {
  const { client, descriptor, options } = call;
  const { verb: method = "GET", apiVersion } = descriptor;
  const { quotaProject } = client.options;
  const { once, ...payload }: Partial<Payload> = descriptor.body?.(call) ?? {};
  const [url, query] = buildUrl(call);
  facts.url = url;
  const headers = mergeHeaders(
    payload.headers,
    {
      ...(apiVersion && { "x-goog-api-version": apiVersion }),
      ...(quotaProject && { "x-goog-user-project": quotaProject }),
    },
    client.options.headers,
    options.headers,
  );
  return {
    url: url + query,
    init: { ...payload, method, headers, signal },
    facts,
    interceptors: options.interceptors,
    once,
  };
}
