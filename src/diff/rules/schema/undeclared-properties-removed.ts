import type { Rule } from "../../rule.js";

export const undeclaredPropertiesRemoved: Rule<"schema"> = {
  id: "undeclared-properties-removed",
  on: "schema",
  kind: "changed",
  summary: "An object can no longer have properties that are not declared.",
  verdict: {
    request: ["breaking", "info", "breaking"],
    response: ["info", "breaking", "breaking"],
  },
  find: ({ old, new: now }) =>
    old?.body.kind === "object" &&
    now?.body.kind === "object" &&
    old.body.additional !== undefined &&
    now.body.additional === undefined && {
      text: "undeclared properties are no longer allowed",
      below: "/additionalProperties",
    },
};
