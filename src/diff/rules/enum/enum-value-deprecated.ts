import type { Rule } from "../../rule.js";
import { quoted } from "../../words.js";

export const enumValueDeprecated: Rule<"enum"> = {
  id: "enum-value-deprecated",
  on: "enum",
  kind: "deprecated",
  summary: "An enum value was deprecated.",
  verdict: ["warning", "info", "info"],
  find: ({ old, new: now }) =>
    now.values
      .filter(
        ({ value, deprecated }) =>
          deprecated === true &&
          old.values.some(
            (before) => before.value === value && before.deprecated !== true,
          ),
      )
      .map(({ value }) => ({
        text: `the value ${quoted(value)} was deprecated`,
        detail: value,
        below: "/enumDeprecated",
      })),
};
