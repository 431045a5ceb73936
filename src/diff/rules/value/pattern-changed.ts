import type { Rule } from "../../rule.js";
import { quoted } from "../../words.js";

export const patternChanged: Rule<"value"> = {
  id: "pattern-changed",
  on: "value",
  kind: "changed",
  summary: "A pattern was added or changed.",
  reason:
    "The comparison does not determine whether the new pattern accepts fewer strings.",
  verdict: {
    request: ["breaking", "warning", "info"],
    response: ["warning", "warning", "info"],
  },
  find: ({ old, new: now }) =>
    old.constraints.pattern !== now.constraints.pattern &&
    now.constraints.pattern !== undefined && {
      text:
        old.constraints.pattern === undefined
          ? `the pattern ${quoted(now.constraints.pattern)} was added`
          : `the pattern changed from ${quoted(old.constraints.pattern)} to ${quoted(now.constraints.pattern)}`,
      detail: now.constraints.pattern,
      below: "/pattern",
    },
};
