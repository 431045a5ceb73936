/** Returns an object without the members whose value is undefined. */
export function definedMembers<T extends object>(
  value: T,
): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(
    Object.entries(value).filter(([, member]) => member !== undefined),
  ) as { [Name in keyof T]?: Exclude<T[Name], undefined> };
}
