import { createMarketplaceServer } from "../../../generated/marketplace/v1/server.js";
import { requestLog } from "../log.js";
import type { Service, ServiceContext } from "../service.js";
import { readConfig, type MarketplaceConfig } from "./config.js";
import { handlers } from "./handlers.js";
import { RateLimiter } from "./rate-limit.js";

export { admin } from "./admin.js";
export { demo } from "./demo.js";

/** Bytes of a body: two parameters. Calls in a batch: each may list all items. */
const LIMITS = { body: 64 * 1024, depth: 10, batch: 20 };

/** Starts the marketplace. */
export async function start(context: ServiceContext): Promise<Service> {
  const config = readConfig(context.config);
  const { isEnabled, hasSupport } = config;
  const server = createMarketplaceServer(handlers(context.store, hasSupport), {
    ...requestLog,
    ...limitOf(config, context.now),
    limits: LIMITS,
  });
  return {
    paths: ["/api/account/", "/api/items/", "/api/purchases/"],
    handle: (request) => (isEnabled ? server.handle(request) : switchedOff()),
    close: () => server.close(),
  };
}

function limitOf(
  { requestsPerMinute, trustsProxy }: MarketplaceConfig,
  now: () => number,
): object {
  if (requestsPerMinute === undefined) return {};
  const limiter = new RateLimiter(requestsPerMinute, trustsProxy, now);
  return { rateLimit: limiter.check.bind(limiter) };
}

/** A page, as the description says, and not the API's envelope. */
function switchedOff(): ReturnType<Service["handle"]> {
  return {
    status: 404,
    headers: { "content-type": "text/html; charset=utf-8" },
    body: "<!doctype html><title>Not Found</title><h1>Not Found</h1>\n",
  };
}
