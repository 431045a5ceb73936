/* eslint-disable */
// biome-ignore-all lint: generated

/**
 * Value or its promise. Most requests need no asynchronous step; skipping
 * the promise saves more time than most of their other steps take.
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
