import type { Rule } from "../../rule.js";
import { quoted } from "../../words.js";

export const defaultChanged: Rule<"value"> = {
  id: "default-changed",
  on: "value",
  kind: "changed",
  summary: "A default changed.",
  reason: "Requests that omit the value now have a different effect.",
  verdict: ["warning", "warning", "info"],
  find: ({ old, new: now }) =>
    old.constraints.default !== undefined &&
    now.constraints.default !== undefined &&
    old.constraints.default !== now.constraints.default && {
      text: `the default changed from ${quoted(old.constraints.default)} to ${quoted(now.constraints.default)}`,
      detail: now.constraints.default,
      below: "/default",
    },
};
