/* eslint-disable */
// biome-ignore-all lint: generated

import { piecesOf } from "../web-stream.js";
import type { UploadBody, UploadMedia } from "./types.js";

/** Bytes to be sent, and whether they are the last. */
export interface Chunk {
  readonly bytes: Blob | Uint8Array<ArrayBuffer>;
  readonly length: number;
  readonly last: boolean;
}

/** Content that is read from front to back, no more than a chunk ahead. */
export interface Source {
  /** Bytes in all, if known. */
  readonly size: number | undefined;
  /** The content, if it can be read at any place. */
  readonly fixed?: Blob | Uint8Array<ArrayBuffer>;
  /** Whether {@link Source.chunk} can give bytes from an offset. */
  reaches(offset: number): boolean;
  /** Bytes from an offset, at most as many as `length`. */
  chunk(offset: number, length: number): Promise<Chunk>;
  /** The pieces of the content, once. */
  pieces(): AsyncGenerator<Uint8Array<ArrayBuffer>>;
  /** Takes note of what is wrong with the content, if anyone asks. */
  fail?(cause: unknown): void;
  /** Lets go of a stream; what it has left is not read. */
  release(): void;
}

/**
 * Keeps a stream of Node that fails before anyone reads it, such as one of a
 * missing file, from ending the process; who reads it gets the error.
 */
export function watchBody(body: unknown): void {
  const { on } = Object(body) as { on?: unknown };
  if (typeof on === "function") on.call(body, "error", () => {});
}

/** @throws TypeError for a body that cannot be sent. */
export function sourceOf({ body, size }: UploadMedia): Source {
  if (typeof body === "string")
    return fixedSource(new TextEncoder().encode(body));
  if (body instanceof Blob) return fixedSource(body);
  if (body instanceof ArrayBuffer || ArrayBuffer.isView(body))
    return fixedSource(toBytes(body));
  if (body && ("getReader" in body || Symbol.asyncIterator in body))
    return streamSource(body, size);
  throw new TypeError("media.body cannot be sent");
}

function fixedSource(fixed: Blob | Uint8Array<ArrayBuffer>): Source {
  const size = fixed instanceof Blob ? fixed.size : fixed.length;
  const part = (from: number, to: number) =>
    fixed instanceof Blob ? fixed.slice(from, to) : fixed.subarray(from, to);
  return {
    size,
    fixed,
    reaches: () => true,
    async chunk(offset, length) {
      const end = Math.min(size, offset + length);
      return {
        bytes: part(offset, end),
        length: end - offset,
        last: end === size,
      };
    },
    async *pieces() {
      yield fixed instanceof Blob
        ? new Uint8Array(await fixed.arrayBuffer())
        : fixed;
    },
    release() {},
  };
}

/**
 * A stream through a window of one chunk: what the server did not take is
 * there still, what it took is gone.
 */
function streamSource(
  body: Exclude<UploadBody, string | Blob | ArrayBuffer | ArrayBufferView>,
  size: number | undefined,
): Source {
  const all = bytesOf(body);
  let window: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  let filled = 0;
  let start = 0;
  let piece: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  let ended = false;
  const more = async () => {
    while (!piece.length && !ended) {
      const next = await all.next();
      if (next.done) ended = true;
      else piece = next.value;
    }
    return !ended;
  };
  const take = (count: number) => {
    const taken = piece.subarray(0, count);
    piece = piece.subarray(taken.length);
    return taken;
  };
  /** Moves the window; what is ahead of what was read is skipped. */
  const advance = async (offset: number) => {
    const drop = Math.min(filled, offset - start);
    window.copyWithin(0, drop, filled);
    filled -= drop;
    start += drop;
    while (start < offset && (await more()))
      start += take(offset - start).length;
  };
  return {
    size,
    reaches: (offset) => offset >= start,
    async chunk(offset, length) {
      await advance(offset);
      if (start !== offset) throw new RangeError("media.body is too short");
      if (window.length < length) {
        const wider = new Uint8Array(length);
        wider.set(window.subarray(0, filled));
        window = wider;
      }
      while (filled < length && (await more())) {
        const taken = take(length - filled);
        window.set(taken, filled);
        filled += taken.length;
      }
      const last = !(await more());
      return { bytes: window.subarray(0, filled), length: filled, last };
    },
    pieces: () => all,
    release() {
      all.return(undefined).catch(() => {});
    },
  };
}

/** The pieces of a stream as bytes, whatever they are. */
export async function* bytesOf(
  body: Exclude<UploadBody, string | Blob | ArrayBuffer | ArrayBufferView>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const pieces = "getReader" in body ? piecesOf(body) : body;
  for await (const piece of pieces) yield toBytes(piece);
}

/** @throws TypeError for what holds no bytes. */
export function toBytes(piece: unknown): Uint8Array<ArrayBuffer> {
  if (typeof piece === "string") return new TextEncoder().encode(piece);
  if (piece instanceof ArrayBuffer) return new Uint8Array(piece);
  if (!ArrayBuffer.isView(piece))
    throw new TypeError("a piece of media.body is no bytes");
  const { buffer, byteOffset, byteLength } = piece;
  return new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);
}
