/** Completions in flight, which the service waits for and aborts when it closes. */
export class RunningCompletions {
  readonly #running = new Set<AbortController>();
  #onIdle: (() => void) | undefined;

  get size(): number {
    return this.#running.size;
  }

  /**
   * Registers a completion.
   *
   * @param caller aborted when the caller disconnects, which aborts the completion
   */
  start(caller: AbortSignal): { signal: AbortSignal; end: () => void } {
    const controller = new AbortController();
    this.#running.add(controller);
    const abort = (): void => {
      end();
      controller.abort();
    };
    const end = (): void => {
      caller.removeEventListener("abort", abort);
      this.#running.delete(controller);
      if (this.#running.size === 0) this.#onIdle?.();
    };
    caller.addEventListener("abort", abort);
    if (caller.aborted) abort();
    return { signal: controller.signal, end };
  }

  /** Waits for the completions in flight up to `time` milliseconds, then aborts the others. */
  async close(time: number): Promise<void> {
    if (this.#running.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, time);
      this.#onIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    for (const controller of this.#running) controller.abort();
  }
}
