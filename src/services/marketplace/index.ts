import {
  createMarketplaceServer,
  type MarketplaceService,
} from "../../../generated/marketplace/v1/server.js";
import {
  ApiError,
  reply,
  type Reply,
  type ServerRequest,
} from "../../../generated/runtime/server/index.js";
import { ConfigReader } from "../config-reader.js";
import { addLogFields, requestLog } from "../log.js";
import type { Service, ServiceContext } from "../service.js";
import { ItemLists } from "./item-lists.js";
import { KeyUses } from "./key-uses.js";
import {
  RateLimiter,
  sharedRateLimiter,
  type RateLimitCheck,
} from "./rate-limit.js";
import { readsOf, type Caller, type MarketplaceReads } from "./reads.js";
import { accountOf, itemOf, purchaseOf } from "./view.js";

/**
 * Returns the handlers of the API. If an error has an empty message, the
 * response contains the message from the API description.
 */
function handlers(
  reads: MarketplaceReads,
  lists: ItemLists,
  uses: KeyUses,
  hasSupport: boolean,
): Required<MarketplaceService> {
  /** Records the caller with a valid key. */
  const onCall = (request: ServerRequest, caller: Caller): void => {
    addLogFields(request, { ...caller });
    uses.add(caller.keyId);
  };
  return {
    account: {
      async details({ params: { api_key }, request }) {
        const found = await reads.account(checkKey(api_key));
        if (found === undefined) throw new ApiError(401, "");
        onCall(request, found.caller);
        const data = accountOf(found.account);
        return privateReply({ status: "success", data });
      },
    },
    items: {
      async all({ params: { api_key }, request }) {
        const found = await reads.version(checkKey(api_key));
        if (found === undefined) throw new ApiError(404, "");
        const { caller, version } = found;
        onCall(request, caller);
        const { size, response, json } = await lists.get(caller.owner, version);
        if (size === 0) throw new ApiError(404, "");
        return privateReply(response, json);
      },
      async item({ params: { api_key, item_id }, request }) {
        const found = await reads.item(checkKey(api_key), item_id);
        if (found !== undefined) onCall(request, found.caller);
        if (found?.item?.state !== "approved") throw new ApiError(404, "");
        return privateReply({ status: "success", item: itemOf(found.item) });
      },
    },
    purchases: {
      async validation({ params: { api_key, purchase_code }, request }) {
        const found = await reads.purchase(checkKey(api_key), purchase_code);
        if (found === undefined) throw new ApiError(404, "");
        onCall(request, found.caller);
        if (purchase_code === "")
          throw new ApiError(
            400,
            "Required parameter purchase_code is missing.",
          );
        if (found.purchase === undefined || found.item === undefined)
          throw new ApiError(404, "");
        const purchase = purchaseOf(found.purchase, found.item, hasSupport);
        return privateReply({ status: "success", data: { purchase } });
      },
    },
  };
}

/** @throws ApiError 400 if the key is empty */
function checkKey(key: string): string {
  if (key === "") throw new ApiError(400, INVALID_REQUEST);
  return key;
}

/** Returns a response that must not be cached (`no-store`). */
function privateReply<T>(value: T, json?: Buffer): Reply<T> {
  return reply(value, { headers: { "cache-control": "no-store" }, json });
}

/** Message of the API for a request without a key. */
const INVALID_REQUEST = "Invalid request";

/**
 * Returns the body of an error about a missing or repeated key. Other errors
 * have the body of the API description, which names the parameter.
 */
function keyErrorBody({ extras: { problems = [] } }: ApiError): unknown {
  return problems.some(({ location }) => location === "api_key")
    ? { status: "error", msg: INVALID_REQUEST }
    : undefined;
}

/** Settings of the marketplace service. */
interface MarketplaceConfig {
  /**
   * True to enable the API. If it is disabled, the response for every path is a
   * 404.
   */
  readonly isEnabled: boolean;
  /** True to include `supported_until` in purchases. */
  readonly hasSupport: boolean;
  /**
   * Maximum number of requests per minute and client address; undefined means
   * no limit.
   */
  readonly requestsPerMinute: number | undefined;
  /**
   * Number of processes, each of which allows its share of the limit. Ignored
   * if the processes share a database, because they count together.
   */
  readonly processes: number;
  /**
   * True to use the last entry of X-Forwarded-For as the client address. The
   * header can be trusted only behind a reverse proxy that sets it.
   */
  readonly trustsProxy: boolean;
}

/** Default maximum number of requests per minute and client address. */
const DEFAULT_REQUESTS = 60;

const KEYS = [
  "enabled",
  "support",
  "requestsPerMinute",
  "processes",
  "trustProxy",
];

/** @throws ConfigError for an unknown setting or an invalid value */
function readConfig(value: unknown): MarketplaceConfig {
  const reader = new ConfigReader(value ?? {}, "", KEYS);
  const limit =
    reader.integer("requestsPerMinute", { min: 0, max: 1_000_000 }) ??
    DEFAULT_REQUESTS;
  return {
    isEnabled: reader.flag("enabled") ?? true,
    hasSupport: reader.flag("support") ?? true,
    requestsPerMinute: limit === 0 ? undefined : limit,
    processes: reader.integer("processes", { min: 1, max: 1_000 }) ?? 1,
    trustsProxy: reader.flag("trustProxy") ?? false,
  };
}

export { demo } from "./demo.js";

/**
 * Limits of requests: size of the body in bytes, nesting depth of the body, and
 * number of calls in a batch. Batches must be small, because each call can list
 * all items of an owner.
 */
const LIMITS = { body: 64 * 1024, depth: 10, batch: 20 };

/** Checks the config of the marketplace service. */
export async function check(config: unknown): Promise<void> {
  readConfig(config);
}

export async function start(context: ServiceContext): Promise<Service> {
  const config = readConfig(context.config);
  const { isEnabled, hasSupport } = config;
  const { store, now } = context;
  const lists = new ItemLists(store);
  const uses = new KeyUses(store, now);
  const service = handlers(readsOf(store, now), lists, uses, hasSupport);
  const server = createMarketplaceServer(service, {
    ...requestLog,
    ...(await rateLimitOptions(config, context)),
    limits: LIMITS,
    envelope: keyErrorBody,
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
      await uses.close();
    },
  };
}

/**
 * Returns the rate limit. If several processes share a database, they count
 * requests together.
 */
async function rateLimitOptions(
  { requestsPerMinute, processes, trustsProxy }: MarketplaceConfig,
  { store, now }: ServiceContext,
): Promise<{ readonly rateLimit?: RateLimitCheck }> {
  if (requestsPerMinute === undefined) return {};
  const { rows, time } = store;
  if (rows !== undefined && time !== undefined)
    return {
      rateLimit: await sharedRateLimiter(
        { rows, time },
        requestsPerMinute,
        trustsProxy,
      ),
    };
  const limit = Math.ceil(requestsPerMinute / processes);
  const limiter = new RateLimiter(limit, trustsProxy, now);
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
