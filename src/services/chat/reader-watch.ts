import type { ChatRequest } from "./request.js";

/** Class that disconnects a caller that stops reading a stream. */
export class ReaderWatch {
  /** Number of chunks that were sent. */
  count = 0;
  #isPending = false;
  /**
   * Number of the chunk that was pending at the last check; 0 if none was
   * pending.
   */
  #lastPending = 0;
  readonly #timer: NodeJS.Timeout;

  /**
   * @param stall milliseconds between checks; a caller that stops reading is
   *   disconnected after one to two of these intervals
   */
  constructor(request: ChatRequest, stall: number) {
    this.#timer = setInterval(() => {
      if (this.#isPending && this.#lastPending === this.count)
        request.disconnect();
      this.#lastPending = this.#isPending ? this.count : 0;
    }, stall);
    this.#timer.unref();
  }

  /** Records that a chunk was sent. */
  onChunkSent(): void {
    this.count++;
    this.#isPending = true;
  }

  /** Records that the next chunk was requested. */
  onChunkRequested(): void {
    this.#isPending = false;
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
