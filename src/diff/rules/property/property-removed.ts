import type { Rule } from "../../rule.js";

export const propertyRemoved: Rule<"property"> = {
  id: "property-removed",
  on: "property",
  kind: "removed",
  summary: "A property was removed.",
  verdict: ["breaking", "breaking", "breaking"],
  find: ({ new: now }) =>
    now === undefined && { text: "the property was removed" },
};
