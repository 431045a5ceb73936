import type { AnswerBody, Incoming, Outgoing } from "./request.js";

/** Milliseconds that what was aborted gets to end. */
const LAST = 1000;

/** The requests at work, answers that are still on their way included. */
export class UnderWay {
  readonly #requests = new Set<Incoming>();
  readonly #streams = new Set<Stream>();
  #onIdle: (() => void) | undefined;

  /** A request has to be waited for. */
  enter(request: Incoming): void {
    this.#requests.add(request);
  }

  /** The answer is there; one that is a stream is under way until its end. */
  leave(request: Incoming, answer: Outgoing): Outgoing {
    const { body } = answer;
    if (!isStream(body)) {
      this.#remove(request);
      return answer;
    }
    this.#requests.add(request);
    const stream = new Stream(body, () => {
      this.#streams.delete(stream);
      this.#remove(request);
    });
    this.#streams.add(stream);
    return { ...answer, body: stream };
  }

  /** Waits until all have ended, and aborts those that have not after a time in milliseconds. */
  async end(timeout: number, reason: unknown): Promise<void> {
    if (await this.#isIdle(timeout)) return;
    for (const request of this.#requests) request.abort?.(reason);
    for (const stream of this.#streams) stream.stop(reason);
    await this.#isIdle(LAST);
  }

  #isIdle(time: number): Promise<boolean> {
    if (this.#requests.size === 0) return Promise.resolve(true);
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), time);
      this.#onIdle = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  }

  #remove(request: Incoming): void {
    this.#requests.delete(request);
    if (this.#requests.size === 0) this.#onIdle?.();
  }
}

function isStream(
  body: AnswerBody | undefined,
): body is AsyncIterable<Uint8Array | string> {
  return typeof body === "object" && !(body instanceof Uint8Array);
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
