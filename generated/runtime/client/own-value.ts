/* eslint-disable */
// biome-ignore-all lint: generated

/**
 * Returns an own property of an object. Inherited properties are ignored,
 * because the name can be `constructor` or `toString`.
 */
export function ownValue<T>(
  object: Readonly<Record<string, T>>,
  name: string,
): T | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
