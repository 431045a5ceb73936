/* eslint-disable */
// biome-ignore-all lint: generated

/**
 * A value that is there already, or will be: most requests need not wait for
 * anything, and waiting costs more than most of what they do.
 */
export type MaybePromise<T> = T | Promise<T>;

/** Whether a value has to be waited for; also promises of other libraries. */
export function isPending<T>(value: T | PromiseLike<T>): value is Promise<T> {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof (value as { then?: unknown }).then === "function"
  );
}
