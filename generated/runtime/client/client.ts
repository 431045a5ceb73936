/* eslint-disable */
// biome-ignore-all lint: generated

import type { Client, Invocation } from "./contract.js";
import { followRedirects } from "./follow-redirects.js";
import { mergeHeaders } from "./headers.js";
import { limitSize } from "./limit-size.js";
import type { ClientOptions, LocatedOptions } from "./options.js";
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
  const { quotaProject, headers, rootUrl } = options;
  if (rootUrl !== undefined) checkRootUrl(rootUrl);
  const settings = {
    ...options,
    transport: followRedirects((url, init) =>
      (options.transport ?? options.fetch ?? fetch)(url, init),
    ),
    rootUrl: rootUrl ?? resolveRootUrl(service, options),
    headers: quotaProject
      ? mergeHeaders({ "x-goog-user-project": quotaProject }, headers)
      : headers,
  };
  const send: Send = (request) => sendRequest(settings, request);
  return hideOptions(settings, {
    service,
    retry,
    withTimeout,
    async send(request, call) {
      const { facts } = request;
      const response = await intercept(send, settings, call)(request);
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

/**
 * @throws TypeError for a root URL that is not an http(s) URL, or that contains
 *   a user name, query or fragment.
 */
function checkRootUrl(rootUrl: string): void {
  if (!/^https?:\/\/[^\s/?#@]+(\/[^?#]*)?$/i.test(rootUrl))
    throw new TypeError("rootUrl must be an absolute http(s) URL");
}

type Send = (request: ApiRequest) => Promise<Response>;

/**
 * Returns a function that calls `send` through the interceptors of the client
 * and of the call.
 */
function intercept(
  send: Send,
  { interceptors = [] }: ClientOptions,
  { options }: Invocation,
): Send {
  return [...interceptors, ...(options.interceptors ?? [])].reduceRight<Send>(
    (next, interceptor) => (request) => interceptor(request, next),
    send,
  );
}
