import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { brotliDecompress, unzip, type ZlibOptions } from "node:zlib";
import { isObject } from "../../diagnostics/json.js";
import {
  reasonOf,
  withResponse,
  type HttpResponse,
} from "../../platform/http-request.js";
import {
  redact,
  RemoteError,
  TemporaryError,
  type HttpSettings,
} from "./http-settings.js";
import { checkUrl, guardedLookup, shortUrl } from "./url-policy.js";

/** Content codings that the client accepts. */
const ACCEPT_ENCODING = "gzip, br";

/** Maximum size in bytes of an error response body that is read. */
const MAX_ERROR_BYTES = 64 * 1024;

/** Maximum number of redirects that a request follows. */
const MAX_REDIRECTS = 5;

/**
 * Status codes after which a request is retried, because the failure is
 * temporary.
 */
const TEMPORARY = new Set([408, 429, 500, 502, 503, 504]);

/**
 * Validators of a cached response (ETag and date), for a conditional request.
 */
export interface Validators {
  readonly etag?: string | undefined;
  readonly lastModified?: string | undefined;
}

/** Response with status 200, or with status 304 to a conditional request. */
export interface FetchedBody extends Validators {
  readonly status: 200 | 304;
  /** Body; empty if the status is 304. */
  readonly body: Buffer;
  readonly contentType: string;
  /**
   * False if the server does not allow the response to be stored (RFC 9111).
   */
  readonly isStorable: boolean;
}

/**
 * Requests a URL within the limits of the settings, and follows redirects.
 * Retries the request after temporary failures.
 *
 * @param url URL that parseRemoteUrl has checked
 * @throws RemoteError with a message that does not contain credentials
 */
export async function fetchUrl(
  url: URL,
  validators: Validators,
  settings: HttpSettings,
): Promise<FetchedBody> {
  const signal = AbortSignal.timeout(settings.limits.total);
  for (const wait of [...settings.limits.delays, undefined]) {
    try {
      return await exchange(url, validators, settings, signal);
    } catch (error) {
      if (signal.aborted || wait === undefined || !isTemporary(error))
        throw failureOf(error, url, settings, signal);
      await delay(wait, undefined, { signal }).catch(() => {});
    }
  }
  throw new RemoteError("remote-failed", `no request was sent to ${url.href}`);
}

function isTemporary(error: unknown): boolean {
  if (error instanceof RemoteError) return error instanceof TemporaryError;
  const { code = "" } = error as NodeJS.ErrnoException;
  return /^(ECONNRESET|ECONNREFUSED|EPIPE|ETIMEDOUT|EAI_AGAIN|UND_ERR_SOCKET|UND_ERR_CONNECT_TIMEOUT)$/.test(
    code,
  );
}

/**
 * Converts the failure of a request to an error with the URL. The message does
 * not contain credentials.
 */
function failureOf(
  error: unknown,
  url: URL,
  settings: HttpSettings,
  signal: AbortSignal,
): RemoteError {
  const { total, idle } = settings.limits;
  const { code, status } =
    error instanceof RemoteError
      ? error
      : { code: "remote-failed" as const, status: undefined };
  const reason = signal.aborted
    ? `no complete response within ${total} ms`
    : reasonOf(error, idle);
  const message = reason.startsWith(shortUrl(url))
    ? reason
    : `${url.href}: ${reason}`;
  return new RemoteError(
    signal.aborted ? "remote-failed" : code,
    redact(message, settings),
    status,
  );
}

async function exchange(
  start: URL,
  validators: Validators,
  settings: HttpSettings,
  signal: AbortSignal,
): Promise<FetchedBody> {
  const { env, ca, limits } = settings;
  const lookup = guardedLookup(settings);
  let url = start;
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const headers = headersFor(url, validators, settings);
    const request = { method: "GET", headers, signal, env, ca, lookup };
    const found = await withResponse(
      url,
      { ...request, idle: limits.idle },
      async (response) => {
        const location = redirectOf(response);
        return location === undefined
          ? await bodyOf(response, settings)
          : nextUrl(location, url, settings);
      },
    );
    if (!(found instanceof URL)) return found;
    url = found;
  }
  throw new RemoteError(
    "remote-response",
    `the server redirected more than ${MAX_REDIRECTS} times`,
  );
}

/**
 * Returns the request headers. Credentials are included only for the host for
 * which they are configured.
 */
function headersFor(
  url: URL,
  { etag, lastModified }: Validators,
  settings: HttpSettings,
): Record<string, string> {
  return {
    accept: "application/json",
    "accept-encoding": ACCEPT_ENCODING,
    "user-agent": "discovery-codegen",
    ...(etag === undefined ? {} : { "if-none-match": etag }),
    ...(etag !== undefined || lastModified === undefined
      ? {}
      : { "if-modified-since": lastModified }),
    ...settings.headersOf(url),
  };
}

function redirectOf(response: HttpResponse): string | undefined {
  const { statusCode } = response;
  if (![301, 302, 303, 307, 308].includes(statusCode)) return undefined;
  const location = headerOf(response, "location");
  if (location !== undefined) return location;
  throw new RemoteError(
    "remote-response",
    `the ${statusCode} response has no Location header`,
  );
}

/** Returns the first value of a header. */
function headerOf({ headers }: HttpResponse, name: string): string | undefined {
  return [headers[name]].flat()[0];
}

function nextUrl(location: string, from: URL, settings: HttpSettings): URL {
  if (!URL.canParse(location, from.href))
    throw new RemoteError(
      "remote-response",
      "the Location header of a redirect is not a URL",
    );
  const url = new URL(location, from);
  if (from.protocol === "https:" && url.protocol === "http:")
    throw new RemoteError(
      "remote-refused",
      `the redirect from https to ${shortUrl(url)} is not allowed`,
    );
  checkUrl(url, settings);
  // Credentials in a redirect URL would be sent as Basic authentication, so
  // they are removed.
  url.username = "";
  url.password = "";
  return url;
}

async function bodyOf(
  response: HttpResponse,
  settings: HttpSettings,
): Promise<FetchedBody> {
  const { statusCode } = response;
  if (statusCode !== 200 && statusCode !== 304) {
    const message = await errorMessage(response, settings);
    throw TEMPORARY.has(statusCode)
      ? new TemporaryError("remote-failed", message, statusCode)
      : new RemoteError("remote-failed", message, statusCode);
  }
  const body = await readBody(response, settings.limits.size, settings);
  const directives = String(response.headers["cache-control"]);
  return {
    status: statusCode,
    body,
    contentType: headerOf(response, "content-type") ?? "",
    etag: headerOf(response, "etag"),
    lastModified: headerOf(response, "last-modified"),
    isStorable: !/\bno-store\b/i.test(directives),
  };
}

/**
 * Returns a message with the status of a response and, if the body is an API
 * error, the error's message, truncated to 200 characters.
 */
async function errorMessage(
  response: HttpResponse,
  settings: HttpSettings,
): Promise<string> {
  const { statusCode, statusText } = response;
  const status =
    `the server responded with ${statusCode} ${statusText}`.trimEnd();
  try {
    const bytes = await readBody(response, MAX_ERROR_BYTES, settings);
    const body: unknown = JSON.parse(bytes.toString("utf8"));
    const error = isObject(body) ? body["error"] : undefined;
    const text = isObject(error) ? error["message"] : error;
    return typeof text === "string"
      ? `${status}: ${text.slice(0, 200)}`
      : status;
  } catch {
    return status;
  }
}

/**
 * Reads and decompresses a body.
 *
 * @param limit maximum size in bytes; applies before and after decompression
 * @throws RemoteError if the body is too large or incomplete
 */
async function readBody(
  response: HttpResponse,
  limit: number,
  { limits: { idle } }: HttpSettings,
): Promise<Buffer> {
  if (Number(headerOf(response, "content-length") ?? 0) > limit)
    throw tooLarge(limit);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response.body) {
      size += (chunk as Buffer).length;
      if (size > limit) throw tooLarge(limit);
      chunks.push(chunk as Buffer);
    }
  } catch (error) {
    if (error instanceof RemoteError) throw error;
    throw new TemporaryError(
      "remote-failed",
      `the body is incomplete: ${reasonOf(error, idle)}`,
    );
  }
  return decompressed(Buffer.concat(chunks, size), response, limit);
}

async function decompressed(
  bytes: Buffer,
  response: HttpResponse,
  limit: number,
): Promise<Buffer> {
  const header = headerOf(response, "content-encoding") ?? "identity";
  const coding = header.trim().toLowerCase();
  if (coding === "identity" || coding === "") return bytes;
  const decompress = DECODERS.get(coding);
  if (decompress === undefined)
    throw new RemoteError(
      "remote-response",
      `Content-Encoding must be one of ${ACCEPT_ENCODING}, found ${JSON.stringify(coding.slice(0, 50))}`,
    );
  try {
    return await decompress(bytes, { maxOutputLength: limit });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ERR_BUFFER_TOO_LARGE") throw tooLarge(limit);
    throw new RemoteError(
      "remote-response",
      `the body is not valid ${coding} data: ${message}`,
    );
  }
}

/** Functions that decompress a body, keyed by content coding. */
const DECODERS = new Map([
  ["gzip", promisify<Buffer, ZlibOptions, Buffer>(unzip)],
  ["x-gzip", promisify<Buffer, ZlibOptions, Buffer>(unzip)],
  ["deflate", promisify<Buffer, ZlibOptions, Buffer>(unzip)],
  ["br", promisify<Buffer, ZlibOptions, Buffer>(brotliDecompress)],
]);

function tooLarge(limit: number): RemoteError {
  return new RemoteError(
    "remote-response",
    `the body must not be larger than ${limit} bytes`,
  );
}
