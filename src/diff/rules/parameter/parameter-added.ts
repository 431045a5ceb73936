import type { Rule } from "../../rule.js";
import { isBinding } from "../../../model/infer/field-flags.js";

export const parameterAdded: Rule<"parameter"> = {
  id: "parameter-added",
  on: "parameter",
  kind: "added",
  summary: "An optional parameter was added.",
  verdict: ["info", "info", "info"],
  find: ({ old, new: now }, documents) =>
    old === undefined &&
    now !== undefined &&
    !isBinding(now.flags.required, documents.new.trustProse) && {
      text: "the parameter was added",
    },
};
