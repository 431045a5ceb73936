/* eslint-disable */
// biome-ignore-all lint: generated

/**
 * Data that the server stores about a resumable upload after the first request.
 * It is plain data, so that a store can serialize it.
 */
export interface UploadSession {
  readonly id: string;
  /** ID of the method that receives the content. */
  readonly method: string;
  /**
   * Decoded parameters and body of the first request, and the result of
   * `authenticate` for it.
   */
  readonly params: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly auth: unknown;
  /** Response format that the caller selected in the first request. */
  readonly form: { readonly fields?: unknown; readonly prettyPrint?: unknown };
  readonly contentType: string;
  /**
   * True if the requests of the session have the header
   * `X-Goog-Upload-Command`.
   */
  readonly hasCommands?: boolean | undefined;
  /** Size of the content in bytes, if the first request declared it. */
  readonly total?: number | undefined;
  /** Maximum size of the content in bytes. */
  readonly limit: number;
}

/** Response to a completed upload. */
export interface StoredResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body?: string | undefined;
}

/** Current state of an upload. If `response` is set, the upload is complete. */
export interface UploadState {
  readonly session: UploadSession;
  /** Number of bytes that have been stored so far. */
  readonly size: number;
  readonly response?: StoredResponse | undefined;
}

/**
 * Store that keeps the state and content of resumable uploads between requests.
 */
export interface UploadStore {
  create(session: UploadSession): Promise<void>;
  /**
   * Returns the state of an upload; undefined if the upload is unknown or
   * expired.
   */
  find(id: string): Promise<UploadState | undefined>;
  /**
   * Appends bytes and returns the new size. If the source fails, the bytes
   * received before the failure must not be lost. Never called concurrently for
   * the same upload.
   */
  append(id: string, chunks: AsyncIterable<Uint8Array>): Promise<number>;
  /** Returns the complete stored content. */
  read(id: string): AsyncIterable<Uint8Array>;
  /**
   * Stores the response to the completed upload. The content can then be
   * discarded.
   */
  finish(id: string, response: StoredResponse): Promise<void>;
  remove(id: string): Promise<void>;
}
