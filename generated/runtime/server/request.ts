/** What handlers and hooks see of a request, whatever platform it came through. */
export interface ServerRequest {
  /** HTTP method as sent. */
  readonly method: string;
  /** Path and query as sent, from the first slash on. */
  readonly target: string;
  /** A header by its name in lower case; several of a name are joined by commas. */
  header(name: string): string | undefined;
  /** `http://host` that the caller used, as far as the request tells. */
  readonly origin: string;
  /** Address of the caller, where the platform tells it. */
  readonly remoteAddress?: string | undefined;
  /** Aborted when the caller is gone, or the server stops waiting. */
  readonly signal: AbortSignal;
  /** The platform's own request. */
  readonly raw: unknown;
}

/** A request whose body can be read, once. */
export interface Incoming extends ServerRequest {
  /**
   * The body as text (UTF-8).
   *
   * @param limit in bytes; a longer body is refused.
   * @throws ApiError 413 or 408, or whatever breaks the connection.
   */
  text(limit: number): Promise<string>;
  /** The body piece by piece. Leaving early stops the transfer. */
  chunks(): AsyncIterable<Uint8Array>;
}

/** What the pieces of an answer's body may be. */
export type AnswerBody =
  string | Uint8Array | AsyncIterable<Uint8Array | string>;

/** An answer as it goes out. */
export interface Outgoing {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body?: AnswerBody | undefined;
}
