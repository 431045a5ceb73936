import { canonicalDocument } from "../../load/canonical.js";

/**
 * Tests whether two JSON values differ only in the order of keys. A missing
 * value is equal to false, because false is the default of flags in documents.
 */
export function isSameJson(a: unknown, b: unknown): boolean {
  return textOf(a) === textOf(b);
}

function textOf(value: unknown): string {
  return value === undefined || value === false
    ? ""
    : canonicalDocument([value]);
}
