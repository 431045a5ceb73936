import type { IncomingMessage } from "node:http";
import type { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress, createUnzip } from "node:zlib";
import { RemoteError, TemporaryError } from "../remote-error.js";
import type { PendingResponse } from "./send-request.js";

/** Content codings that the client accepts. */
export const ACCEPT_ENCODING = "gzip, br";

/**
 * Reads and decompresses a body.
 *
 * @param limit maximum size in bytes; applies before and after decompression
 * @throws RemoteError if the body is too large or incomplete
 */
export async function readBody(
  { message, signal }: PendingResponse,
  limit: number,
): Promise<Buffer> {
  const announced = Number(message.headers["content-length"] ?? 0);
  if (announced > limit) throw tooLarge(limit, message);
  const decoder = decoderOf(message);
  const stages = [countedBytes(limit, message), ...(decoder ? [decoder] : [])];
  const chunks: Buffer[] = [];
  let size = 0;
  const collect = async (source: AsyncIterable<unknown>): Promise<void> => {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > limit) throw tooLarge(limit, message);
      chunks.push(chunk);
    }
  };
  try {
    await pipeline([message as Readable, ...stages, collect] as never, {
      signal,
    });
  } catch (error) {
    if (error instanceof RemoteError) throw error;
    if (signal.aborted) throw incomplete((signal.reason as Error).message);
    if (!message.complete) throw incomplete((error as Error).message);
    throw new RemoteError(
      "remote-response",
      `the body is not valid ${coding(message)} data: ${(error as Error).message}`,
    );
  }
  if (!message.complete) throw incomplete("the connection was closed");
  return Buffer.concat(chunks, size);
}

function incomplete(reason: string): TemporaryError {
  return new TemporaryError(
    "remote-failed",
    `the body is incomplete: ${reason}`,
  );
}

/**
 * Returns a transform stream that limits the number of bytes before
 * decompression.
 */
function countedBytes(limit: number, message: IncomingMessage) {
  return async function* (source: AsyncIterable<Buffer>) {
    let size = 0;
    for await (const chunk of source) {
      size += chunk.length;
      if (size > limit) throw tooLarge(limit, message);
      yield chunk;
    }
  };
}

/**
 * Closes the connection, and returns the error for a body that exceeds the
 * limit.
 */
function tooLarge(limit: number, message: IncomingMessage): RemoteError {
  message.destroy();
  return new RemoteError(
    "remote-response",
    `the body must not be larger than ${limit} bytes`,
  );
}

function coding({ headers }: IncomingMessage): string {
  return headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
}

function decoderOf(message: IncomingMessage): Transform | undefined {
  switch (coding(message)) {
    case "identity":
    case "":
      return undefined;
    case "gzip":
    case "x-gzip":
    case "deflate":
      return createUnzip();
    case "br":
      return createBrotliDecompress();
    default:
      throw new RemoteError(
        "remote-response",
        `Content-Encoding must be one of ${ACCEPT_ENCODING}, found ${JSON.stringify(coding(message).slice(0, 50))}`,
      );
  }
}
