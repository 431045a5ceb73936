import type { Rule } from "../../rule.js";

export const schemaAdded: Rule<"schema"> = {
  id: "schema-added",
  on: "schema",
  kind: "added",
  summary: "A schema was added.",
  verdict: ["info", "info", "info"],
  find: ({ old }) => old === undefined && { text: "the schema was added" },
};
