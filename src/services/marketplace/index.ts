import { createMarketplaceServer } from "../../../generated/marketplace/v1/server.js";
import { requestLog } from "../log.js";
import type { Service, ServiceContext } from "../service.js";
import { readConfig, type MarketplaceConfig } from "./config.js";
import { handlers } from "./handlers.js";
import { ItemLists } from "./item-lists.js";
import { RateLimiter } from "./rate-limit.js";

export { admin } from "./admin.js";
export { demo } from "./demo.js";

/**
 * Limits of requests: size of the body in bytes, nesting depth of the body, and
 * number of calls in a batch. Batches must be small, because each call can list
 * all items of an owner.
 */
const LIMITS = { body: 64 * 1024, depth: 10, batch: 20 };

/** Starts the marketplace. */
export async function start(context: ServiceContext): Promise<Service> {
  const config = readConfig(context.config);
  const { isEnabled, hasSupport } = config;
  const lists = new ItemLists(context.store);
  const service = handlers(context.store, lists, hasSupport);
  const server = createMarketplaceServer(service, {
    ...requestLog,
    ...rateLimitOptions(config, context.now),
    limits: LIMITS,
  });
  let isClosed = false;
  // Failures of the store are ignored here, because the next request for a list
  // reports them to its caller.
  const warm = lists.warm(() => isClosed).catch(() => {});
  return {
    paths: ["/api/account/", "/api/items/", "/api/purchases/"],
    handle: (request) =>
      isEnabled ? server.handle(request) : disabledResponse(),
    async close(grace) {
      isClosed = true;
      await Promise.all([server.close(grace), warm]);
    },
  };
}

function rateLimitOptions(
  { requestsPerMinute, trustsProxy }: MarketplaceConfig,
  now: () => number,
): object {
  if (requestsPerMinute === undefined) return {};
  const limiter = new RateLimiter(requestsPerMinute, trustsProxy, now);
  return { rateLimit: limiter.check.bind(limiter) };
}

/**
 * Returns the HTML page that the API description specifies for a disabled API.
 */
function disabledResponse(): ReturnType<Service["handle"]> {
  return {
    status: 404,
    headers: { "content-type": "text/html; charset=utf-8" },
    body: "<!doctype html><title>Not Found</title><h1>Not Found</h1>\n",
  };
}
