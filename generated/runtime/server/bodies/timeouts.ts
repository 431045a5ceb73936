/* eslint-disable */
// biome-ignore-all lint: generated

import { decodeContent } from "./content-encoding.js";
import { ApiError } from "../error.js";
import type { ServerOptions } from "../options.js";
import { decodeUtf8, readAll } from "./read.js";
import type { Incoming } from "../request.js";

/** Milliseconds between two pieces of an upload. */
const PIECE = 60_000;

const CLOSE = { connection: "close" };

/** A 408 for a body that does not come, or comes too slowly. */
export function requestTimeout(): ApiError {
  return new ApiError(408, "The body took too long.", { headers: CLOSE });
}

/**
 * The pieces of a body that is read as it comes, decoded, as fast as the options ask for.
 *
 * @param timeLeft gives the milliseconds for all that is missing, where those are bounded.
 */
export function decodedChunks(
  request: Incoming,
  { limits = {} }: Pick<ServerOptions, "limits">,
  timeLeft: () => number = () => Infinity,
): AsyncIterable<Uint8Array> {
  const { pieceTime = PIECE } = limits;
  const time = (): number => Math.min(pieceTime, timeLeft());
  return decodeContent(request, withTimeout(request.chunks(), time));
}

/**
 * Returns the text of a body, decoded.
 *
 * @param limit in bytes, of the decoded text: a small body may unfold to a large one.
 * @param time milliseconds for the body to arrive.
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
 * Pieces that are given up where the next one takes too long. The time that the
 * reader takes for a piece does not count.
 *
 * @param left gives the milliseconds that the next piece may take.
 * @throws ApiError 408
 */
export async function* withTimeout<T>(
  pieces: AsyncIterable<T>,
  left: () => number,
): AsyncGenerator<T> {
  const source = pieces[Symbol.asyncIterator]();
  let isLate = false;
  try {
    for (;;) {
      const next = await withDeadline(
        source.next(),
        left(),
        () => (isLate = true),
      );
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    // Whoever is late may never let go.
    const gone = source.return?.().catch(() => {});
    if (!isLate) await gone;
  }
}

function withDeadline<T>(
  promise: Promise<T>,
  time: number,
  onLate: () => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => {
        onLate();
        reject(requestTimeout());
      },
      Math.max(0, time),
    );
    void promise.finally(() => clearTimeout(timer)).then(resolve, reject);
  });
}
