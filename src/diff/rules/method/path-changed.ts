import type { Rule } from "../../rule.js";
import { quoted } from "../../words.js";
import { shapeOf, urlPath } from "../../walk/paths.js";

export const pathChanged: Rule<"method"> = {
  id: "path-changed",
  on: "method",
  kind: "changed",
  summary: "The path of a method changed.",
  verdict: ["breaking", "info", "info"],
  find: ({ old, new: now }, documents) => {
    if (old === undefined || now === undefined) return undefined;
    const [before, after] = [
      urlPath(old, documents.old),
      urlPath(now, documents.new),
    ];
    if (
      shapeOf(before) === shapeOf(after) ||
      shapeOf(old.path) === shapeOf(now.path)
    )
      return undefined;
    return {
      text: `the path changed from ${quoted(old.path)} to ${quoted(now.path)}`,
      detail: now.path,
      below: "/path",
    };
  },
};
