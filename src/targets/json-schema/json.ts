import { visibleJson } from "../../diagnostics/reporters/output.js";

/** Value in an exported JSON document. */
export type Json =
  null | boolean | number | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

/**
 * Returns a copy of an object without the members whose value is undefined. The
 * order of the members is preserved.
 */
export function jsonObject(
  members: Readonly<Record<string, Json | undefined>>,
): JsonObject {
  return jsonMembers(Object.entries(members));
}

/**
 * Creates an object from the entries whose value is not undefined. A key such
 * as `__proto__` becomes an ordinary member.
 */
export function jsonMembers(
  entries: Iterable<readonly [string, Json | undefined]>,
): JsonObject {
  const present = [...entries].filter(
    (entry): entry is readonly [string, Json] => entry[1] !== undefined,
  );
  return Object.fromEntries(present);
}

/** Returns the object; undefined if it has no members. */
export function unlessEmpty(object: JsonObject): JsonObject | undefined {
  return Object.keys(object).length === 0 ? undefined : object;
}

/** Converts plain data, such as a part of the API model, to JSON. */
export function toJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}

/**
 * Prints JSON with an indentation of two spaces and a final newline. Invisible
 * characters are escaped.
 */
export function jsonText(value: Json): string {
  return `${visibleJson(value)}\n`;
}
