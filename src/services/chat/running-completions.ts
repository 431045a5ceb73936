/** Completions under way, so that the service can wait for them and end them. */
export class Active {
  readonly #running = new Set<AbortController>();
  #onIdle: (() => void) | undefined;

  get size(): number {
    return this.#running.size;
  }

  /**
   * Notes a completion.
   *
   * @param caller aborted when the caller is gone, with which the completion is over
   */
  start(caller: AbortSignal): { signal: AbortSignal; end: () => void } {
    const controller = new AbortController();
    this.#running.add(controller);
    const leave = (): void => {
      end();
      controller.abort();
    };
    const end = (): void => {
      caller.removeEventListener("abort", leave);
      this.#running.delete(controller);
      if (this.#running.size === 0) this.#onIdle?.();
    };
    caller.addEventListener("abort", leave);
    if (caller.aborted) leave();
    return { signal: controller.signal, end };
  }

  /** Waits until nothing is under way, and ends what then still is. */
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
