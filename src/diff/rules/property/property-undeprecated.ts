import type { Rule } from "../../rule.js";

export const propertyUndeprecated: Rule<"property"> = {
  id: "property-undeprecated",
  on: "property",
  kind: "changed",
  summary: "The deprecation of a property was removed.",
  verdict: ["info", "info", "info"],
  find: ({ old, new: now }) =>
    old !== undefined &&
    now !== undefined &&
    old.flags.deprecated !== undefined &&
    now.flags.deprecated === undefined && {
      text: "the property is no longer deprecated",
    },
};
