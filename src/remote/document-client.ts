import path from "node:path";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { shortUrl } from "./http/url-policy.js";
import {
  fetchUrl,
  type FetchedBody,
  type Validators,
} from "./http/fetch-url.js";
import { type HttpSettings, RemoteError } from "./http/http-settings.js";
import { modifiedTime } from "../platform/modified-time.js";
import { isObject } from "../diagnostics/json.js";
import { readPlainFile } from "../platform/plain-file.js";
import { CACHE_FILE, replaceFile } from "../platform/replace-file.js";
import { userFolder } from "../platform/user-folder.js";

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

/**
 * Maximum number of cached responses. The least recently written responses are
 * removed.
 */
const MAX_RESPONSES = 1000;

/** Age in milliseconds after which a temporary file is removed. */
const MAX_TEMPORARY_AGE = 60 * 60_000;

export interface CachedResponse extends Validators {
  readonly bytes: Buffer;
}

/**
 * Cache of HTTP responses in the user's cache folder. A body is stored under
 * the hash of its bytes, and an entry for each URL contains this hash. The hash
 * is verified whenever a body is read, so an incomplete or modified file counts
 * as missing. Errors are ignored, because without a cache everything is
 * requested again.
 */
export class DocumentCache {
  readonly #project: string;
  readonly #folder: string | undefined;

  /**
   * @param project folder of the project; a cache inside it is not used,
   *   because a repository could contain forged responses
   */
  constructor(project: string) {
    this.#project = project;
    const folder = userFolder(project, false);
    this.#folder =
      folder === undefined ? undefined : path.join(folder, "documents");
  }

  read(url: string): CachedResponse | undefined {
    if (this.#folder === undefined) return undefined;
    try {
      const text = readPlainFile(path.join(this.#folder, entryName(url)));
      const entry = JSON.parse(text?.toString() ?? "") as unknown;
      if (!isObject(entry) || entry["format"] !== 1 || entry["url"] !== url)
        return undefined;
      const { hash } = entry;
      if (typeof hash !== "string" || !/^[0-9a-f]{64}$/.test(hash))
        return undefined;
      const bytes = readPlainFile(path.join(this.#folder, `${hash}.body`));
      return bytes !== undefined && sha256(bytes) === hash
        ? { bytes, ...validatorsOf(entry) }
        : undefined;
    } catch {
      return undefined;
    }
  }

  /** Stores a response, which must be complete and valid. */
  write(url: string, bytes: Buffer, validators: Validators): void {
    try {
      const folder = userFolder(this.#project, true);
      if (folder === undefined) return;
      const documents = path.join(folder, "documents");
      mkdirSync(documents, { recursive: true, mode: 0o700 });
      const hash = sha256(bytes);
      const { etag, lastModified } = validators;
      const entry = JSON.stringify({
        format: 1,
        url,
        hash,
        etag,
        lastModified,
      });
      replaceFile(path.join(documents, `${hash}.body`), bytes, CACHE_FILE);
      replaceFile(path.join(documents, entryName(url)), entry, CACHE_FILE);
      removeOldest(documents);
    } catch {
      // If the entry was not written, the next run requests the document again.
    }
  }
}

function entryName(url: string): string {
  return `${sha256(Buffer.from(url))}.json`;
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/**
 * Returns the ETag and the date of a cache entry, if they are valid header
 * values.
 */
function validatorsOf(entry: Readonly<Record<string, unknown>>): Validators {
  const { etag, lastModified } = entry;
  return {
    ...(typeof etag === "string" && isHeaderText(etag) ? { etag } : {}),
    ...(typeof lastModified === "string" && isHeaderText(lastModified)
      ? { lastModified }
      : {}),
  };
}

function isHeaderText(text: string): boolean {
  return text.length <= 1000 && /^[\x20-\x7e\x80-\xff]+$/.test(text);
}

/** Removes the oldest responses, and temporary files of killed processes. */
function removeOldest(folder: string): void {
  const files = readdirSync(folder)
    .map((name) => path.join(folder, name))
    .map((file) => ({ file, time: modifiedTime(file) }))
    .sort((a, b) => b.time - a.time);
  const expiry = Date.now() - MAX_TEMPORARY_AGE;
  const isOld = ({ file, time }: { file: string; time: number }): boolean =>
    file.endsWith(".tmp") && time < expiry;
  // Each response consists of two files: the entry and the body.
  const excess =
    files.length > 2 * MAX_RESPONSES ? MAX_RESPONSES : files.length;
  for (const { file } of [...files.filter(isOld), ...files.slice(excess)])
    rmSync(file, { force: true });
}
