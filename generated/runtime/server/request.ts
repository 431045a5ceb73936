/* eslint-disable */
// biome-ignore-all lint: generated

/**
 * Request in the form that handlers and hooks receive, independent of the
 * platform.
 */
export interface ServerRequest {
  /** HTTP method as the caller sent it. */
  readonly method: string;
  /** Path and query as the caller sent them, starting with a slash. */
  readonly target: string;
  /**
   * Returns a header by its lower-case name. The values of repeated headers are
   * joined by commas.
   */
  header(name: string): string | undefined;
  /**
   * Scheme and host that the caller used, such as `http://host`, according to
   * the request and the server's options.
   */
  readonly origin: string;
  /** Path prefix, such as `/api`, that a framework removed from `target`. */
  readonly mount?: string | undefined;
  /** Network address of the caller, if the platform provides it. */
  readonly remoteAddress?: string | undefined;
  /**
   * Signal that is aborted when the caller disconnects or the server closes.
   */
  readonly signal: AbortSignal;
  /** Request object of the platform. */
  readonly raw: unknown;
}

/** Request whose body can be read only once. */
export interface Incoming extends ServerRequest {
  /**
   * True for a call in a batch. Uploads, downloads and streams are not
   * supported in batches.
   */
  readonly isPart?: boolean | undefined;
  /**
   * True if the content encoding has already been decoded, even though the
   * `content-encoding` header still exists.
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
  /** Returns the body in chunks. Reading stops if the iteration ends early. */
  chunks(): AsyncIterable<Uint8Array>;
  /**
   * Aborts `signal`. If a response is being sent, also closes the connection.
   * Called when the server closes.
   */
  abort?(reason: unknown): void;
}

const HOST = /^[\w.-]+(?::\d{1,5})?$|^\[[\da-f:.]+\](?::\d{1,5})?$/i;

/** Tests whether a string is a valid host of a URL, with or without a port. */
export function isHost(text: string | undefined): text is string {
  return text !== undefined && HOST.test(text);
}

/**
 * Returns the absolute URL of a path and query on the server that received the
 * request. Characters that are invalid in a URL are encoded, because the result
 * is used in headers.
 */
export function urlOf(
  { origin, mount = "" }: ServerRequest,
  target: string,
): string {
  return `${origin}${mount}${target}`.replace(/[^!#-;=?-~]/gu, encode);
}

/**
 * Percent-encodes one character as a single byte if possible, because platforms
 * decode the bytes of headers and request targets as Latin-1.
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
