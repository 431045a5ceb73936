import type { ChatRequest } from "./request.js";

/** Disconnects a caller that stops reading a stream. */
export class ReaderWatch {
  /** Number of chunks sent. */
  count = 0;
  #isPending = false;
  /**
   * Number of the chunk that was pending at the last check; 0 if no chunk was
   * pending.
   */
  #lastPending = 0;
  readonly #timer: NodeJS.Timeout;

  /**
   * @param stall milliseconds between checks; a stall is detected after one to
   *   two intervals
   */
  constructor(request: ChatRequest, stall: number) {
    this.#timer = setInterval(() => {
      if (this.#isPending && this.#lastPending === this.count)
        request.disconnect();
      this.#lastPending = this.#isPending ? this.count : 0;
    }, stall);
    this.#timer.unref();
  }

  /** Must be called when a chunk is sent. */
  onChunkSent(): void {
    this.count++;
    this.#isPending = true;
  }

  /** Must be called when the next chunk is requested. */
  onChunkRequested(): void {
    this.#isPending = false;
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
