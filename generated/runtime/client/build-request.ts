/* eslint-disable */
// biome-ignore-all lint: generated

import type { Invocation } from "./contract.js";
import type { ErrorFacts } from "./error.js";
import { mergeHeaders } from "./headers.js";
import type { ApiRequest } from "./request.js";
import { buildUrl } from "./url.js";

/**
 * Builds the HTTP request of a call.
 *
 * @throws Error for a call that can't be sent.
 */
export function buildRequest(
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
    init: Object.assign({}, payload, { method, headers, signal }),
    facts,
  };
}
