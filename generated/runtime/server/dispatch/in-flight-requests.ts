/* eslint-disable */
// biome-ignore-all lint: generated

import { isStream, type Incoming, type Outgoing } from "../request.js";

/** Milliseconds that what was aborted gets to end. */
const LAST = 1000;

/** A request at work, and where it stands among the others. */
export interface InFlightRequest {
  readonly request: Incoming;
  index: number;
}

/** The requests at work, answers that are still on their way included. */
export class InFlightRequests {
  /** In no order: the last one takes the place of one that has gone. */
  readonly #entries: InFlightRequest[] = [];
  readonly #streams = new Set<Stream>();
  #onIdle: (() => void) | undefined;

  /** A request has to be waited for. */
  add(request: Incoming): InFlightRequest {
    const entry = { request, index: this.#entries.length };
    this.#entries.push(entry);
    return entry;
  }

  /** The answer is there; one that is a stream is under way until its end. */
  finish(
    request: Incoming,
    answer: Outgoing,
    entered: InFlightRequest | undefined,
  ): Outgoing {
    const { body } = answer;
    if (!isStream(body)) {
      if (entered !== undefined) this.#remove(entered);
      return answer;
    }
    const entry = entered ?? this.add(request);
    const stream = new Stream(body, () => {
      this.#streams.delete(stream);
      this.#remove(entry);
    });
    this.#streams.add(stream);
    return { ...answer, body: stream };
  }

  /** Waits until all have ended, and aborts those that have not after a time in milliseconds. */
  async drain(timeout: number, reason: unknown): Promise<void> {
    if (await this.#isIdle(timeout)) return;
    // Who is aborted may leave at once, and another take its place.
    const entries = this.#entries.slice();
    for (const { request } of entries) request.abort?.(reason);
    for (const stream of this.#streams) stream.stop(reason);
    await this.#isIdle(LAST);
  }

  #isIdle(time: number): Promise<boolean> {
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

/** A stream that tells when it is over, and can be stopped while it waits. */
class Stream implements AsyncIterable<Piece>, AsyncIterator<Piece> {
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

  /** Ends it with an error, whatever it waits for. */
  stop(reason: unknown): void {
    this.#stopped = { reason };
    this.#fail?.(reason);
    void this.return().catch(() => {});
  }
}
