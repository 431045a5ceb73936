/* eslint-disable */
// biome-ignore-all lint: generated

import type { Client } from "./contract.js";
import { followRedirects } from "./follow-redirects.js";
import { mergeHeaders } from "./headers.js";
import { limitSize } from "./limit-size.js";
import type { LocatedOptions } from "./options.js";
import type { ApiRequest } from "./request.js";
import { retry } from "./retry.js";
import { resolveRootUrl } from "./root-url.js";
import { hideOptions, requireSuccess, sendRequest } from "./send.js";
import type { Service } from "./service.js";
import { withTimeout } from "./with-timeout.js";

export { createBareClient } from "./bare-client.js";
export type { Client } from "./contract.js";
export type {
  BareOptions,
  CallOptions,
  ClientOptions,
  Fetch,
  LocatedOptions,
} from "./options.js";

/**
 * Creates a client of an API, without sending a request.
 *
 * @throws TypeError for a `rootUrl` that is not an absolute URL, a `location`
 *   without an endpoint of the API, or a `universeDomain` that is not a domain.
 */
export function createClient(
  service: Service,
  options: LocatedOptions = {},
): Client {
  const { quotaProject, headers, interceptors = [] } = options;
  const settings = {
    ...options,
    transport: followRedirects((url, init) =>
      (options.transport ?? options.fetch ?? fetch)(url, init),
    ),
    rootUrl: resolveRootUrl(service, options),
    headers: quotaProject
      ? mergeHeaders({ "x-goog-user-project": quotaProject }, headers)
      : headers,
  };
  return hideOptions(settings, {
    service,
    retry,
    withTimeout,
    async send(request, call) {
      const { facts } = request;
      const { interceptors: inner = [] } = call.options;
      const send = [...interceptors, ...inner].reduceRight<Send>(
        (next, interceptor) => (changed) => interceptor(changed, next),
        (changed) => sendRequest(settings, changed),
      );
      const response = await send(request);
      const isMedia = response.ok && call.parameters["alt"] === "media";
      const limit = isMedia ? Infinity : (settings.maxAnswer ?? 2 ** 28);
      return requireSuccess(
        limitSize(response, limit, facts),
        facts,
        call.descriptor,
      );
    },
  });
}

type Send = (request: ApiRequest) => Promise<Response>;
