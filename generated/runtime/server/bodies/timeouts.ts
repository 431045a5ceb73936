/* eslint-disable */
// biome-ignore-all lint: generated

import { decodeContent } from "./content-encoding.js";
import { ApiError } from "../error.js";
import type { ServerOptions } from "../options.js";
import { decodeUtf8, readAll } from "./read.js";
import type { Incoming } from "../request.js";

/** Default timeout in milliseconds for the next chunk of an upload. */
const CHUNK_TIME = 60_000;

const CLOSE = { connection: "close" };

/** Returns a 408 error for a body that is received too slowly. */
export function requestTimeout(): ApiError {
  return new ApiError(408, "The body was not received within the timeout.", {
    headers: CLOSE,
  });
}

/**
 * Returns the decoded chunks of a body, with the timeouts from the server's
 * options.
 *
 * @param timeLeft returns the remaining time in milliseconds for the complete
 *   body.
 */
export function decodedChunks(
  request: Incoming,
  { limits = {} }: Pick<ServerOptions, "limits">,
  timeLeft: () => number = () => Infinity,
): AsyncIterable<Uint8Array> {
  const { pieceTime = CHUNK_TIME } = limits;
  const time = (): number => Math.min(pieceTime, timeLeft());
  return decodeContent(request, withTimeout(request.chunks(), time));
}

/**
 * Reads a body as decoded text.
 *
 * @param limit maximum size of the decoded text in bytes. It applies to the
 *   decoded text because a small compressed body can expand to a large one.
 * @param time timeout in milliseconds for receiving the body.
 * @throws ApiError 400, 408, 413 or 415.
 */
export async function decodedText(
  request: Incoming,
  limit: number,
  time: number,
): Promise<string> {
  const end = performance.now() + time;
  const pieces = withTimeout(request.chunks(), () => end - performance.now());
  return decodeUtf8(await readAll(decodeContent(request, pieces), limit));
}

/**
 * Yields chunks, with a timeout for receiving each chunk. The time during which
 * the consumer processes a chunk does not count.
 *
 * @param left returns the timeout for the next chunk in milliseconds.
 * @throws ApiError 408 on timeout.
 */
export async function* withTimeout<T>(
  pieces: AsyncIterable<T>,
  left: () => number,
): AsyncGenerator<T> {
  const source = pieces[Symbol.asyncIterator]();
  let isTimedOut = false;
  try {
    for (;;) {
      const next = await withDeadline(
        source.next(),
        left(),
        () => (isTimedOut = true),
      );
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    // After a timeout, the source is closed, but the result of closing is not
    // awaited, because the source might never respond.
    const closed = source.return?.().catch(() => {});
    if (!isTimedOut) await closed;
  }
}

function withDeadline<T>(
  promise: Promise<T>,
  time: number,
  onTimeout: () => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => {
        onTimeout();
        reject(requestTimeout());
      },
      Math.max(0, time),
    );
    void promise.finally(() => clearTimeout(timer)).then(resolve, reject);
  });
}
