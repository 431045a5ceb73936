import type { Rule } from "../../rule.js";
import { quoted } from "../../words.js";
import { missingItems } from "../../walk/missing-items.js";

export const enumValueAdded: Rule<"enum"> = {
  id: "enum-value-added",
  on: "enum",
  kind: "added",
  summary: "An enum value was added.",
  reason:
    "Generated enums are open: code with a `switch` compiles, but can receive the new value.",
  verdict: {
    request: ["info", "warning", "info"],
    response: ["warning", "info", "info"],
  },
  find: ({ old, new: now }) =>
    missingItems(now.values, old.values, ({ value }) => value).map(
      ({ value }) => ({
        text: `the value ${quoted(value)} was added`,
        detail: value,
        below: "/enum",
      }),
    ),
};
