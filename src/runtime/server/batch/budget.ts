import type { BatchOptions } from "../contract.js";
import { ApiError } from "../error.js";
import { tooLarge } from "../bodies/read.js";

/**
 * Default limits in bytes: of a batch request, of the responses in a batch, of
 * all concurrent batches of a server.
 */
const REQUEST = 10 * 1024 * 1024;
const RESPONSES = 32 * 1024 * 1024;
const TOGETHER = 128 * 1024 * 1024;

/** Default milliseconds to receive a batch. */
const TIME = 60_000;

/** Bytes reserved by the batches of each server, by its options object. */
const held = new WeakMap<object, number>();

/**
 * Memory budget of one batch, and its share of the budget of all batches of the
 * server.
 */
export class BatchBudget {
  /** Limit of the request in bytes. */
  readonly requestLimit: number;
  /** True once the responses have exceeded their limit. */
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

  /** Returns the milliseconds left to receive the request. */
  readonly timeLeft = (): number => this.#end - performance.now();

  /**
   * Counts the chunks of the request as they arrive.
   *
   * @throws ApiError 413 for a request beyond its limit, 503 if other batches
   *   have reserved the memory.
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

  /**
   * Counts a response; returns false if it exceeds the budget, as for all later
   * responses.
   */
  takeResponse(size: number): boolean {
    this.#responses -= size;
    this.isExceeded ||= this.#responses < 0 || !this.#take(size);
    return !this.isExceeded;
  }

  /** Releases the memory reserved by the batch. */
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
  return new ApiError(503, "The server is processing too many batches.", {
    headers: { "retry-after": "1", connection: "close" },
  });
}
