import type { Rule } from "../../rule.js";
import { isBinding } from "../../../model/infer/field-flags.js";

export const parameterRequired: Rule<"parameter"> = {
  id: "parameter-required",
  on: "parameter",
  kind: "changed",
  summary: "An optional parameter became required.",
  reason:
    "For clients, the severity is `warning` if the parameter has a default, because servers can use the default when a client omits the parameter.",
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
