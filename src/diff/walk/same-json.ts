import { canonicalDocument } from "../../load/canonical.js";

/**
 * Returns whether two JSON values differ only in the order of keys. An absent
 * value equals false.
 */
export function isSameJson(a: unknown, b: unknown): boolean {
  return textOf(a) === textOf(b);
}

function textOf(value: unknown): string {
  return value === undefined || value === false
    ? ""
    : canonicalDocument([value]);
}
