/** A value that is there already, or will be. */
export type Eventually<T> = T | Promise<T>;

/** Whether a value has to be waited for; also promises of other libraries. */
export function isPending<T>(value: T | PromiseLike<T>): value is Promise<T> {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof (value as { then?: unknown }).then === "function"
  );
}

/**
 * Goes on with a value at once where it is there: most requests need not wait
 * for anything, and waiting costs more than most of what they do.
 */
export function andThen<T, R>(
  value: Eventually<T>,
  next: (value: T) => Eventually<R>,
): Eventually<R> {
  return isPending(value) ? value.then(next) : next(value as T);
}
