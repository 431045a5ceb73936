import type { Rule } from "../../rule.js";
import { isBinding } from "../../../model/infer/field-flags.js";

export const propertyReadOnly: Rule<"property"> = {
  id: "property-read-only",
  on: "property",
  kind: "changed",
  summary: "A property became read-only.",
  reason: "Requests can no longer contain the property.",
  verdict: {
    request: ["breaking", "breaking", "breaking"],
    response: ["info", "info", "warning"],
  },
  find: ({ old, new: now }, documents) =>
    old !== undefined &&
    now !== undefined &&
    !isBinding(old.flags.readOnly, documents.old.trustProse) &&
    isBinding(now.flags.readOnly, documents.new.trustProse) && {
      text: "the property became read-only",
      below: "/readOnly",
    },
};
