import type { Rule } from "../../rule.js";
import { isAlwaysPresent } from "../../../model/infer/field-flags.js";

export const propertyAdded: Rule<"property"> = {
  id: "property-added",
  on: "property",
  kind: "added",
  summary: "An optional property was added.",
  verdict: ["info", "info", "info"],
  find: ({ old, new: now }, documents) =>
    old === undefined &&
    now !== undefined &&
    !isAlwaysPresent(now.flags, documents.new.trustProse) && {
      text: "the property was added",
    },
};
