/* eslint-disable */
// biome-ignore-all lint: generated

import { memorySize } from "./memory-size.js";
import { ApiError } from "../error.js";
import { uploadNotFound } from "./errors.js";
import { tooLarge } from "../bodies/read.js";
import type { StoredResponse, UploadSession, UploadStore } from "./contract.js";

/** Options of the in-memory store. */
export interface MemoryUploadOptions {
  /**
   * Maximum memory in bytes for all uploads, including their metadata and
   * responses. Default: 256 MiB.
   */
  readonly maxBytes?: number;
  /**
   * Time of inactivity in milliseconds after which an upload expires. Default:
   * one hour.
   */
  readonly maxAge?: number;
}

/** Estimated fixed memory overhead of an upload in bytes. */
const OVERHEAD = 1024;

/**
 * Minimum and maximum size in bytes of a memory block for content. A chunk that
 * is larger than a block is stored in a block of its own size.
 */
const MIN_BLOCK = 1024;
const MAX_BLOCK = 64 * 1024;

interface StoredUpload {
  readonly session: UploadSession;
  /**
   * Memory blocks that contain the content. The first `size` bytes in them are
   * used.
   */
  blocks: Uint8Array[];
  /** Number of unused bytes at the end of the last block. */
  unusedBytes: number;
  size: number;
  response?: StoredResponse;
  lastUsed: number;
  /**
   * Memory of this upload in bytes. It counts towards the limit for all
   * uploads.
   */
  cost: number;
}

/**
 * Returns a store that keeps uploads in memory. Intended for tests, and for
 * content that fits into memory.
 */
export function memoryUploads({
  maxBytes = 256 * 1024 * 1024,
  maxAge = 3_600_000,
}: MemoryUploadOptions = {}): UploadStore {
  const entries = new Map<string, StoredUpload>();
  let used = 0;
  const charge = (entry: StoredUpload, cost: number): void => {
    used += cost;
    entry.cost += cost;
  };
  const drop = (id: string): void => {
    used -= entries.get(id)?.cost ?? 0;
    entries.delete(id);
  };
  const sweep = (): void => {
    const oldest = Date.now() - maxAge;
    for (const [id, { lastUsed }] of entries) {
      // Entries are sorted by the time of their last use, so all following
      // entries are newer.
      if (lastUsed >= oldest) return;
      drop(id);
    }
  };
  const touch = (id: string): StoredUpload | undefined => {
    sweep();
    const entry = entries.get(id);
    if (entry === undefined) return undefined;
    entry.lastUsed = Date.now();
    entries.delete(id);
    entries.set(id, entry);
    return entry;
  };
  return {
    async create(session) {
      sweep();
      const { params, body, form, contentType } = session;
      const cost = OVERHEAD + memorySize([params, body, form, contentType]);
      if (used + cost > maxBytes) throw storeFull();
      const entry: StoredUpload = {
        session,
        blocks: [],
        unusedBytes: 0,
        size: 0,
        lastUsed: Date.now(),
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
        // Another request can have removed the upload since it was last
        // checked.
        if (entry === undefined || touch(id) !== entry) throw uploadNotFound();
        if (entry.size + chunk.length > maxBytes) throw tooLarge(maxBytes);
        if (used + chunk.length > maxBytes) throw storeFull();
        charge(entry, chunk.length);
        appendChunk(entry, chunk);
      }
      return entry?.size ?? 0;
    },
    async *read(id) {
      const { blocks, size } = entries.get(id) ?? { blocks: [], size: 0 };
      let left = size;
      for (const block of blocks) {
        yield block.subarray(0, Math.min(left, block.length));
        left -= block.length;
      }
    },
    async finish(id, response) {
      const entry = touch(id);
      if (entry === undefined) return;
      // The content is released, because later requests need only the response.
      charge(entry, memorySize(response) - entry.size);
      entry.blocks = [];
      entry.unusedBytes = 0;
      entry.response = response;
    },
    async remove(id) {
      drop(id);
    },
  };
}

/**
 * Appends a copy of a chunk. The chunk is copied because the platform can reuse
 * its buffer. Small chunks share a memory block.
 */
function appendChunk(entry: StoredUpload, chunk: Uint8Array): void {
  const { blocks } = entry;
  const start = Math.min(entry.unusedBytes, chunk.length);
  if (start > 0) {
    const last = blocks.at(-1)!;
    last.set(chunk.subarray(0, start), last.length - entry.unusedBytes);
    entry.unusedBytes -= start;
  }
  const rest = chunk.subarray(start);
  if (rest.length > 0) {
    const size = Math.min(MAX_BLOCK, Math.max(MIN_BLOCK, entry.size));
    const block = new Uint8Array(Math.max(rest.length, size));
    block.set(rest);
    blocks.push(block);
    entry.unusedBytes = block.length - rest.length;
  }
  entry.size += chunk.length;
}

function storeFull(): ApiError {
  return new ApiError(
    503,
    "The server stores too many uploads. Try again later.",
    {
      headers: { "retry-after": "60" },
    },
  );
}
