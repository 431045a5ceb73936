import type { Rule } from "../../rule.js";
import { isNullable } from "../../walk/value-types.js";

export const nullableRemoved: Rule<"value"> = {
  id: "nullable-removed",
  on: "value",
  kind: "changed",
  summary: "A value can no longer be null (`x-nullable`).",
  verdict: {
    request: ["breaking", "info", "breaking"],
    response: ["info", "breaking", "info"],
  },
  find: ({ old, new: now }, documents) =>
    isNullable(old.schema, documents.old) &&
    !isNullable(now.schema, documents.new) && {
      text: "the value can no longer be null",
      below: "/x-nullable",
    },
};
