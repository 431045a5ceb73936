import { canonicalDocument } from "../../load/canonical.js";
import { fingerprintOf } from "../fingerprint.js";
import type { Rule } from "../rule.js";

/**
 * Finds differences that no other rule reports. It must run last, and only if
 * there are no other changes.
 */
export const otherChanged: Rule<"api"> = {
  id: "other-changed",
  on: "api",
  kind: "text",
  summary:
    "The documents differ only in fields that affect neither requests and responses nor output.",
  verdict: ["info", "info", "info"],
  find: (_, documents) => {
    const [before, after] = [
      canonicalDocument(documents.old.document),
      canonicalDocument(documents.new.document),
    ];
    return (
      before !== after && {
        text: "other fields of the document changed",
        detail: fingerprintOf(after),
      }
    );
  },
};
