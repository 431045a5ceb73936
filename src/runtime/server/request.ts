/** Request as seen by handlers and hooks, independent of the platform. */
export interface ServerRequest {
  /** HTTP method as sent. */
  readonly method: string;
  /** Path and query as sent, starting with a slash. */
  readonly target: string;
  /**
   * Returns a header by its lower-case name; repeated headers are joined by
   * commas.
   */
  header(name: string): string | undefined;
  /**
   * `http://host` used by the caller, derived from the request and the options.
   */
  readonly origin: string;
  /**
   * Path that a framework removed from the start of `target`, such as `/api`.
   */
  readonly mount?: string | undefined;
  /** Address of the caller, if the platform provides it. */
  readonly remoteAddress?: string | undefined;
  /** Aborted when the caller disconnects, or the server closes. */
  readonly signal: AbortSignal;
  /** Request object of the platform. */
  readonly raw: unknown;
}

/** Request with a body that can be read once. */
export interface Incoming extends ServerRequest {
  /** True for a call in a batch, which may not use media or streams. */
  readonly isPart?: boolean | undefined;
  /**
   * True if `text` and `chunks` return the body without the content encoding
   * that `content-encoding` still names.
   */
  readonly isDecoded?: boolean | undefined;
  /**
   * Reads the body as UTF-8 text.
   *
   * @param limit in bytes; a longer body is refused.
   * @param time milliseconds to receive it.
   * @throws ApiError 413 or 408, or the error of a broken connection.
   */
  text(limit: number, time: number): Promise<string>;
  /** Returns the body in chunks. Leaving the loop early stops the transfer. */
  chunks(): AsyncIterable<Uint8Array>;
  /**
   * Aborts `signal` and closes the connection of a response in progress,
   * because the server closes.
   */
  abort?(reason: unknown): void;
}

const HOST = /^[\w.-]+(?::\d{1,5})?$|^\[[\da-f:.]+\](?::\d{1,5})?$/i;

/** Returns true for a host, optionally with a port, that is valid in a URL. */
export function isHost(text: string | undefined): text is string {
  return text !== undefined && HOST.test(text);
}

/**
 * Returns the absolute URL of a path and query on the server that received the
 * request. Characters that are invalid in a URL are encoded, because the result
 * is written into headers.
 */
export function urlOf(
  { origin, mount = "" }: ServerRequest,
  target: string,
): string {
  return `${origin}${mount}${target}`.replace(/[^!#-;=?-~]/gu, encode);
}

/**
 * Encodes one character; platforms decode header and target bytes as Latin-1.
 */
function encode(character: string): string {
  const code = character.codePointAt(0)!;
  if (code <= 0xff) return `%${code.toString(16).padStart(2, "0")}`;
  const isWhole = code < 0xd800 || code > 0xdfff;
  return encodeURIComponent(isWhole ? character : "\ufffd");
}

/** Body of a response: text, bytes, or a stream of both. */
export type ResponseBody =
  string | Uint8Array | AsyncIterable<Uint8Array | string>;

/** Returns true for a body that is sent in chunks. */
export function isStream(
  body: ResponseBody | undefined,
): body is AsyncIterable<Uint8Array | string> {
  return typeof body === "object" && !(body instanceof Uint8Array);
}

/** Response as passed to the platform. */
export interface Outgoing {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body?: ResponseBody | undefined;
}
