import type {
  Incoming,
  Outgoing,
  Server,
  ServerRequest,
} from "../../../generated/runtime/server/index.js";
import { HOST_HEADER } from "../../platform/host-names.js";
import { addLogFields, logFieldsOf, type RequestLogFields } from "../log.js";
import { ByteCache } from "./byte-cache.js";
import type { DirectoryConfig } from "./config.js";
import { badHost, closing, internalError } from "./error-responses.js";
import { type EncodedBody, Representation } from "./representation.js";
import { UnconditionalRequest } from "./unconditional-request.js";

/** Maximum size of the cache in bytes, including all content codings. */
const CACHE_BYTES = 10 * 1024 * 1024;

/** Maximum length of a cache key. Responses with longer keys are not cached. */
const MAX_TARGET = 1024;

/** Components that create the responses for the cache. */
export interface Upstream {
  readonly server: Server;
  /**
   * Converts an alias such as `/$discovery/rest` to its request target; returns
   * undefined if the path is not an alias.
   */
  resolveAlias(target: string, host: string): string | undefined;
  /**
   * Returns an HTML page; undefined if the target is not the path of a page.
   */
  page(
    target: string,
    origin: string,
  ): Outgoing | Promise<Outgoing> | undefined;
}

/**
 * Response, and the log fields that are added to each request that receives
 * this response.
 */
interface LoggedResponse<T> {
  readonly response: T;
  readonly logFields: RequestLogFields;
}

type CacheEntry = LoggedResponse<Representation>;

type UpstreamResult = CacheEntry | LoggedResponse<Outgoing>;

/**
 * Cache for responses of the generated server and for HTML pages. Complete
 * responses are stored, keyed by origin and request target. The cache sends
 * them in an accepted content coding, or sends a 304 if the caller already has
 * the current version.
 */
export class ResponseCache {
  readonly #upstream: Upstream;
  readonly #config: DirectoryConfig;
  readonly #cache = new ByteCache<CacheEntry>(CACHE_BYTES);
  readonly #pending = new Map<string, Promise<UpstreamResult>>();
  #generation = 0;
  #isClosed = false;

  constructor(upstream: Upstream, config: DirectoryConfig) {
    this.#upstream = upstream;
    this.#config = config;
  }

  /** Removes all entries. */
  clear(): void {
    this.#generation++;
    this.#cache.clear();
    this.#pending.clear();
  }

  /** Rejects further requests. */
  close(): void {
    this.#isClosed = true;
    this.clear();
  }

  /** Handles a request. Never throws or rejects. */
  handle(request: Incoming): Outgoing | Promise<Outgoing> {
    if (this.#isClosed) return closing();
    const origin = callerOrigin(request, this.#config);
    if (origin === undefined) return badHost();
    const { method, target } = request;
    if (method !== "GET" && method !== "HEAD")
      return this.#forward(request, origin);
    const key = `${origin} ${target}`;
    const entry = this.#cache.get(key);
    return entry === undefined
      ? this.#respond(request, origin, key)
      : this.#send(entry, request, key);
  }

  async #respond(
    request: Incoming,
    origin: string,
    key: string,
  ): Promise<Outgoing> {
    try {
      const result = await this.#fetchOnce(request, origin, key);
      if (isCacheEntry(result)) return await this.#send(result, request, key);
      const { response, logFields } = result;
      addLogFields(request, logFields);
      return { ...response, headers: { ...response.headers } };
    } catch {
      return internalError();
    }
  }

  /**
   * Fetches a response. Concurrent requests for the same key are combined into
   * one.
   */
  #fetchOnce(
    request: Incoming,
    origin: string,
    key: string,
  ): Promise<UpstreamResult> {
    const pending = this.#pending.get(key);
    if (pending !== undefined) return pending;
    const generation = this.#generation;
    const fetched = this.#fetch(request, origin).finally(() => {
      if (this.#pending.get(key) === fetched) this.#pending.delete(key);
    });
    this.#pending.set(key, fetched);
    const store = (result: UpstreamResult): void => {
      const isCurrent = generation === this.#generation;
      if (isCacheEntry(result) && isCurrent && key.length <= MAX_TARGET)
        this.#cache.set(
          key,
          result,
          result.response.heldBytes + 2 * key.length + 500,
        );
    };
    fetched.then(store, () => {});
    return fetched;
  }

  async #fetch(request: Incoming, origin: string): Promise<UpstreamResult> {
    const { server, page } = this.#upstream;
    const target = this.#targetOf(request, origin);
    const pageResponse = await page(target, origin);
    const upstreamRequest = new UnconditionalRequest(request, "GET", target);
    const response =
      pageResponse ?? withApiHeaders(await server.handle(upstreamRequest));
    const { status, headers, body } = response;
    const { "content-type": type, "content-length": _, ...others } = headers;
    const source = upstreamRequest.compressedBody ?? sourceOf(body);
    const logFields = logFieldsOf(upstreamRequest);
    if (status !== 200 || source === undefined || type === undefined)
      return { response, logFields };
    if (upstreamRequest.compressedBody !== undefined) await cancelStream(body);
    return { response: new Representation(source, type, others), logFields };
  }

  async #forward(request: Incoming, origin: string): Promise<Outgoing> {
    const target = this.#targetOf(request, origin);
    const { method } = request;
    const isPage =
      method !== "OPTIONS" && /^\/(?:$|\?|apis\/|assets\/)/.test(target);
    if (isPage) return { status: 405, headers: { allow: "GET, HEAD" } };
    const response = await this.#upstream.server.handle(
      new UnconditionalRequest(request, method, target),
    );
    return withApiHeaders(response);
  }

  #targetOf({ target }: Incoming, origin: string): string {
    const host = origin.slice(origin.indexOf("://") + 3);
    return this.#upstream.resolveAlias(target, host) ?? target;
  }

  #send(
    entry: CacheEntry,
    request: Incoming,
    key: string,
  ): Outgoing | Promise<Outgoing> {
    const { response, logFields } = entry;
    addLogFields(request, logFields);
    const match = response.matchingTag(request.header("if-none-match"));
    if (match !== undefined)
      return {
        status: 304,
        headers: { ...response.headers, etag: match, vary: VARY },
      };
    const encoded = response.encode(
      request.header("accept-encoding"),
      (bytes) => this.#cache.grow(key, entry, bytes),
    );
    return encoded instanceof Promise
      ? encoded.then((body) => fullResponse(response, body), internalError)
      : fullResponse(response, encoded);
  }
}

function isCacheEntry(result: UpstreamResult): result is CacheEntry {
  return result.response instanceof Representation;
}

/** Returns the bytes of a body; undefined for streams, which are not cached. */
function sourceOf(body: Outgoing["body"]): Buffer | undefined {
  if (typeof body === "string") return Buffer.from(body);
  return body instanceof Uint8Array ? asBuffer(body) : undefined;
}

/**
 * Cancels a stream that will not be read, so that its resources are released.
 */
async function cancelStream(body: Outgoing["body"]): Promise<void> {
  if (typeof body === "object" && !(body instanceof Uint8Array))
    await body[Symbol.asyncIterator]().return?.();
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Request header that determines the content coding of the response. */
const VARY = "accept-encoding";

/**
 * Adds headers to an API response: CORS headers for all origins and, for status
 * 200, headers that allow caching for five minutes.
 */
function withApiHeaders(response: Outgoing): Outgoing {
  const { status, headers } = response;
  return {
    ...response,
    headers: {
      ...(status === 200 ? { "cache-control": "public, max-age=300" } : {}),
      ...headers,
      "access-control-allow-origin": "*",
      "access-control-expose-headers": "etag",
      "x-content-type-options": "nosniff",
    },
  };
}

/** Returns a response with status 200 and the given encoded body. */
function fullResponse(
  entry: Representation,
  { body, etag, coding }: EncodedBody,
): Outgoing {
  const headers: Record<string, string> = {
    ...entry.headers,
    "content-type": entry.contentType,
    etag,
    vary: VARY,
  };
  if (coding !== "identity") headers["content-encoding"] = coding;
  return { status: 200, headers, body };
}

/**
 * Returns the origin that the caller used, such as `http://127.0.0.1:8080`;
 * undefined if the `Host` header is invalid. `X-Forwarded-*` headers are used
 * only if the config trusts them, because any caller can send them.
 */
export function callerOrigin(
  request: Pick<ServerRequest, "header" | "origin">,
  { origin, trustForwarded }: DirectoryConfig,
): string | undefined {
  if (origin !== undefined) return origin;
  const forwarded = (name: string): string | undefined =>
    trustForwarded
      ? request.header(`x-forwarded-${name}`)?.split(",", 1)[0]?.trim()
      : undefined;
  const [requestScheme, requestHost] = request.origin.split("://", 2);
  // The `Host` header is read to detect an invalid host, because the runtime
  // replaces invalid hosts in `request.origin`.
  const host = forwarded("host") ?? request.header("host") ?? requestHost;
  const scheme = forwarded("proto")?.toLowerCase() ?? requestScheme;
  if (host === undefined || !HOST_HEADER.test(host)) return undefined;
  if (scheme !== "http" && scheme !== "https") return undefined;
  return `${scheme}://${host.toLowerCase()}`;
}
