import { isPending } from "../maybe-promise.js";

type OnValue<T> = ((value: T) => unknown) | null | undefined;
type OnError = ((reason: unknown) => unknown) | null | undefined;

/**
 * A value under way within the server. Like a promise, except that who waits
 * for it is told at once, not in a later turn: nothing is in between there, and
 * each turn of a promise costs as much as reading a parameter.
 */
export class SyncPromise<T> implements Promise<T> {
  #state: "waiting" | "done" | "failed" = "waiting";
  #value: unknown;
  /** Who waits: what to do, and where to put what comes of it. */
  #onValue: OnValue<T>;
  #onError: OnError;
  #result: SyncPromise<unknown> | undefined;
  /** Whoever else waits; nearly always nobody. */
  #others: (() => void)[] | undefined;

  get [Symbol.toStringTag](): string {
    return "Later";
  }

  /** The value is there. */
  resolve(value: T): void {
    this.#settle("done", value);
  }

  /** There will be none. */
  reject(reason: unknown): void {
    this.#settle("failed", reason);
  }

  then<R = T, E = never>(
    onValue?: ((value: T) => R | PromiseLike<R>) | null,
    onError?: ((reason: unknown) => E | PromiseLike<E>) | null,
  ): SyncPromise<R | E> {
    const result = new SyncPromise<R | E>();
    const other = result as SyncPromise<unknown>;
    if (this.#state !== "waiting") this.#pass(other, onValue, onError);
    else if (this.#result === undefined) {
      this.#result = other;
      this.#onValue = onValue;
      this.#onError = onError;
    } else
      (this.#others ??= []).push(() => this.#pass(other, onValue, onError));
    return result;
  }

  catch<E = never>(
    onError?: ((reason: unknown) => E | PromiseLike<E>) | null,
  ): SyncPromise<T | E> {
    return this.then(undefined, onError);
  }

  finally(onEnd?: (() => void) | null): SyncPromise<T> {
    return this.then(
      (value) => (onEnd?.(), value),
      (reason: unknown) => {
        onEnd?.();
        throw reason;
      },
    );
  }

  #settle(state: "done" | "failed", value: unknown): void {
    if (this.#state !== "waiting") return;
    this.#state = state;
    this.#value = value;
    if (this.#result !== undefined)
      this.#pass(this.#result, this.#onValue, this.#onError);
    for (const other of this.#others ?? []) other();
  }

  /** Hands on what came to what was made of it. */
  #pass(
    result: SyncPromise<unknown>,
    onValue: OnValue<T>,
    onError: OnError,
  ): void {
    const value = this.#value as T;
    let made: unknown;
    try {
      if (this.#state === "done") made = onValue ? onValue(value) : value;
      else if (onError) made = onError(value);
      else return result.reject(value);
    } catch (error) {
      return result.reject(error);
    }
    if (isPending(made))
      made.then(
        (late) => result.resolve(late),
        (error: unknown) => result.reject(error),
      );
    else result.resolve(made);
  }
}
