import type { Rule } from "../../rule.js";
import { quoted } from "../../words.js";

export const schemaReplaced: Rule<"schema"> = {
  id: "schema-replaced",
  on: "schema",
  kind: "changed",
  summary:
    "A value now refers to a different schema. Differences between the two schemas are reported separately.",
  verdict: ["info", "info", "info"],
  find: ({ old, new: now }, documents) =>
    old !== undefined &&
    now !== undefined &&
    old.id !== now.id &&
    documents.new.definitions.has(old.id) && {
      text: `values that referred to this schema now refer to ${quoted(now.id)}`,
      detail: now.id,
    },
};
