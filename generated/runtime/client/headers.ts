/** Headers, or an object with a property for each of them. */
export type HeadersLike = Headers | Readonly<Record<string, string>>;

/**
 * Joins headers; the later ones win.
 *
 * @throws TypeError for a bad name or value, which the error does not show.
 */
export function mergeHeaders(
  ...all: readonly (HeadersLike | null | undefined)[]
): Headers {
  const merged = new Headers();
  try {
    for (const headers of all)
      // The constructor takes either form; telling the compiler so is slow.
      new Headers((headers ?? {}) as never).forEach((value, name) => {
        merged.set(name, value);
      });
  } catch {
    throw new TypeError("a header is invalid");
  }
  return merged;
}
