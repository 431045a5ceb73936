import { isObject } from "../../diagnostics/json.js";
import { canonicalDocument } from "../../load/canonical.js";
import { fingerprintOf } from "../fingerprint.js";
import type { Rule } from "../rule.js";

/**
 * Reports differences that no other rule reports. This rule runs last, and only
 * if the other rules found no changes.
 */
export const otherChanged: Rule<"api"> = {
  id: "other-changed",
  on: "api",
  kind: "text",
  summary:
    "The documents differ only in fields that don't affect requests, responses or the output.",
  verdict: ["info", "info", "info"],
  find: (_, documents) => {
    const [before, after] = [
      canonicalDocument(withoutOrder(documents.old.document)),
      canonicalDocument(withoutOrder(documents.new.document)),
    ];
    return (
      before !== after && {
        text: "other fields of the document changed",
        detail: fingerprintOf(after),
      }
    );
  },
};

/**
 * Returns a copy of a value in which lists are sorted, so that the order of
 * lists is ignored.
 */
function withoutOrder(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(withoutOrder);
    return items
      .map((item): [string, unknown] => [canonicalDocument(item), item])
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, item]) => item);
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, withoutOrder(item)]),
  );
}
