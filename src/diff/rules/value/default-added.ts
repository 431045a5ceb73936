import type { Rule } from "../../rule.js";
import { quoted } from "../../words.js";

export const defaultAdded: Rule<"value"> = {
  id: "default-added",
  on: "value",
  kind: "changed",
  summary: "A default was added.",
  verdict: ["info", "info", "info"],
  find: ({ old, new: now }) =>
    old.constraints.default === undefined &&
    now.constraints.default !== undefined && {
      text: `the default ${quoted(now.constraints.default)} was added`,
      detail: now.constraints.default,
      below: "/default",
    },
};
