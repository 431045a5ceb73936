/* eslint-disable */
// biome-ignore-all lint: generated

import { ApiError } from "../error.js";
import type { Incoming } from "../request.js";

/**
 * Map from supported content encoding to the format name that
 * `DecompressionStream` uses.
 */
const FORMATS: Readonly<Record<string, string>> = {
  gzip: "gzip",
  "x-gzip": "gzip",
  deflate: "deflate",
};

/**
 * Readable and writable stream of a `DecompressionStream`, declared here
 * because the platforms declare it differently.
 */
interface StreamPair {
  readonly readable: {
    getReader(): {
      read(): Promise<{ readonly done: boolean; readonly value?: unknown }>;
      cancel(): Promise<void>;
    };
  };
  readonly writable: {
    getWriter(): {
      write(chunk: Uint8Array): Promise<void>;
      close(): Promise<void>;
      abort(reason?: unknown): Promise<void>;
    };
  };
}

/**
 * Returns true if the body has a content encoding that still must be decoded.
 */
export function isEncoded(request: Incoming): boolean {
  const encoding = request.header("content-encoding");
  if (encoding === undefined || encoding === "identity" || encoding === "")
    return false;
  return request.isDecoded !== true;
}

/**
 * Decodes the content encoding of a body. Decodes only as much of the body as
 * the caller reads, so the caller must limit the decoded size.
 *
 * @throws ApiError 415 for an unsupported encoding, 400 for a body that is not
 *   encoded as declared.
 */
export function decodeContent(
  request: Incoming,
  pieces: AsyncIterable<Uint8Array>,
): AsyncIterable<Uint8Array> {
  if (!isEncoded(request)) return pieces;
  const encoding = request.header("content-encoding")!.trim().toLowerCase();
  const format = Object.hasOwn(FORMATS, encoding)
    ? FORMATS[encoding]
    : undefined;
  const { DecompressionStream } = globalThis as {
    readonly DecompressionStream?: new (format: string) => unknown;
  };
  if (format === undefined || DecompressionStream === undefined)
    throw new ApiError(415, "The content encoding must be gzip or deflate.", {
      headers: { "accept-encoding": "gzip, deflate" },
    });
  return decompress(pieces, new DecompressionStream(format) as StreamPair);
}

async function* decompress(
  pieces: AsyncIterable<Uint8Array>,
  { readable, writable }: StreamPair,
): AsyncGenerator<Uint8Array> {
  const reader = readable.getReader();
  const writer = writable.getWriter();
  let failure: unknown;
  // The input must be written while the output is read, because the stream
  // accepts more input only after its output has been read.
  const feed = async (): Promise<void> => {
    try {
      for await (const piece of pieces) await writer.write(piece);
      await writer.close();
    } catch (error) {
      failure = error;
      await writer.abort(error).catch(() => {});
    }
  };
  void feed();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value as Uint8Array;
    }
  } catch (cause) {
    // If reading the encoded body failed, the error of the read operation is
    // thrown, because it is more specific than the error of the decompression
    // stream.
    if (failure instanceof ApiError) throw failure;
    const message = "The body does not match its Content-Encoding.";
    throw new ApiError(400, message, { reason: "parseError", cause });
  } finally {
    await reader.cancel().catch(() => {});
    await writer.abort().catch(() => {});
  }
}
