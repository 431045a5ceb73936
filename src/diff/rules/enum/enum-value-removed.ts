import type { Rule } from "../../rule.js";
import { quoted } from "../../words.js";
import { missingItems } from "../../walk/missing-items.js";

export const enumValueRemoved: Rule<"enum"> = {
  id: "enum-value-removed",
  on: "enum",
  kind: "removed",
  summary: "An enum value was removed.",
  reason:
    "Generated enums are open, so code that compares with the value compiles but never matches. Only the type of the parameter `alt` is closed, so the removal of its values is `breaking`. Handlers must no longer return the value.",
  verdict: {
    request: ["breaking", "warning", "warning"],
    response: ["info", "breaking", "warning"],
  },
  find: ({ old, new: now }) =>
    missingItems(old.values, now.values, ({ value }) => value).map(
      ({ value }) => ({
        text: `the value ${quoted(value)} was removed`,
        detail: value,
        below: "/enum",
        verdict: old.isClosedType ? { types: "breaking" } : undefined,
      }),
    ),
};
