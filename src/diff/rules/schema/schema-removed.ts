import type { Rule } from "../../rule.js";

export const schemaRemoved: Rule<"schema"> = {
  id: "schema-removed",
  on: "schema",
  kind: "removed",
  summary: "A schema was removed.",
  reason:
    "Imports of its type fail. Effects on the wire are reported where it was used.",
  verdict: ["info", "info", "breaking"],
  find: ({ new: now }) =>
    now === undefined && { text: "the schema was removed" },
};
