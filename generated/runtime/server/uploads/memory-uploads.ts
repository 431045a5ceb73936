/* eslint-disable */
// biome-ignore-all lint: generated

import { memorySize } from "./memory-size.js";
import { ApiError } from "../error.js";
import { uploadNotFound } from "./errors.js";
import { tooLarge } from "../bodies/read.js";
import type { StoredResponse, UploadSession, UploadStore } from "./contract.js";

/** Limits of the in-memory store. */
export interface MemoryUploadOptions {
  /**
   * Bytes of all uploads, including metadata and responses. Default: 256 MiB.
   */
  readonly maxBytes?: number;
  /** Milliseconds of inactivity until an upload expires. Default: an hour. */
  readonly maxAge?: number;
}

/** Fixed overhead of an upload in bytes. */
const UPLOAD = 1024;

/** Minimum and default maximum size of a content block in bytes. */
const PIECE = 1024;
const LARGE_PIECE = 64 * 1024;

interface Entry {
  readonly session: UploadSession;
  /** Content; only the first `size` bytes of all blocks are used. */
  pieces: Uint8Array[];
  /** Unused bytes of the last block. */
  room: number;
  size: number;
  answer?: StoredResponse;
  touched: number;
  /** Memory in bytes charged to this upload. */
  cost: number;
}

/**
 * Stores uploads in memory; for tests, and for content that fits into memory.
 */
export function memoryUploads({
  maxBytes = 256 * 1024 * 1024,
  maxAge = 3_600_000,
}: MemoryUploadOptions = {}): UploadStore {
  const entries = new Map<string, Entry>();
  let used = 0;
  const charge = (entry: Entry, cost: number): void => {
    used += cost;
    entry.cost += cost;
  };
  const drop = (id: string): void => {
    used -= entries.get(id)?.cost ?? 0;
    entries.delete(id);
  };
  const sweep = (): void => {
    const oldest = Date.now() - maxAge;
    for (const [id, { touched }] of entries) {
      // Entries are ordered by their last use.
      if (touched >= oldest) return;
      drop(id);
    }
  };
  const touch = (id: string): Entry | undefined => {
    sweep();
    const entry = entries.get(id);
    if (entry === undefined) return undefined;
    entry.touched = Date.now();
    entries.delete(id);
    entries.set(id, entry);
    return entry;
  };
  return {
    async create(session) {
      sweep();
      const { params, body, form, contentType } = session;
      const cost = UPLOAD + memorySize([params, body, form, contentType]);
      if (used + cost > maxBytes) throw full();
      const entry: Entry = {
        session,
        pieces: [],
        room: 0,
        size: 0,
        touched: Date.now(),
        cost: 0,
      };
      charge(entry, cost);
      entries.set(session.id, entry);
    },
    async find(id) {
      return touch(id);
    },
    async append(id, chunks) {
      const entry = touch(id);
      for await (const chunk of chunks) {
        // Another request may have removed the upload meanwhile.
        if (entry === undefined || touch(id) !== entry) throw uploadNotFound();
        if (entry.size + chunk.length > maxBytes) throw tooLarge(maxBytes);
        if (used + chunk.length > maxBytes) throw full();
        charge(entry, chunk.length);
        keep(entry, chunk);
      }
      return entry?.size ?? 0;
    },
    async *read(id) {
      const { pieces, size } = entries.get(id) ?? { pieces: [], size: 0 };
      let left = size;
      for (const piece of pieces) {
        yield piece.subarray(0, Math.min(left, piece.length));
        left -= piece.length;
      }
    },
    async finish(id, answer) {
      const entry = touch(id);
      if (entry === undefined) return;
      // Releases the content; only the response is needed from now on.
      charge(entry, memorySize(answer) - entry.size);
      entry.pieces = [];
      entry.room = 0;
      entry.answer = answer;
    },
    async remove(id) {
      drop(id);
    },
  };
}

/**
 * Appends a copy of a chunk, since the platform may reuse its buffer. Small
 * chunks share a block.
 */
function keep(entry: Entry, chunk: Uint8Array): void {
  const { pieces } = entry;
  const start = Math.min(entry.room, chunk.length);
  if (start > 0) {
    const last = pieces.at(-1)!;
    last.set(chunk.subarray(0, start), last.length - entry.room);
    entry.room -= start;
  }
  const rest = chunk.subarray(start);
  if (rest.length > 0) {
    const usual = Math.min(LARGE_PIECE, Math.max(PIECE, entry.size));
    const piece = new Uint8Array(Math.max(rest.length, usual));
    piece.set(rest);
    pieces.push(piece);
    entry.room = piece.length - rest.length;
  }
  entry.size += chunk.length;
}

function full(): ApiError {
  return new ApiError(503, "The server stores too many uploads.", {
    headers: { "retry-after": "60" },
  });
}
