import type { Client } from "./contract.js";
import { toApiError, type ErrorContext } from "./error.js";
import type { BareOptions } from "./options.js";
import { hideOptions, requireSuccess, sendRequest } from "./send.js";
import type { Service } from "./contract.js";

/**
 * Creates a minimal client of an API, for small bundles. Each call is sent
 * once. Retries, redirects, interceptors and regional endpoints are not
 * supported. Abort signals and timeouts require a `fetch` that supports signals
 * and a platform with `AbortSignal.any`. A timeout also applies while the body
 * of a download is being read. Creating a client sends no request and does not
 * validate the settings.
 */
export function createBareClient(
  service: Service,
  options: BareOptions = {},
): Client {
  return hideOptions(options, {
    service,
    retry: (attempt, request) => attempt(request),
    async withTimeout(
      { client, descriptor, options: { signal, timeout } },
      task,
      _keep,
      attempt,
    ) {
      const context: ErrorContext = attempt ?? {
        kind: "request",
        methodId: descriptor.id,
      };
      timeout ??= client.options.timeout;
      const signals = [signal, timeout && AbortSignal.timeout(timeout)].filter(
        (one) => one,
      ) as AbortSignal[];
      const combined = signals[0] ? AbortSignal.any(signals) : null;
      try {
        return await task(combined, context);
      } catch (thrown) {
        throw toApiError(thrown, combined, context);
      }
    },
    send: async (request, call) =>
      requireSuccess(
        await sendRequest(call.client.options, request, "manual"),
        request.context,
        call.descriptor,
      ),
  });
}
