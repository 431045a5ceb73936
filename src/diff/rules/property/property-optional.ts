import type { Rule } from "../../rule.js";
import { isAlwaysPresent } from "../../../model/infer/field-flags.js";

export const propertyOptional: Rule<"property"> = {
  id: "property-optional",
  on: "property",
  kind: "changed",
  summary: "A required property is optional.",
  verdict: {
    request: ["info", "breaking", "info"],
    response: ["breaking", "info", "breaking"],
  },
  find: ({ old, new: now }, documents) =>
    old !== undefined &&
    now !== undefined &&
    isAlwaysPresent(old.flags, documents.old.trustProse) &&
    !isAlwaysPresent(now.flags, documents.new.trustProse) && {
      text: "the property is optional",
      below: "/required",
    },
};
