import type { Rule } from "../../rule.js";

export const undeclaredPropertiesAllowed: Rule<"schema"> = {
  id: "undeclared-properties-allowed",
  on: "schema",
  kind: "changed",
  summary: "An object can now have properties that are not declared.",
  verdict: {
    request: ["info", "warning", "info"],
    response: ["warning", "info", "warning"],
  },
  find: ({ old, new: now }) =>
    old?.body.kind === "object" &&
    now?.body.kind === "object" &&
    old.body.additional === undefined &&
    now.body.additional !== undefined && {
      text: "undeclared properties are now allowed",
      below: "/additionalProperties",
    },
};
