import type { BatchOptions } from "../contract.js";
import { ApiError } from "../error.js";
import { tooLarge } from "../bodies/read.js";

/**
 * Default limits in bytes: of a batch request, of the responses in a batch, of
 * all concurrent batches of a server.
 */
const REQUEST = 10 * 1024 * 1024;
const RESPONSES = 32 * 1024 * 1024;
const ALL_BATCHES = 128 * 1024 * 1024;

/** Default milliseconds to receive a batch. */
const TIME = 60_000;

/** Bytes reserved by the batches of each server, by its options object. */
const reservedBytes = new WeakMap<object, number>();

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
  readonly #serverLimit: number;
  readonly #deadline: number;
  #responses: number;
  #reserved = 0;

  constructor(options: BatchOptions) {
    const { limits = {} } = options;
    this.#server = options;
    this.requestLimit = limits.batchBody ?? REQUEST;
    this.#responses = limits.batchResponses ?? RESPONSES;
    this.#serverLimit = limits.batches ?? ALL_BATCHES;
    this.#deadline = performance.now() + (limits.bodyTime ?? TIME);
  }

  /** Returns the milliseconds left to receive the request. */
  readonly timeLeft = (): number => this.#deadline - performance.now();

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
      if (!this.#reserve(piece.length)) throw tooManyBatches();
      yield piece;
    }
  }

  /**
   * Counts a response; returns false if it exceeds the budget, as for all later
   * responses.
   */
  takeResponse(size: number): boolean {
    this.#responses -= size;
    this.isExceeded ||= this.#responses < 0 || !this.#reserve(size);
    return !this.isExceeded;
  }

  /** Releases the memory reserved by the batch. */
  release(): void {
    reservedBytes.set(
      this.#server,
      (reservedBytes.get(this.#server) ?? 0) - this.#reserved,
    );
    this.#reserved = 0;
  }

  #reserve(size: number): boolean {
    const sum = (reservedBytes.get(this.#server) ?? 0) + size;
    if (sum > this.#serverLimit) return false;
    this.#reserved += size;
    reservedBytes.set(this.#server, sum);
    return true;
  }
}

function tooManyBatches(): ApiError {
  return new ApiError(503, "The server is processing too many batches.", {
    headers: { "retry-after": "1", connection: "close" },
  });
}
