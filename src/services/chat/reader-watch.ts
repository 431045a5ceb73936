import type { ChatRequest } from "./request.js";

/** Cuts off a caller who reads nothing of a stream for too long. */
export class ReaderWatch {
  /** Chunks given so far. */
  count = 0;
  #isWaitedFor = false;
  /** The chunk that was waited for at the last look. */
  #stuck = 0;
  readonly #timer: NodeJS.Timeout;

  /** @param stall milliseconds; what is found is up to twice as old */
  constructor(request: ChatRequest, stall: number) {
    this.#timer = setInterval(() => {
      if (this.#isWaitedFor && this.#stuck === this.count) request.cut();
      this.#stuck = this.#isWaitedFor ? this.count : 0;
    }, stall);
    this.#timer.unref();
  }

  /** A chunk goes to the caller. */
  give(): void {
    this.count++;
    this.#isWaitedFor = true;
  }

  /** The caller wants the next one. */
  take(): void {
    this.#isWaitedFor = false;
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
