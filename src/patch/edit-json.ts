import { isDeepStrictEqual } from "node:util";
import { isObject } from "../diagnostics/json.js";

/** Object or array that contains a value. */
export type Owner = Record<string, unknown> | unknown[];

/** Tests whether two JSON values are equal; the order of keys is ignored. */
export function isEqual(a: unknown, b: unknown): boolean {
  return isDeepStrictEqual(a, b);
}

/**
 * Returns the value at a location; undefined if the location does not exist.
 */
export function valueAt(root: unknown, tokens: readonly string[]): unknown {
  let value = root;
  for (const token of tokens) {
    const owner = ownerOf(value);
    if (owner === undefined || !hasMember(owner, token)) return undefined;
    value = (owner as Record<string, unknown>)[token];
  }
  return value;
}

/**
 * Returns the object or array that contains the value at a location; undefined
 * if there is no such object or array.
 */
export function ownerAt(
  root: unknown,
  tokens: readonly string[],
): Owner | undefined {
  return ownerOf(valueAt(root, tokens.slice(0, -1)));
}

function ownerOf(value: unknown): Owner | undefined {
  if (Array.isArray(value)) return value as unknown[];
  return isObject(value) ? value : undefined;
}

/** Tests whether an object or array contains a key or index. */
export function hasMember(owner: Owner, token: string): boolean {
  if (!Array.isArray(owner)) return Object.hasOwn(owner, token);
  const index = indexOf(token);
  return index !== undefined && index < owner.length;
}

/** Parses an array index (RFC 6901 §4); returns undefined for invalid text. */
export function indexOf(token: string): number | undefined {
  return /^(?:0|[1-9]\d{0,8})$/.test(token) ? Number(token) : undefined;
}

/**
 * Sets a member. The property is defined, not assigned, because an assignment
 * to `__proto__` would change the prototype.
 */
export function setMember(owner: Owner, token: string, value: unknown): void {
  Object.defineProperty(owner, token, {
    value: structuredClone(value),
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

/** Removes a member of an object, or an element of an array. */
export function removeMember(owner: Owner, token: string): void {
  if (Array.isArray(owner)) owner.splice(Number(token), 1);
  else Reflect.deleteProperty(owner, token);
}

/** Renames a key of an object without changing the order of the keys. */
export function renameMember(
  owner: Record<string, unknown>,
  from: string,
  to: string,
): void {
  const members = Object.entries(owner);
  for (const [key] of members) Reflect.deleteProperty(owner, key);
  for (const [key, value] of members)
    Object.defineProperty(owner, key === from ? to : key, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
}
