import type { Rule } from "../../rule.js";

export const schemaDeprecated: Rule<"schema"> = {
  id: "schema-deprecated",
  on: "schema",
  kind: "deprecated",
  summary: "A schema was deprecated.",
  verdict: ["warning", "info", "info"],
  find: ({ old, new: now }) =>
    old !== undefined &&
    now !== undefined &&
    old.deprecated !== true &&
    now.deprecated === true && {
      text: "the schema was deprecated",
      below: "/deprecated",
    },
};
