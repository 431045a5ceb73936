import type { Rule } from "../../rule.js";
import { isNullable } from "../../walk/value-types.js";

export const nullableAdded: Rule<"value"> = {
  id: "nullable-added",
  on: "value",
  kind: "changed",
  summary: "A value can now be null (`x-nullable`).",
  verdict: {
    request: ["info", "breaking", "info"],
    response: ["breaking", "info", "breaking"],
  },
  find: ({ old, new: now }, documents) =>
    isNullable(old.schema, documents.old) === false &&
    isNullable(now.schema, documents.new) && {
      text: "the value can now be null",
      below: "/x-nullable",
    },
};
