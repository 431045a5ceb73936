import type { IncomingMessage } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { RemoteError, TemporaryError } from "../remote-error.js";
import { checkUrl, shortUrl } from "./check-url.js";
import { redact, type HttpSettings } from "./http-settings.js";
import { ACCEPT_ENCODING, readBody } from "./read-body.js";
import { responseError } from "./response-error.js";
import { sendRequest, type PendingResponse } from "./send-request.js";

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
  return /^(ECONNRESET|ECONNREFUSED|EPIPE|ETIMEDOUT|EAI_AGAIN)$/.test(code);
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
  const { total } = settings.limits;
  const { code, status } =
    error instanceof RemoteError
      ? error
      : { code: "remote-failed" as const, status: undefined };
  const reason = signal.aborted
    ? `no complete response within ${total} ms`
    : reasonOf(error);
  const message = reason.startsWith(shortUrl(url))
    ? reason
    : `${url.href}: ${reason}`;
  return new RemoteError(
    signal.aborted ? "remote-failed" : code,
    redact(message, settings),
    status,
  );
}

function reasonOf(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException;
  // If connections to several addresses failed, Node.js reports an error
  // without a message.
  return message === "" || message === undefined
    ? (code ?? "no connection")
    : message;
}

async function exchange(
  start: URL,
  validators: Validators,
  settings: HttpSettings,
  signal: AbortSignal,
): Promise<FetchedBody> {
  let url = start;
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const headers = headersFor(url, validators, settings);
    const response = await sendRequest(url, headers, settings, signal);
    const location = redirectOf(response.message);
    if (location === undefined) return await bodyOf(response, settings);
    response.message.destroy();
    url = nextUrl(location, url, settings);
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

function redirectOf(message: IncomingMessage): string | undefined {
  const { statusCode = 0, headers } = message;
  if (![301, 302, 303, 307, 308].includes(statusCode)) return undefined;
  if (headers.location !== undefined) return headers.location;
  message.destroy();
  throw new RemoteError(
    "remote-response",
    `the ${statusCode} response has no Location header`,
  );
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
  response: PendingResponse,
  settings: HttpSettings,
): Promise<FetchedBody> {
  const { statusCode = 0, headers } = response.message;
  if (statusCode !== 200 && statusCode !== 304) {
    const error = await responseError(response);
    throw TEMPORARY.has(statusCode)
      ? new TemporaryError("remote-failed", error, statusCode)
      : new RemoteError("remote-failed", error, statusCode);
  }
  const body = await readBody(response, settings.limits.size);
  const directives = headers["cache-control"] ?? "";
  return {
    status: statusCode,
    body,
    contentType: headers["content-type"] ?? "",
    etag: headers.etag,
    lastModified: headers["last-modified"],
    isStorable: !/\bno-store\b/i.test(directives),
  };
}
