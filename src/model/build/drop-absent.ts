/** Returns a copy of an object without the members that are undefined. */
export function dropAbsent<T extends object>(value: {
  [K in keyof T]: T[K] | undefined;
}): T {
  return Object.fromEntries(
    Object.entries(value).filter(([, entry]) => entry !== undefined),
  ) as T;
}
