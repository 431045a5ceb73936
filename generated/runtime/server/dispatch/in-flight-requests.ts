/* eslint-disable */
// biome-ignore-all lint: generated

import { isStream, type Incoming, type Outgoing } from "../request.js";

/** Maximum time in milliseconds to wait until aborted requests have ended. */
const ABORT_TIME = 1000;

/** Request in flight, with its index in the list of all requests in flight. */
export interface InFlightRequest {
  readonly request: Incoming;
  index: number;
}

/**
 * List of requests in flight, including requests whose responses are still
 * being streamed.
 */
export class InFlightRequests {
  /**
   * Entries in arbitrary order, because the last entry takes the index of a
   * removed entry.
   */
  readonly #entries: InFlightRequest[] = [];
  readonly #streams = new Set<TrackedStream>();
  #onIdle: (() => void) | undefined;

  /** Adds a request whose response is not ready yet. */
  add(request: Incoming): InFlightRequest {
    const entry = { request, index: this.#entries.length };
    this.#entries.push(entry);
    return entry;
  }

  /**
   * Removes a request whose response is ready. A request with a streamed
   * response remains in flight until the stream ends.
   */
  finish(
    request: Incoming,
    response: Outgoing,
    entered: InFlightRequest | undefined,
  ): Outgoing {
    const { body } = response;
    if (!isStream(body)) {
      if (entered !== undefined) this.#remove(entered);
      return response;
    }
    const entry = entered ?? this.add(request);
    const stream = new TrackedStream(body, () => {
      this.#streams.delete(stream);
      this.#remove(entry);
    });
    this.#streams.add(stream);
    return { ...response, body: stream };
  }

  /**
   * Waits until all requests have ended. After the timeout in milliseconds, the
   * remaining requests are aborted.
   */
  async drain(timeout: number, reason: unknown): Promise<void> {
    if (await this.#waitUntilIdle(timeout)) return;
    // The list is copied, because an aborted request can end immediately and
    // thereby reorder the list.
    const entries = this.#entries.slice();
    for (const { request } of entries) request.abort?.(reason);
    for (const stream of this.#streams) stream.stop(reason);
    await this.#waitUntilIdle(ABORT_TIME);
  }

  #waitUntilIdle(time: number): Promise<boolean> {
    if (this.#entries.length === 0) return Promise.resolve(true);
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), time);
      this.#onIdle = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  }

  #remove(entry: InFlightRequest): void {
    const entries = this.#entries;
    if (entries[entry.index] !== entry) return;
    const last = entries.pop()!;
    if (last !== entry) {
      entries[entry.index] = last;
      last.index = entry.index;
    }
    if (entries.length === 0) this.#onIdle?.();
  }
}

type Piece = Uint8Array | string;

/**
 * Stream that reports when it ends. It can be closed while a chunk is pending.
 */
class TrackedStream implements AsyncIterable<Piece>, AsyncIterator<Piece> {
  readonly #source: AsyncIterator<Piece>;
  readonly #onEnd: () => void;
  #fail: ((reason: unknown) => void) | undefined;
  #stopped: { readonly reason: unknown } | undefined;

  constructor(source: AsyncIterable<Piece>, onEnd: () => void) {
    this.#source = source[Symbol.asyncIterator]();
    this.#onEnd = onEnd;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<Piece>> {
    if (this.#stopped !== undefined)
      return Promise.reject(this.#stopped.reason);
    return new Promise((resolve, reject) => {
      this.#fail = reject;
      this.#source.next().then(
        (next) => {
          if (next.done === true) this.#onEnd();
          resolve(next);
        },
        (error: unknown) => {
          this.#onEnd();
          reject(error);
        },
      );
    });
  }

  async return(): Promise<IteratorResult<Piece>> {
    try {
      await this.#source.return?.();
    } finally {
      this.#onEnd();
    }
    return { done: true, value: undefined };
  }

  /** Closes the stream with an error, even while a chunk is pending. */
  stop(reason: unknown): void {
    this.#stopped = { reason };
    this.#fail?.(reason);
    void this.return().catch(() => {});
  }
}
