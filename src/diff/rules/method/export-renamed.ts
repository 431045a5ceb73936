import type { Rule } from "../../rule.js";

export const exportRenamed: Rule<"method"> = {
  id: "export-renamed",
  on: "method",
  kind: "changed",
  summary:
    "The exported function of a method was renamed, because its name conflicts with another name.",
  verdict: ["info", "info", "breaking"],
  find: ({ old, new: now }, documents) => {
    if (old === undefined || now === undefined || old.name !== now.name)
      return undefined;
    const [before, after] = [
      documents.old.names.methods.get(old),
      documents.new.names.methods.get(now),
    ];
    return (
      before !== after && {
        text: `the exported function was renamed from ${before} to ${after}`,
        detail: after,
      }
    );
  },
};
