import { isObject } from "../../diagnostics/json.js";
import { sortedKeys } from "../../load/canonical.js";

/**
 * Object in the value of an extension, such as `x-paging`. Its members are not
 * validated yet.
 */
export type RawMembers = Readonly<Record<string, unknown>>;

/**
 * Returns the members of an object, sorted by key; an empty list for a value
 * that is not an object.
 */
export function entriesOf(value: unknown): [key: string, value: unknown][] {
  const members = membersOf(value);
  return sortedKeys(members).map((key) => [key, members[key]]);
}

/** Returns the value if it is an object, otherwise an empty object. */
export function membersOf(value: unknown): RawMembers {
  return isObject(value) ? value : {};
}

/**
 * Returns the elements of a list that are strings; an empty list for a value
 * that is not a list.
 */
export function stringsIn(value: unknown): string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  return list.filter((entry) => typeof entry === "string");
}

/** Returns the members whose values are strings. */
export function stringMembers(members: RawMembers): Record<string, string> {
  return Object.fromEntries(
    Object.entries(members).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string",
    ),
  );
}
