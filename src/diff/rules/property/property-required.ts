import type { Rule } from "../../rule.js";
import { isAlwaysPresent } from "../../../model/infer/field-flags.js";

export const propertyRequired: Rule<"property"> = {
  id: "property-required",
  on: "property",
  kind: "changed",
  summary: "An optional property is required.",
  reason:
    "In responses, code that creates values of the type, such as tests, must set it.",
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
      text: "the property is required",
      below: "/required",
    },
};
