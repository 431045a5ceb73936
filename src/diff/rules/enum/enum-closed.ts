import type { Rule } from "../../rule.js";

export const enumClosed: Rule<"enum"> = {
  id: "enum-closed",
  on: "enum",
  kind: "changed",
  summary:
    "An enum no longer allows values that are not listed (`x-open-enum`).",
  verdict: {
    request: ["breaking", "info", "info"],
    response: ["info", "warning", "info"],
  },
  find: ({ old, new: now }) =>
    old.isOpen &&
    !now.isOpen && { text: "values that are not listed are no longer allowed" },
};
