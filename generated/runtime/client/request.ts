/* eslint-disable */
// biome-ignore-all lint: generated

import type { Auth } from "./auth.js";
import type { Invocation } from "./call.js";
import type { ErrorFacts } from "./error.js";
import { mergeHeaders, type PlainHeaders } from "./headers.js";
import { buildUrl } from "./url.js";

/** A request that is ready to be sent, but for its credentials. */
export interface ApiRequest {
  /** Absolute URL with its query. */
  readonly url: string;
  /** What goes to `fetch`; the headers are the method's and the caller's. */
  readonly init: RequestInit & {
    readonly method: string;
    readonly headers: PlainHeaders;
    readonly signal: AbortSignal | null;
  };
  /** What an error would say at this point; grows on the way. */
  readonly facts: ErrorFacts;
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
  signal: AbortSignal | null,
  facts: ErrorFacts,
): ApiRequest {
  const { client, descriptor, options } = call;
  const { verb: method = "GET" } = descriptor;
  const payload = descriptor.body?.(call);
  const [url, query] = buildUrl(call);
  facts.url = url;
  const headers = mergeHeaders(
    payload?.headers,
    descriptor.headers,
    client.options.headers,
    options.headers,
  );
  return {
    url: url + query,
    init: { ...payload, method, headers, signal },
    facts,
  };
}
