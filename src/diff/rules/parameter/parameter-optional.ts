import type { Rule } from "../../rule.js";
import { isBinding } from "../../../model/infer/field-flags.js";

export const parameterOptional: Rule<"parameter"> = {
  id: "parameter-optional",
  on: "parameter",
  kind: "changed",
  summary: "A required parameter became optional.",
  reason:
    "Handlers can receive requests without the parameter, unless it has a default.",
  verdict: ["info", "breaking", "info"],
  find: ({ old, new: now }, documents) =>
    old !== undefined &&
    now !== undefined &&
    isBinding(old.flags.required, documents.old.trustProse) &&
    !isBinding(now.flags.required, documents.new.trustProse) && {
      text: "the parameter became optional",
      below: "/required",
      verdict:
        now.constraints.default === undefined ? undefined : { server: "info" },
    },
};
