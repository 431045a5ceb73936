/* eslint-disable */
// biome-ignore-all lint: generated

import { decodeContent } from "./content-encoding.js";
import { ApiError } from "../error.js";
import type { ServerOptions } from "../options.js";
import { decodeUtf8, readAll } from "./read.js";
import type { Incoming } from "../request.js";

/** Default milliseconds between two chunks of an upload. */
const CHUNK_TIME = 60_000;

const CLOSE = { connection: "close" };

/** Creates a 408 for a body that arrives too slowly. */
export function requestTimeout(): ApiError {
  return new ApiError(408, "The body was not received within the timeout.", {
    headers: CLOSE,
  });
}

/**
 * Returns the decoded chunks of a streamed body, with the timeouts of the
 * options.
 *
 * @param timeLeft returns the milliseconds left for the complete body.
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
 * @param limit in bytes of the decoded text, since a small body may expand to a
 *   large one.
 * @param time milliseconds to receive the body.
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
 * Yields chunks with a timeout for each. The consumer's own time does not
 * count.
 *
 * @param left returns the milliseconds that the next chunk may take.
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
    // After a timeout the source may never return: do not wait for it.
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
