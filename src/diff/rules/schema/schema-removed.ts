import type { Rule } from "../../rule.js";

export const schemaRemoved: Rule<"schema"> = {
  id: "schema-removed",
  on: "schema",
  kind: "removed",
  summary: "A schema was removed.",
  reason:
    "Imports of the generated type fail. Effects on requests and responses are reported for the values that used the schema.",
  verdict: ["info", "info", "breaking"],
  find: ({ new: now }) =>
    now === undefined && { text: "the schema was removed" },
};
