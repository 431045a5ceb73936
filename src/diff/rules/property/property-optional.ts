import type { Rule } from "../../rule.js";
import { isAlwaysPresent } from "../../../model/infer/field-flags.js";

export const propertyOptional: Rule<"property"> = {
  id: "property-optional",
  on: "property",
  kind: "changed",
  summary: "A required property became optional.",
  verdict: {
    request: ["info", "breaking", "info"],
    response: ["breaking", "info", "breaking"],
  },
  find: ({ old, new: now }, documents) =>
    old !== undefined &&
    now !== undefined &&
    isAlwaysPresent(old.flags, documents.old.trustProse) &&
    !isAlwaysPresent(now.flags, documents.new.trustProse) && {
      text: "the property became optional",
      below: "/required",
    },
};
