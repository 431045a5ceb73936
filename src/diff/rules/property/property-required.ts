import type { Rule } from "../../rule.js";
import { isAlwaysPresent } from "../../../model/infer/field-flags.js";

export const propertyRequired: Rule<"property"> = {
  id: "property-required",
  on: "property",
  kind: "changed",
  summary: "An optional property became required.",
  reason:
    "The generated type also requires the property in responses, so code that creates responses, such as tests, must set it.",
  verdict: {
    request: ["breaking", "info", "breaking"],
    response: ["info", "breaking", "warning"],
    patch: ["info", "info", "warning"],
  },
  find: ({ old, new: now }, documents) =>
    old !== undefined &&
    now !== undefined &&
    !isAlwaysPresent(old.flags, documents.old.trustProse) &&
    isAlwaysPresent(now.flags, documents.new.trustProse) && {
      text: "the property became required",
      below: "/required",
    },
};
