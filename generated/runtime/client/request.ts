import type { Invocation } from "./call.js";
import type { ErrorFacts } from "./error.js";
import { mergeHeaders } from "./headers.js";
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
  const { client, descriptor } = call;
  const { verb: method = "GET" } = descriptor;
  const payload = descriptor.body?.(call);
  const [url, query] = buildUrl(call);
  facts.url = url;
  const headers = mergeHeaders(
    payload?.headers,
    descriptor.headers,
    client.options.headers,
    call.options.headers,
  );
  return {
    url: url + query,
    init: { ...payload, method, headers, signal },
    facts,
  };
}
