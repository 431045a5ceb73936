/* eslint-disable */
// biome-ignore-all lint: generated

import type { Client } from "./contract.js";
import { toApiError, type ErrorFacts } from "./error.js";
import type { BareOptions } from "./options.js";
import { hideOptions, requireSuccess, sendRequest } from "./send.js";
import type { Service } from "./service.js";

/**
 * Creates the smallest client of an API, for bundles where bytes count: each
 * call is one attempt, without retries, redirects, interceptors and locations.
 * Signals and timeouts need a `fetch` that obeys them and a platform with
 * `AbortSignal.any`; a timeout covers the body of a download, too. Sends
 * nothing and validates no settings.
 */
export function createBareClient(
  service: Service,
  options: BareOptions = {},
): Client {
  return hideOptions(options, {
    service,
    retry: (attempt, request) => attempt(request),
    async withTimeout({ descriptor, options: { signal, timeout } }, task) {
      const facts: ErrorFacts = { kind: "request", methodId: descriptor.id };
      const limit = timeout ?? options.timeout;
      const signals = [signal, limit && AbortSignal.timeout(limit)].filter(
        (one) => !!one,
      );
      const combined = signals[0] ? AbortSignal.any(signals) : null;
      try {
        return await task(combined, facts);
      } catch (thrown) {
        throw toApiError(thrown, combined, facts);
      }
    },
    send: async (request, call) =>
      requireSuccess(
        await sendRequest(options, request),
        request.facts,
        call.descriptor,
      ),
  });
}
