import type { Rule } from "../../rule.js";
import { quoted } from "../../words.js";

export const schemaReplaced: Rule<"schema"> = {
  id: "schema-replaced",
  on: "schema",
  kind: "changed",
  summary:
    "Values have another schema; differences of the schemas are reported.",
  verdict: ["info", "info", "info"],
  find: ({ old, new: now }, documents) =>
    old !== undefined &&
    now !== undefined &&
    old.id !== now.id &&
    documents.new.definitions.has(old.id) && {
      text: `the values have the schema ${quoted(now.id)}`,
      detail: now.id,
    },
};
