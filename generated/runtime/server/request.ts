/* eslint-disable */
// biome-ignore-all lint: generated

/** Request as seen by handlers and hooks, independent of the platform. */
export interface ServerRequest {
  /** HTTP method, as sent by the caller. */
  readonly method: string;
  /** Path and query as sent by the caller, starting with a slash. */
  readonly target: string;
  /**
   * Returns a header by its lower-case name; repeated headers are joined by
   * commas.
   */
  header(name: string): string | undefined;
  /**
   * Scheme and host that the caller used, such as `http://host`; derived from
   * the request and the options.
   */
  readonly origin: string;
  /** Path prefix, such as `/api`, that a framework removed from `target`. */
  readonly mount?: string | undefined;
  /** Network address of the caller, if the platform provides it. */
  readonly remoteAddress?: string | undefined;
  /** Aborted when the caller disconnects or the server closes. */
  readonly signal: AbortSignal;
  /** Original request object of the platform. */
  readonly raw: unknown;
}

/** Request with a body that can be read only once. */
export interface Incoming extends ServerRequest {
  /**
   * True for a call in a batch, which must not use uploads, downloads or
   * streams.
   */
  readonly isPart?: boolean | undefined;
  /**
   * True if the content encoding was already decoded, although the header
   * `content-encoding` is still present.
   */
  readonly isDecoded?: boolean | undefined;
  /**
   * Reads the body as UTF-8 text.
   *
   * @param limit maximum size of the body in bytes.
   * @param time timeout in milliseconds for receiving the body.
   * @throws ApiError 413 or 408, or 400 if the connection is interrupted.
   */
  text(limit: number, time: number): Promise<string>;
  /** Returns the body in chunks. Leaving the loop early stops reading. */
  chunks(): AsyncIterable<Uint8Array>;
  /**
   * Aborts `signal`, and closes the connection if a response is in progress.
   * Called when the server closes.
   */
  abort?(reason: unknown): void;
}

const HOST = /^[\w.-]+(?::\d{1,5})?$|^\[[\da-f:.]+\](?::\d{1,5})?$/i;

/** Returns true for a host that is valid in a URL; it can include a port. */
export function isHost(text: string | undefined): text is string {
  return text !== undefined && HOST.test(text);
}

/**
 * Returns the absolute URL of a path and query on the server that received the
 * request. Encodes characters that are invalid in a URL, because the result is
 * written to headers.
 */
export function urlOf(
  { origin, mount = "" }: ServerRequest,
  target: string,
): string {
  return `${origin}${mount}${target}`.replace(/[^!#-;=?-~]/gu, encode);
}

/**
 * Percent-encodes one character. Encodes it as a single byte if possible, since
 * platforms decode the bytes of headers and targets as Latin-1.
 */
function encode(character: string): string {
  const code = character.codePointAt(0)!;
  if (code <= 0xff) return `%${code.toString(16).padStart(2, "0")}`;
  const isWhole = code < 0xd800 || code > 0xdfff;
  return encodeURIComponent(isWhole ? character : "\ufffd");
}

/** Body of a response: text, bytes, or a stream of text and bytes. */
export type ResponseBody =
  string | Uint8Array | AsyncIterable<Uint8Array | string>;

/** Returns true for a body that is a stream. */
export function isStream(
  body: ResponseBody | undefined,
): body is AsyncIterable<Uint8Array | string> {
  return typeof body === "object" && !(body instanceof Uint8Array);
}

/** Response that is passed to the platform. */
export interface Outgoing {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body?: ResponseBody | undefined;
}
