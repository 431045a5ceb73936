import type { Rule } from "../../rule.js";
import { quoted } from "../../words.js";
import { resourceOf } from "../../walk/paths.js";

export const methodRenamed: Rule<"method"> = {
  id: "method-renamed",
  on: "method",
  kind: "changed",
  summary: "A method was renamed within its resource; its URL is unchanged.",
  verdict: ["info", "breaking", "breaking"],
  find: ({ old, new: now }, documents) =>
    old !== undefined &&
    now !== undefined &&
    old.name !== now.name &&
    resourceOf(old, documents.old) === resourceOf(now, documents.new) && {
      text: `the method was renamed to ${quoted(now.id)}`,
      detail: now.id,
    },
};
