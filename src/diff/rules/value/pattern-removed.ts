import type { Rule } from "../../rule.js";
import { quoted } from "../../words.js";

export const patternRemoved: Rule<"value"> = {
  id: "pattern-removed",
  on: "value",
  kind: "changed",
  summary: "A pattern was removed.",
  verdict: {
    request: ["info", "warning", "info"],
    response: ["warning", "info", "info"],
  },
  find: ({ old, new: now }) =>
    old.constraints.pattern !== undefined &&
    now.constraints.pattern === undefined && {
      text: `the pattern ${quoted(old.constraints.pattern)} was removed`,
      below: "/pattern",
    },
};
