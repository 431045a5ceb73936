/* eslint-disable */
// biome-ignore-all lint: generated

/**
 * Value, or a promise of a value. Most requests are processed synchronously,
 * because creating a promise would take longer than most of the other steps.
 */
export type MaybePromise<T> = T | Promise<T>;

/**
 * Tests whether a value is a promise, including promises of other libraries.
 */
export function isPending<T>(value: T | PromiseLike<T>): value is Promise<T> {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof (value as { then?: unknown }).then === "function"
  );
}
