/* eslint-disable */
// biome-ignore-all lint: generated

/** A resumable upload as it was started. Plain data, so that it can be written down. */
export interface UploadSession {
  readonly id: string;
  /** Id of the method that gets the content. */
  readonly method: string;
  /** Decoded parameters and body of the first request, and what `authenticate` gave. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly auth: unknown;
  /** Form of the answer that the first request asked for. */
  readonly form: { readonly fields?: unknown; readonly prettyPrint?: unknown };
  readonly contentType: string;
  /** In bytes, where the first request said it. */
  readonly total?: number | undefined;
  /** Most bytes that it may have. */
  readonly limit: number;
}

/** The answer to an upload that is complete. */
export interface StoredResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body?: string | undefined;
}

/** An upload under way, or complete. */
export interface UploadState {
  readonly session: UploadSession;
  /** Bytes that are kept. */
  readonly size: number;
  readonly response?: StoredResponse | undefined;
}

/** Where resumable uploads are kept between requests. */
export interface UploadStore {
  create(session: UploadSession): Promise<void>;
  /** Nothing for one that is unknown or too old. */
  find(id: string): Promise<UploadState | undefined>;
  /**
   * Adds bytes behind those that are kept, and keeps what arrived if the source
   * breaks off; gives the new size. Called once at a time for an upload.
   */
  append(id: string, chunks: AsyncIterable<Uint8Array>): Promise<number>;
  /** The bytes from the first one on. */
  read(id: string): AsyncIterable<Uint8Array>;
  /** Keeps the answer; the bytes are not needed any more. */
  finish(id: string, answer: StoredResponse): Promise<void>;
  remove(id: string): Promise<void>;
}
