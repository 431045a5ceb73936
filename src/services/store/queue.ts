/**
 * Queue that runs asynchronous functions one after the other, in the order of
 * the calls.
 */
export class Queue {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#last.then(task);
    this.#last = result.catch(() => {});
    return result;
  }

  /** Waits until all previously added functions have finished. */
  async idle(): Promise<void> {
    await this.#last;
  }
}
