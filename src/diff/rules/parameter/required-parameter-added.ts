import type { Rule } from "../../rule.js";
import { isBinding } from "../../../model/infer/field-flags.js";
import { quoted } from "../../words.js";

export const requiredParameterAdded: Rule<"parameter"> = {
  id: "required-parameter-added",
  on: "parameter",
  kind: "added",
  summary: "A required parameter was added.",
  reason:
    "For clients, the severity is `warning` if the parameter has a default, because servers can use the default when a client omits the parameter.",
  verdict: ["breaking", "info", "breaking"],
  find: ({ old, new: now }, documents) =>
    old === undefined &&
    now !== undefined &&
    isBinding(now.flags.required, documents.new.trustProse) && {
      text:
        now.constraints.default === undefined
          ? "the required parameter was added"
          : `the required parameter was added, with default ${quoted(now.constraints.default)}`,
      verdict:
        now.constraints.default === undefined
          ? undefined
          : { client: "warning" },
    },
};
