import type { Rule } from "../../rule.js";
import { isAlwaysPresent } from "../../../model/infer/field-flags.js";

export const requiredPropertyAdded: Rule<"property"> = {
  id: "required-property-added",
  on: "property",
  kind: "added",
  summary: "A required property was added.",
  reason:
    "The generated type also requires the property in responses, so code that creates responses, such as tests, must set it. A default has no effect in bodies.",
  verdict: {
    request: ["breaking", "info", "breaking"],
    response: ["info", "breaking", "warning"],
    patch: ["info", "info", "warning"],
  },
  find: ({ old, new: now }, documents) =>
    old === undefined &&
    now !== undefined &&
    isAlwaysPresent(now.flags, documents.new.trustProse) && {
      text: "the required property was added",
    },
};
