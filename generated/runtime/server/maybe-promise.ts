/* eslint-disable */
// biome-ignore-all lint: generated

/**
 * Value, or a promise that resolves to a value. Most requests need no
 * asynchronous step, and a promise would take longer than most of their other
 * steps.
 */
export type MaybePromise<T> = T | Promise<T>;

/** Returns true for promises, including those of other libraries. */
export function isPending<T>(value: T | PromiseLike<T>): value is Promise<T> {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof (value as { then?: unknown }).then === "function"
  );
}
