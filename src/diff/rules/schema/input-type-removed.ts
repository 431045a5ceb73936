import type { Rule } from "../../rule.js";

export const inputTypeRemoved: Rule<"schema"> = {
  id: "input-type-removed",
  on: "schema",
  kind: "removed",
  summary: "The separate request type of a schema was removed.",
  reason:
    "The schema has no read-only properties, or requests no longer use it.",
  verdict: ["info", "info", "breaking"],
  find: ({ old, new: now, isSameId }, documents) => {
    if (!isSameId || old === undefined || now === undefined) return undefined;
    const before = documents.old.names.inputs.get(old.id);
    return (
      before !== undefined &&
      !documents.new.names.inputs.has(now.id) && {
        text: `the type ${before} was removed`,
        detail: before,
      }
    );
  },
};
