import type { Rule } from "../../rule.js";

export const enumOpened: Rule<"enum"> = {
  id: "enum-opened",
  on: "enum",
  kind: "changed",
  summary: "An enum now allows values that are not listed (`x-open-enum`).",
  verdict: {
    request: ["info", "warning", "info"],
    response: ["warning", "info", "info"],
  },
  find: ({ old, new: now }) =>
    !old.isOpen &&
    now.isOpen && { text: "values that are not listed are now allowed" },
};
