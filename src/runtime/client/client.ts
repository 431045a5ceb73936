import type { Client, Service } from "./contract.js";
import { followRedirects } from "./follow-redirects.js";
import { mergeHeaders } from "./headers.js";
import { limitSize } from "./limit-size.js";
import { logTo } from "./logger.js";
import type { LocatedOptions } from "./options.js";
import type { ApiRequest } from "./request.js";
import { retry } from "./retry.js";
import { hideOptions, requireSuccess, sendRequest } from "./send.js";
import { withTimeout } from "./with-timeout.js";
import { ownValue } from "./values.js";

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
  const { quotaProject, headers } = options;
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
      const { context } = request;
      // The settings of the call's client can differ from `settings`, because
      // derived clients share this function.
      const { options: common } = call.client;
      const chain = [
        ...(common.interceptors ?? []),
        ...(call.options.interceptors ?? []),
        ...(common.logger ? [logTo(common.logger)] : []),
      ];
      const send = chain.reduceRight<Send>(
        (next, interceptor) => (changed) => interceptor(changed, next),
        (changed) => sendRequest(common, changed),
      );
      const response = await send(request);
      const isMedia = response.ok && call.parameters["alt"] === "media";
      const limit = isMedia ? Infinity : (common.maxResponseSize ?? 2 ** 28);
      return requireSuccess(
        limitSize(response, limit, context),
        context,
        call.descriptor,
      );
    },
  });
}

type Send = (request: ApiRequest) => Promise<Response>;

/**
 * Returns the root URL that results from the settings `location`, `mtls` and
 * `universeDomain`.
 *
 * @throws TypeError for a location without an endpoint of the API, and for an
 *   invalid domain.
 */
export function resolveRootUrl(
  { rootUrl, mtlsRootUrl, endpoints = {} }: Service,
  { rootUrl: own, location, mtls, universeDomain }: LocatedOptions,
): string {
  if (own !== undefined) {
    if (!/^https?:\/\/[^\s/?#@]+(\/[^?#]*)?$/i.test(own))
      throw new TypeError("rootUrl must be an absolute http(s) URL");
    return own;
  }
  let root: string | undefined = rootUrl;
  let domain = universeDomain || "googleapis.com";
  if (location !== undefined) {
    root = ownValue(endpoints, location);
    if (!root) throw new TypeError(`location ${location} is unknown`);
  } else if (mtls) {
    if (mtlsRootUrl) root = mtlsRootUrl;
    else domain = `mtls.${domain}`;
  }
  if (!/^[a-z\d.-]+$/i.test(domain))
    throw new TypeError("universeDomain must be a domain");
  const googleDomain = /^(https:\/\/[^/:]*\.)googleapis\.com(?=[/:]|$)/;
  return root.replace(googleDomain, `$1${domain}`);
}
