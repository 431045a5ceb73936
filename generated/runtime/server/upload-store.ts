/* eslint-disable */
// biome-ignore-all lint: generated

import { tooLarge } from "./read.js";

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
export interface StoredAnswer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body?: string | undefined;
}

/** An upload under way, or complete. */
export interface UploadState {
  readonly session: UploadSession;
  /** Bytes that are kept. */
  readonly size: number;
  readonly answer?: StoredAnswer | undefined;
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
  finish(id: string, answer: StoredAnswer): Promise<void>;
  remove(id: string): Promise<void>;
}

/** Bounds of the store in memory. */
export interface MemoryUploadOptions {
  /** Bytes of all uploads together. Default: 256 MiB. */
  readonly maxBytes?: number;
  /** Milliseconds after which an upload that nobody touches is forgotten. Default: an hour. */
  readonly maxAge?: number;
}

interface Entry {
  readonly session: UploadSession;
  chunks: Uint8Array[];
  size: number;
  answer?: StoredAnswer;
  touched: number;
}

/** Keeps uploads in memory: for tests, and for content that fits. */
export function memoryUploads({
  maxBytes = 256 * 1024 * 1024,
  maxAge = 3_600_000,
}: MemoryUploadOptions = {}): UploadStore {
  const entries = new Map<string, Entry>();
  let used = 0;
  const drop = (id: string): void => {
    used -= entries.get(id)?.size ?? 0;
    entries.delete(id);
  };
  const sweep = (): void => {
    const oldest = Date.now() - maxAge;
    for (const [id, { touched }] of entries) if (touched < oldest) drop(id);
  };
  const touch = (id: string): Entry | undefined => {
    sweep();
    const entry = entries.get(id);
    if (entry !== undefined) entry.touched = Date.now();
    return entry;
  };
  return {
    async create(session) {
      sweep();
      entries.set(session.id, {
        session,
        chunks: [],
        size: 0,
        touched: Date.now(),
      });
    },
    async find(id) {
      return touch(id);
    },
    async append(id, chunks) {
      const entry = touch(id)!;
      for await (const chunk of chunks) {
        if (used + chunk.length > maxBytes) throw tooLarge(maxBytes);
        used += chunk.length;
        entry.size += chunk.length;
        // A copy: the platform may use its buffer again.
        entry.chunks.push(chunk.slice());
      }
      return entry.size;
    },
    async *read(id) {
      yield* entries.get(id)?.chunks ?? [];
    },
    async finish(id, answer) {
      const entry = touch(id);
      if (entry === undefined) return;
      used -= entry.chunks.reduce((sum, { length }) => sum + length, 0);
      entry.chunks = [];
      entry.answer = answer;
      // From here on only the answer counts, and it is small.
      used += entry.size;
    },
    async remove(id) {
      drop(id);
    },
  };
}
