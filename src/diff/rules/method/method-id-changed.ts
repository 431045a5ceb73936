import type { Rule } from "../../rule.js";
import { quoted } from "../../words.js";
import { resourceOf } from "../../walk/paths.js";

export const methodIdChanged: Rule<"method"> = {
  id: "method-id-changed",
  on: "method",
  kind: "changed",
  summary: "Only the id of a method changed.",
  verdict: ["info", "info", "info"],
  find: ({ old, new: now }, documents) =>
    old !== undefined &&
    now !== undefined &&
    old.id !== now.id &&
    old.name === now.name &&
    resourceOf(old, documents.old) === resourceOf(now, documents.new) && {
      text: `the id changed to ${quoted(now.id)}`,
      detail: now.id,
      below: "/id",
    },
};
