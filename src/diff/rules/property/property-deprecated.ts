import type { Rule } from "../../rule.js";

export const propertyDeprecated: Rule<"property"> = {
  id: "property-deprecated",
  on: "property",
  kind: "deprecated",
  summary: "A property was deprecated.",
  verdict: ["warning", "info", "info"],
  find: ({ old, new: now }) =>
    old !== undefined &&
    now !== undefined &&
    old.flags.deprecated === undefined &&
    now.flags.deprecated !== undefined && {
      text: "the property was deprecated",
      below: "/deprecated",
    },
};
