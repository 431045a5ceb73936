import { checked, clientOf, transmit, type Client } from "./bare-client.js";
import type { Invocation } from "./call.js";
import { mergeHeaders } from "./headers.js";
import { following } from "./follow-redirects.js";
import { inTime } from "./with-timeout.js";
import { limited } from "./limit-size.js";
import { locate } from "./root-url.js";
import type { ClientOptions, LocatedOptions } from "./options.js";
import type { ApiRequest } from "./request.js";
import { retry } from "./retry.js";
import type { Service } from "./service.js";

export { createBareClient, type Client } from "./bare-client.js";
export type {
  BareOptions,
  CallOptions,
  ClientOptions,
  Fetch,
  LocatedOptions,
} from "./options.js";

/**
 * Makes a client of an API. Nothing is sent yet.
 *
 * @throws TypeError for a `rootUrl` that is not an absolute URL, a `location`
 *   that the API does not have, and a `universeDomain` that is not a domain.
 */
export function createClient(
  service: Service,
  options: LocatedOptions = {},
): Client {
  const { quotaProject, headers, rootUrl } = options;
  if (rootUrl !== undefined) checkRoot(rootUrl);
  const all = {
    ...options,
    transport: following(async (url, init) =>
      (options.transport ?? options.fetch ?? fetch)(url, init),
    ),
    rootUrl: rootUrl ?? locate(service, options),
    headers: quotaProject
      ? mergeHeaders({ "x-goog-user-project": quotaProject }, headers)
      : headers,
  };
  const last: Next = (request) => transmit(all, request, {});
  return clientOf(all, {
    service,
    retry,
    within: inTime,
    async send(request, call) {
      const { facts } = request;
      const layered = all.interceptors ?? call.options.interceptors;
      const next = layered ? chain(all, call) : last;
      const response = await next(request);
      const isMedia = response.ok && call.parameters["alt"] === "media";
      const limit = isMedia ? Infinity : (all.maxAnswer ?? 2 ** 28);
      return checked(limited(response, limit, facts), facts, call.descriptor);
    },
  });
}

/** @throws TypeError for what is not the URL of a server, without user and query. */
function checkRoot(rootUrl: string): void {
  if (!/^https?:\/\/[^\s/?#@]+(\/[^?#]*)?$/i.test(rootUrl))
    throw new TypeError("rootUrl must be an absolute http(s) URL");
}

type Next = (request: ApiRequest) => Promise<Response>;

/** The interceptors around the sending. */
function chain(client: ClientOptions, { options }: Invocation): Next {
  const { interceptors = [] } = client;
  return [...interceptors, ...(options.interceptors ?? [])].reduceRight<Next>(
    (next, layer) => (request) => layer(request, next),
    (request) => transmit(client, request, {}),
  );
}
