import type { CachedResponse, DocumentCache } from "./document-cache.js";
import { shortUrl } from "./http/url-policy.js";
import {
  fetchUrl,
  type FetchedBody,
  type Validators,
} from "./http/fetch-url.js";
import type { HttpSettings } from "./http/http-settings.js";
import { RemoteError } from "./http/http-settings.js";

/** Parsed value of a response from the server or the cache. */
export interface RemoteValue<T> {
  readonly value: T;
  /**
   * Error of the request; present if the request failed and the value was
   * therefore read from the cache.
   */
  readonly failure?: RemoteError;
}

/**
 * Options for reading a response: its parser, and whether a cached response can
 * be used.
 */
export interface ReadOptions<T> {
  /** Parses the body. Throws if the body is not valid. */
  readonly read: (bytes: Buffer, contentType: string) => T;
  /** True to use the cached response if the server is unavailable. */
  readonly allowStale: boolean;
}

/** Cached response with its parsed value. */
interface CachedValue<T> extends Validators {
  readonly value: T;
}

/** HTTP client with a cache. Only valid responses are cached. */
export class DocumentClient {
  readonly settings: HttpSettings;
  readonly #cache: DocumentCache;
  readonly #isOffline: boolean;

  constructor(
    settings: HttpSettings,
    cache: DocumentCache,
    isOffline: boolean,
  ) {
    this.settings = settings;
    this.#cache = cache;
    this.#isOffline = isOffline;
  }

  /**
   * Returns the parsed content of a URL. A cached response is used if the
   * server confirms its ETag, and in offline mode.
   *
   * @throws RemoteError if the request fails; also throws the errors of `read`
   */
  async get<T>(url: URL, options: ReadOptions<T>): Promise<RemoteValue<T>> {
    const cached = this.#readCached(url, options);
    if (this.#isOffline) return { value: offlineValue(url, cached) };
    let response: FetchedBody;
    try {
      response = await this.#request(url, cached);
    } catch (error) {
      const isUsable =
        options.allowStale &&
        error instanceof RemoteError &&
        error.code === "remote-failed";
      if (!isUsable || cached === undefined) throw error;
      return { value: cached.value, failure: error };
    }
    if (response.status === 304) return { value: cached!.value };
    return { value: this.#store(url, response, options) };
  }

  #readCached<T>(
    url: URL,
    { read }: ReadOptions<T>,
  ): CachedValue<T> | undefined {
    const cached: CachedResponse | undefined = this.#cache.read(url.href);
    if (cached === undefined) return undefined;
    const { bytes, ...validators } = cached;
    try {
      return { value: read(bytes, ""), ...validators };
    } catch {
      // An earlier version of this package accepted the cached response, but
      // this version does not, so the document is requested again.
      return undefined;
    }
  }

  /**
   * Sends a conditional request. If the server confirms a version other than
   * the cached one, the body is requested again.
   */
  async #request(
    url: URL,
    cached: Validators | undefined,
  ): Promise<FetchedBody> {
    const response = await fetchUrl(url, cached ?? {}, this.settings);
    if (response.status === 200) return response;
    if (cached !== undefined && isSameTag(response.etag, cached.etag))
      return response;
    const complete = await fetchUrl(url, {}, this.settings);
    if (complete.status === 200) return complete;
    throw new RemoteError(
      "remote-response",
      `${url.href}: the server responded with status 304 to an unconditional request`,
    );
  }

  #store<T>(url: URL, response: FetchedBody, { read }: ReadOptions<T>): T {
    const { body, contentType, isStorable } = response;
    const value = read(body, contentType);
    if (this.settings.secrets.some((secret) => body.includes(secret)))
      throw new RemoteError(
        "remote-response",
        `${shortUrl(url)}: the response contains a credential that was sent in the request`,
      );
    if (isStorable) this.#cache.write(url.href, body, response);
    return value;
  }
}

/** Compares ETags by weak comparison (RFC 9110, section 8.8.3.2). */
function isSameTag(a: string | undefined, b: string | undefined): boolean {
  const opaque = (tag: string): string => tag.replace(/^W\//, "");
  return a === undefined || b === undefined || opaque(a) === opaque(b);
}

function offlineValue<T>(url: URL, cached: CachedValue<T> | undefined): T {
  if (cached !== undefined) return cached.value;
  throw new RemoteError(
    "remote-offline",
    `${url.href} is not in the cache, and --offline allows no requests`,
  );
}
