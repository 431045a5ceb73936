/**
 * Set of completions in flight. When the set is closed, it waits for the
 * completions and aborts those that take too long.
 */
export class RunningCompletions {
  readonly #running = new Set<AbortController>();
  #onIdle: (() => void) | undefined;

  get size(): number {
    return this.#running.size;
  }

  /**
   * Registers a completion in flight.
   *
   * @param caller signal that is aborted when the caller disconnects; the
   *   completion is then aborted too
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

  /**
   * Waits at most `time` milliseconds for completions in flight, then aborts
   * the remaining ones.
   */
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
