/* eslint-disable */
// biome-ignore-all lint: generated

import { chunksOf } from "../web-stream.js";
import type { UploadBody, UploadMedia } from "./types.js";

/** Part of the content of an upload. */
export interface Chunk {
  readonly bytes: Blob | Uint8Array<ArrayBuffer>;
  readonly length: number;
  readonly last: boolean;
}

/**
 * Content of an upload. A stream is read sequentially, at most one chunk in
 * advance.
 */
export interface Source {
  /** Total number of bytes, if known. */
  readonly size: number | undefined;
  /** Content that can be read from any offset; absent for a stream. */
  readonly fixed?: Blob | Uint8Array<ArrayBuffer>;
  /** Tests whether {@link Source.chunk} can still read from an offset. */
  canRead(offset: number): boolean;
  /** Reads at most `length` bytes from an offset. */
  chunk(offset: number, length: number): Promise<Chunk>;
  /**
   * Iterates over the content once. Exists only if {@link Source.fixed} is
   * absent.
   */
  chunks?(): AsyncGenerator<Uint8Array<ArrayBuffer>>;
  /** Closes the stream. Unread content is discarded. */
  release(): void;
}

/**
 * Returns an object that reads a request body in chunks.
 *
 * @throws TypeError for a body that can't be sent.
 */
export function sourceOf({ body, size }: UploadMedia): Source {
  if (isStream(body)) return streamSource(body, size);
  return fixedSource(body instanceof Blob ? body : toBytes(body));
}

function isStream(body: unknown): body is StreamBody {
  const object = Object(body);
  return "getReader" in object || Symbol.asyncIterator in object;
}

type StreamBody = Exclude<
  UploadBody,
  string | Blob | ArrayBuffer | ArrayBufferView
>;

function fixedSource(fixed: Blob | Uint8Array<ArrayBuffer>): Source {
  const size = fixed instanceof Blob ? fixed.size : fixed.length;
  const part = (from: number, to: number) =>
    fixed instanceof Blob ? fixed.slice(from, to) : fixed.subarray(from, to);
  return {
    size,
    fixed,
    canRead: () => true,
    async chunk(offset, length) {
      const end = Math.min(size, offset + length);
      return {
        bytes: part(offset, end),
        length: end - offset,
        last: end === size,
      };
    },
    release() {},
  };
}

/**
 * Creates a source that reads a stream through a buffer of one chunk. Bytes
 * remain in the buffer until the server has confirmed them, so that they can be
 * sent again.
 */
function streamSource(body: StreamBody, size: number | undefined): Source {
  const chunks = bytesOf(body);
  let buffer: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  let filled = 0;
  let start = 0;
  let pending: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  let ended = false;
  const hasMore = async () => {
    while (!pending.length && !ended) {
      const next = await chunks.next();
      if (next.done) ended = true;
      else pending = next.value;
    }
    return !ended;
  };
  const take = (count: number) => {
    const taken = pending.subarray(0, count);
    pending = pending.subarray(taken.length);
    return taken;
  };
  /**
   * Discards buffered bytes before an offset. If the offset is beyond the
   * buffered bytes, the stream is read up to the offset.
   */
  const advance = async (offset: number) => {
    const drop = Math.min(filled, offset - start);
    buffer.copyWithin(0, drop, filled);
    filled -= drop;
    start += drop;
    while (start < offset && (await hasMore()))
      start += take(offset - start).length;
  };
  return {
    size,
    canRead: (offset) => offset >= start,
    async chunk(offset, length) {
      await advance(offset);
      if (start !== offset)
        throw new RangeError("media.body is shorter than the confirmed offset");
      if (buffer.length < length) {
        const larger = new Uint8Array(length);
        larger.set(buffer.subarray(0, filled));
        buffer = larger;
      }
      while (filled < length && (await hasMore())) {
        const taken = take(length - filled);
        buffer.set(taken, filled);
        filled += taken.length;
      }
      const last = !(await hasMore());
      return { bytes: buffer.subarray(0, filled), length: filled, last };
    },
    chunks: () => chunks,
    release() {
      chunks.return(undefined).catch(() => {});
    },
  };
}

/** Yields the chunks of a stream as bytes. */
export async function* bytesOf(
  body: StreamBody,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const chunks = "getReader" in body ? chunksOf(body) : body;
  for await (const chunk of chunks) yield toBytes(chunk);
}

/** Converts text and buffers to bytes. @throws TypeError for other values. */
export function toBytes(value: unknown): Uint8Array<ArrayBuffer> {
  if (typeof value === "string") return new TextEncoder().encode(value);
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (!ArrayBuffer.isView(value))
    throw new TypeError(
      "media.body must be text, bytes, a Blob or a stream of these",
    );
  const { buffer, byteOffset, byteLength } = value;
  return new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);
}
