import { isIPv6 } from "node:net";
import {
  createMarketplaceServer,
  type MarketplaceService,
} from "../../../generated/marketplace/v1/server.js";
import {
  ApiError,
  type AuthRequest,
  type RateLimit,
  reply,
  type Reply,
  type ServerRequest,
} from "../../../generated/runtime/server/index.js";
import { ConfigReader } from "../config-reader.js";
import { addLogFields, requestLog } from "../log.js";
import type { Service, ServiceContext } from "../service.js";
import type { StoreReader } from "../store/store.js";
import {
  itemKey,
  type Owner,
  purchaseKey,
  type StoredItem,
  type StoredPurchase,
  tables,
} from "./data.js";
import { ItemLists } from "./item-lists.js";
import { keyIdOf, ownerOf } from "./keys.js";
import { accountOf, itemOf, purchaseOf } from "./view.js";

/**
 * Returns the handlers of the API. If an error has an empty message, the
 * response contains the message from the API description.
 */
function handlers(
  store: StoreReader,
  lists: ItemLists,
  hasSupport: boolean,
): Required<MarketplaceService> {
  return {
    account: {
      async details({ params, request }) {
        const owner = await requireOwner(store, params.api_key, 401, request);
        const account = await store.get<Owner>(tables.owners, owner);
        if (account === undefined) throw new ApiError(401, "");
        return privateReply({ status: "success", data: accountOf(account) });
      },
    },
    items: {
      async all({ params, request }) {
        const owner = await requireOwner(store, params.api_key, 404, request);
        const { size, response, json } = await lists.get(owner);
        if (size === 0) throw new ApiError(404, "");
        return privateReply(response, json);
      },
      async item({ params, request }) {
        const owner = await requireOwner(store, params.api_key, 404, request);
        const item = await findItem(store, owner, params.item_id);
        if (item?.state !== "approved") throw new ApiError(404, "");
        return privateReply({ status: "success", item: itemOf(item) });
      },
    },
    purchases: {
      async validation({ params: { api_key, purchase_code }, request }) {
        const owner = await requireOwner(store, api_key, 404, request);
        if (purchase_code === "")
          throw new ApiError(
            400,
            "Required parameter purchase_code is missing.",
          );
        const key = purchaseKey(owner, purchase_code);
        const purchaseRecord = await store.get<StoredPurchase>(
          tables.purchases,
          key,
        );
        const item =
          purchaseRecord &&
          (await findItem(store, owner, purchaseRecord.itemId));
        if (purchaseRecord === undefined || item === undefined)
          throw new ApiError(404, "");
        const purchase = purchaseOf(purchaseRecord, item, hasSupport);
        return privateReply({ status: "success", data: { purchase } });
      },
    },
  };
}

/**
 * Returns the owner of an API key, and adds both to the log line of the request.
 * An unknown key causes the same error as a missing resource.
 */
async function requireOwner(
  store: StoreReader,
  key: string,
  status: 401 | 404,
  request: ServerRequest,
): Promise<string> {
  if (key === "") throw new ApiError(400, INVALID_REQUEST);
  const owner = await ownerOf(store, key);
  if (owner === undefined) throw new ApiError(status, "");
  addLogFields(request, { owner, keyId: keyIdOf(key) });
  return owner;
}

async function findItem(
  store: StoreReader,
  owner: string,
  id: number,
): Promise<StoredItem | undefined> {
  const key = itemKey(owner, id);
  return key === undefined ? undefined : store.get(tables.items, key);
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

/** Length of the time windows for rate limits, in milliseconds. */
const WINDOW = 60_000;

/**
 * Maximum number of client addresses whose requests are counted. If this number
 * is exceeded, the oldest rate-limit window is dropped.
 */
const MAX_ADDRESSES = 100_000;

interface RateWindow {
  readonly ends: number;
  count: number;
}

/** Class that limits requests per client address in fixed time windows. */
export class RateLimiter {
  readonly #windows = new Map<string, RateWindow>();
  readonly #limit: number;
  readonly #trustsProxy: boolean;
  readonly #now: () => number;

  constructor(limit: number, trustsProxy: boolean, now: () => number) {
    this.#limit = limit;
    this.#trustsProxy = trustsProxy;
    this.#now = now;
  }

  check({ request }: Pick<AuthRequest, "request">): RateLimit | undefined {
    const now = this.#now();
    const window = this.#windowOf(this.#addressOf(request), now);
    window.count++;
    return window.count > this.#limit
      ? { retryAfter: (window.ends - now) / 1000 }
      : undefined;
  }

  #windowOf(address: string, now: number): RateWindow {
    const current = this.#windows.get(address);
    // If the current window ends later than a new window would, the clock was
    // set back. The current window is then replaced.
    const left = current === undefined ? 0 : current.ends - now;
    if (current !== undefined && left > 0 && left <= WINDOW) return current;
    const window = { ends: now + WINDOW, count: 0 };
    // The entry is deleted and inserted again, so that the map remains sorted
    // by the end time of each rate-limit window.
    this.#windows.delete(address);
    this.#windows.set(address, window);
    for (const [oldest, { ends }] of this.#windows) {
      if (ends > now && this.#windows.size <= MAX_ADDRESSES) break;
      this.#windows.delete(oldest);
    }
    return window;
  }

  #addressOf(request: ServerRequest): string {
    const forwarded = this.#trustsProxy
      ? request.header("x-forwarded-for")?.split(",").at(-1)?.trim()
      : undefined;
    return networkOf(forwarded || (request.remoteAddress ?? ""));
  }
}

/**
 * Returns the unit that is limited: an IPv4 address, or the first 64 bits of an
 * IPv6 address, because a network can choose any of the other 64 bits. IPv6
 * forms of IPv4 addresses count as IPv4.
 */
export function networkOf(address: string): string {
  const [host = ""] = address.split("%", 1);
  if (!isIPv6(host)) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(host)?.[1];
  if (mapped !== undefined) return mapped;
  // The URL parser prints an address in one form, with hexadecimal groups.
  const text = new URL(`http://[${host}]/`).hostname.slice(1, -1);
  const [start = "", end] = text.split("::");
  const groups = start.split(":");
  const missing =
    end === undefined ? 0 : 8 - groups.length - end.split(":").length;
  const all = [...groups, ...Array<string>(Math.max(0, missing)).fill("0")];
  return `${all
    .slice(0, 4)
    .map((group) => group || "0")
    .join(":")}::/64`;
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
   * Maximum number of requests per minute and client address in this process;
   * undefined means no limit.
   */
  readonly requestsPerMinute: number | undefined;
  /**
   * True to use the last entry of X-Forwarded-For as the client address. The
   * header can be trusted only behind a reverse proxy that sets it.
   */
  readonly trustsProxy: boolean;
}

/** Default maximum number of requests per minute and client address. */
const DEFAULT_REQUESTS = 60;

/**
 * Returns the request limit of this process: the configured limit divided by
 * the number of processes, because each process counts separately.
 */
function limitIn(reader: ConfigReader): number | undefined {
  const limit =
    reader.integer("requestsPerMinute", { min: 0, max: 1_000_000 }) ??
    DEFAULT_REQUESTS;
  const processes = reader.integer("processes", { min: 1, max: 1_000 }) ?? 1;
  return limit === 0 ? undefined : Math.ceil(limit / processes);
}

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
  return {
    isEnabled: reader.flag("enabled") ?? true,
    hasSupport: reader.flag("support") ?? true,
    requestsPerMinute: limitIn(reader),
    trustsProxy: reader.flag("trustProxy") ?? false,
  };
}

export { admin } from "./admin.js";
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
  const lists = new ItemLists(context.store);
  const service = handlers(context.store, lists, hasSupport);
  const server = createMarketplaceServer(service, {
    ...requestLog,
    ...rateLimitOptions(config, context.now),
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
