import type { Rule } from "../../rule.js";

export const typeNameChanged: Rule<"schema"> = {
  id: "type-name-changed",
  on: "schema",
  kind: "changed",
  summary:
    "The generated type of a schema was renamed, because its name conflicts with another name.",
  verdict: ["info", "info", "breaking"],
  find: ({ old, new: now, isSameId }, documents) => {
    if (!isSameId || old === undefined || now === undefined) return undefined;
    const [before, after] = [
      documents.old.names.types.get(old.id),
      documents.new.names.types.get(now.id),
    ];
    return (
      before !== after && {
        text: `the type was renamed from ${before} to ${after}`,
        detail: after,
      }
    );
  },
};
