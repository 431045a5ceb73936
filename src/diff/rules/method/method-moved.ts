import type { Rule } from "../../rule.js";
import { quoted } from "../../words.js";
import { resourceOf } from "../../walk/paths.js";

export const methodMoved: Rule<"method"> = {
  id: "method-moved",
  on: "method",
  kind: "changed",
  summary: "A method moved to a different resource; its URL is unchanged.",
  verdict: ["info", "breaking", "breaking"],
  find: ({ old, new: now }, documents) =>
    old !== undefined &&
    now !== undefined &&
    resourceOf(old, documents.old) !== resourceOf(now, documents.new) && {
      text: `the method moved to ${quoted(now.id)} in resource ${quoted(resourceOf(now, documents.new))}`,
      detail: `${resourceOf(now, documents.new)} ${now.name}`,
    },
};
