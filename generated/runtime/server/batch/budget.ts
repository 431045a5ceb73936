/* eslint-disable */
// biome-ignore-all lint: generated

import type { BatchOptions } from "../contract.js";
import { ApiError } from "../error.js";
import { tooLarge } from "../bodies/read.js";

/** Bytes of the request of a batch, of its responses together, and of all batches of a server at the same time. */
const REQUEST = 10 * 1024 * 1024;
const RESPONSES = 32 * 1024 * 1024;
const TOGETHER = 128 * 1024 * 1024;

/** Milliseconds for a batch to arrive. */
const TIME = 60_000;

/** Bytes that the batches of a server hold, by the server's options. */
const held = new WeakMap<object, number>();

/** Bytes that one batch may still take, of its own and of those that all batches of a server share. */
export class BatchBudget {
  /** Bytes of the request. */
  readonly requestLimit: number;
  /** Whether the responses have reached their limit. */
  isExceeded = false;
  readonly #server: object;
  readonly #all: number;
  readonly #end: number;
  #responses: number;
  #held = 0;

  constructor(options: BatchOptions) {
    const { limits = {} } = options;
    this.#server = options;
    this.requestLimit = limits.batchBody ?? REQUEST;
    this.#responses = limits.batchResponses ?? RESPONSES;
    this.#all = limits.batches ?? TOGETHER;
    this.#end = performance.now() + (limits.bodyTime ?? TIME);
  }

  /** Milliseconds in which the rest of the request must arrive. */
  readonly timeLeft = (): number => this.#end - performance.now();

  /**
   * Counts the pieces of the request on their way.
   *
   * @throws ApiError 413 for a request that is too long, 503 where other batches hold the memory.
   */
  async *count(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let size = 0;
    for await (const piece of pieces) {
      size += piece.length;
      if (size > this.requestLimit) throw tooLarge(this.requestLimit);
      if (!this.#take(piece.length)) throw busy();
      yield piece;
    }
  }

  /** Counts a response; false where it is too long, as all further ones are. */
  takeResponse(size: number): boolean {
    this.#responses -= size;
    this.isExceeded ||= this.#responses < 0 || !this.#take(size);
    return !this.isExceeded;
  }

  /** Gives back what the batch holds. */
  release(): void {
    held.set(this.#server, (held.get(this.#server) ?? 0) - this.#held);
    this.#held = 0;
  }

  #take(size: number): boolean {
    const sum = (held.get(this.#server) ?? 0) + size;
    if (sum > this.#all) return false;
    this.#held += size;
    held.set(this.#server, sum);
    return true;
  }
}

function busy(): ApiError {
  return new ApiError(503, "The server has too many batches at once.", {
    headers: { "retry-after": "1", connection: "close" },
  });
}
