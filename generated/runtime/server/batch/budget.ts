/* eslint-disable */
// biome-ignore-all lint: generated

import type { BatchOptions } from "../contract.js";
import { ApiError } from "../error.js";
import { tooLarge } from "../bodies/read.js";

/**
 * Default maximum sizes in bytes: of one batch request, of all responses in one
 * batch, and of all concurrent batches of a server.
 */
const REQUEST = 10 * 1024 * 1024;
const RESPONSES = 32 * 1024 * 1024;
const ALL_BATCHES = 128 * 1024 * 1024;

/** Default timeout in milliseconds for receiving a batch request. */
const TIME = 60_000;

/**
 * Number of bytes that the batches of a server have reserved, keyed by the
 * server's options object.
 */
const reservedBytes = new WeakMap<object, number>();

/**
 * Memory budget of one batch. The memory is also reserved from the budget that
 * all batches of the server share.
 */
export class BatchBudget {
  /** Maximum size of the request in bytes. */
  readonly requestLimit: number;
  /** True after a response has exceeded the budget. */
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

  /** Returns the remaining time in milliseconds for receiving the request. */
  readonly timeLeft = (): number => this.#deadline - performance.now();

  /**
   * Yields the chunks of the request and counts their bytes.
   *
   * @throws ApiError 413 if the request exceeds its maximum size, 503 if other
   *   batches have reserved too much memory.
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
   * Adds the size of a response. Returns false if the responses exceed the
   * budget; all later responses are then rejected too.
   */
  takeResponse(size: number): boolean {
    this.#responses -= size;
    this.isExceeded ||= this.#responses < 0 || !this.#reserve(size);
    return !this.isExceeded;
  }

  /** Releases the memory that the batch reserved. */
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
  return new ApiError(
    503,
    "The server is processing too many batches. Try again later.",
    {
      headers: { "retry-after": "1", connection: "close" },
    },
  );
}
