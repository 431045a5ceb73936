import type { Rule } from "../../rule.js";
import { isBinding } from "../../../model/infer/field-flags.js";

export const parameterRequired: Rule<"parameter"> = {
  id: "parameter-required",
  on: "parameter",
  kind: "changed",
  summary: "An optional parameter became required.",
  reason:
    "The severity is a warning for clients if the parameter has a default, which servers can use.",
  verdict: ["breaking", "info", "breaking"],
  find: ({ old, new: now }, documents) =>
    old !== undefined &&
    now !== undefined &&
    !isBinding(old.flags.required, documents.old.trustProse) &&
    isBinding(now.flags.required, documents.new.trustProse) && {
      text: "the parameter became required",
      below: "/required",
      verdict:
        (now.constraints.default ?? old.constraints.default) === undefined
          ? undefined
          : { client: "warning" },
    },
};
