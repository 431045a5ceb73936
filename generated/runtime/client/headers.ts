/* eslint-disable */
// biome-ignore-all lint: generated

/** `Headers`, or an object with one property for each header. */
export type HeadersLike =
  Headers | Readonly<Record<string, string | null | undefined>>;

/** Headers, keyed by lower-case name. */
export type PlainHeaders = Readonly<Record<string, string>>;

/**
 * Merges headers. Later headers override earlier headers; `null` and
 * `undefined` are skipped. Returns a plain object, because creating it is ten
 * times faster than creating a `Headers` object.
 *
 * @throws TypeError for an invalid name or value. The message contains only the
 *   name, because the value can be secret.
 */
export function mergeHeaders(
  ...all: readonly (HeadersLike | null | undefined)[]
): PlainHeaders {
  const merged: Record<string, string> = {};
  const set = (value: string | null | undefined, name: string) => {
    if (value == null) return;
    // This check is stricter than the platform's own check, whose error message
    // would contain the value.
    if (!/^[!-9;-~]+:[\t -\xff]*$/.test(`${name}:${value}`))
      throw new TypeError(`header ${name} is invalid`);
    merged[name.toLowerCase()] = value;
  };
  for (const headers of all)
    if (typeof headers?.forEach === "function") headers.forEach(set);
    else for (const name in headers) set((headers as PlainHeaders)[name], name);
  return merged;
}
