/** Resumable upload as started; plain data that a store can serialize. */
export interface UploadSession {
  readonly id: string;
  /** ID of the method that receives the content. */
  readonly method: string;
  /**
   * Decoded parameters and body of the first request, and the result of
   * `authenticate`.
   */
  readonly params: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly auth: unknown;
  /** Response format requested by the first request. */
  readonly form: { readonly fields?: unknown; readonly prettyPrint?: unknown };
  readonly contentType: string;
  /** Size in bytes, if declared by the first request. */
  readonly total?: number | undefined;
  /** Size limit in bytes. */
  readonly limit: number;
}

/** Response to a complete upload. */
export interface StoredResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body?: string | undefined;
}

/** Upload in progress or complete. */
export interface UploadState {
  readonly session: UploadSession;
  /** Number of bytes stored. */
  readonly size: number;
  readonly response?: StoredResponse | undefined;
}

/** Store of resumable uploads between requests. */
export interface UploadStore {
  create(session: UploadSession): Promise<void>;
  /** Returns undefined for an unknown or expired upload. */
  find(id: string): Promise<UploadState | undefined>;
  /**
   * Appends bytes, preserving the received ones if the source fails; returns
   * the new size. Never called concurrently for an upload.
   */
  append(id: string, chunks: AsyncIterable<Uint8Array>): Promise<number>;
  /** Returns the content from its first byte. */
  read(id: string): AsyncIterable<Uint8Array>;
  /** Stores the response; the content may be discarded. */
  finish(id: string, response: StoredResponse): Promise<void>;
  remove(id: string): Promise<void>;
}
