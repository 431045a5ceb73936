/* eslint-disable */
// biome-ignore-all lint: generated

/** What handlers and hooks see of a request, whatever platform it came through. */
export interface ServerRequest {
  /** HTTP method as sent. */
  readonly method: string;
  /** Path and query as sent, from the first slash on. */
  readonly target: string;
  /** A header by its name in lower case; several of a name are joined by commas. */
  header(name: string): string | undefined;
  /** `http://host` that the caller used, as far as the request or the options tell. */
  readonly origin: string;
  /** Path that a framework took off the front of `target`, such as `/api`. */
  readonly mount?: string | undefined;
  /** Address of the caller, where the platform tells it. */
  readonly remoteAddress?: string | undefined;
  /** Aborted when the caller is gone, or the server stops waiting. */
  readonly signal: AbortSignal;
  /** The platform's own request. */
  readonly raw: unknown;
}

/** A request whose body can be read, once. */
export interface Incoming extends ServerRequest {
  /** Whether it is a call of a batch, which takes and gives no media and no streams. */
  readonly isPart?: boolean | undefined;
  /** Whether `text` and `chunks` give the body without its content encoding, which `content-encoding` still names. */
  readonly isDecoded?: boolean | undefined;
  /**
   * The body as text (UTF-8).
   *
   * @param limit in bytes; a longer body is refused.
   * @param time milliseconds that it may take.
   * @throws ApiError 413 or 408, or whatever breaks the connection.
   */
  text(limit: number, time: number): Promise<string>;
  /** The body piece by piece. Leaving early stops the transfer. */
  chunks(): AsyncIterable<Uint8Array>;
  /** Aborts `signal`, and the connection of an answer that is on its way: the server stops waiting. */
  abort?(reason: unknown): void;
}

const HOST = /^[\w.-]+(?::\d{1,5})?$|^\[[\da-f:.]+\](?::\d{1,5})?$/i;

/** Whether a text is a host, maybe with a port, as it may stand in a URL. */
export function isHost(text: string | undefined): text is string {
  return text !== undefined && HOST.test(text);
}

/**
 * The absolute URL of a path and query at the server that a request came to.
 * What may not stand in a URL is encoded: it is written into headers.
 */
export function urlOf(
  { origin, mount = "" }: ServerRequest,
  target: string,
): string {
  return `${origin}${mount}${target}`.replace(/[^!#-;=?-~]/gu, encode);
}

/** Platforms give bytes beyond ASCII as one unit each. */
function encode(character: string): string {
  const code = character.codePointAt(0)!;
  if (code <= 0xff) return `%${code.toString(16).padStart(2, "0")}`;
  const isWhole = code < 0xd800 || code > 0xdfff;
  return encodeURIComponent(isWhole ? character : "\ufffd");
}

/** What the pieces of an answer's body may be. */
export type ResponseBody =
  string | Uint8Array | AsyncIterable<Uint8Array | string>;

/** Whether a body comes piece by piece. */
export function isStream(
  body: ResponseBody | undefined,
): body is AsyncIterable<Uint8Array | string> {
  return typeof body === "object" && !(body instanceof Uint8Array);
}

/** An answer as it goes out. */
export interface Outgoing {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body?: ResponseBody | undefined;
}
