/** JSON value of an exported document. */
export type Json =
  null | boolean | number | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

/**
 * Returns an object without members whose value is undefined, in the order of
 * the input.
 */
export function jsonObject(
  members: Readonly<Record<string, Json | undefined>>,
): JsonObject {
  return jsonMembers(Object.entries(members));
}

/**
 * Creates an object from entries without those whose value is undefined. Keys
 * such as `__proto__` become ordinary members.
 */
export function jsonMembers(
  entries: Iterable<readonly [string, Json | undefined]>,
): JsonObject {
  const present = [...entries].filter(
    (entry): entry is readonly [string, Json] => entry[1] !== undefined,
  );
  return Object.fromEntries(present);
}

/** Returns an object, or undefined if it has no members. */
export function unlessEmpty(object: JsonObject): JsonObject | undefined {
  return Object.keys(object).length === 0 ? undefined : object;
}

/** Converts plain data, such as a part of the model, to JSON. */
export function toJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}
