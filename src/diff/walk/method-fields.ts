import { isObject } from "../../diagnostics/json.js";
import { resolvePointer } from "../../diagnostics/types.js";
import type { Method } from "../../model/ir.js";
import type { Documents } from "../rule.js";
import { isSameJson } from "./same-json.js";

/**
 * Method fields that `changedFields` ignores, such as fields that other rules
 * compare.
 */
const COVERED = new Set(
  "id path restPath flatPath httpMethod description deprecated apiVersion parameters parameterOrder request response scopes supportsMediaUpload mediaUpload supportsMediaDownload x-headers x-response-headers".split(
    " ",
  ),
);

/**
 * Returns the names of the fields that differ between two methods and that no
 * other rule compares.
 */
export function changedFields(
  old: Method,
  now: Method,
  documents: Documents,
): string[] {
  const before = fieldsOf(documents.old.document, old.pointer);
  const after = fieldsOf(documents.new.document, now.pointer);
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names]
    .filter((name) => !COVERED.has(name))
    .filter((name) => !isSameJson(before[name], after[name]))
    .sort();
}

function fieldsOf(document: unknown, pointer: string): Record<string, unknown> {
  const value = resolvePointer(document, pointer);
  return isObject(value) ? value : {};
}
