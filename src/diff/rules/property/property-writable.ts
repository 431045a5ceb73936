import type { Rule } from "../../rule.js";
import { isBinding } from "../../../model/infer/field-flags.js";

export const propertyWritable: Rule<"property"> = {
  id: "property-writable",
  on: "property",
  kind: "changed",
  summary: "The flag `readOnly` of a property was removed.",
  verdict: ["info", "info", "info"],
  find: ({ old, new: now }, documents) =>
    old !== undefined &&
    now !== undefined &&
    isBinding(old.flags.readOnly, documents.old.trustProse) &&
    !isBinding(now.flags.readOnly, documents.new.trustProse) && {
      text: "the property is no longer read-only",
      below: "/readOnly",
    },
};
