/* eslint-disable */
// biome-ignore-all lint: generated

/** Returns an own property of an object: a name such as `constructor` must not be inherited. */
export function ownValue<T>(
  object: Readonly<Record<string, T>>,
  name: string,
): T | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
