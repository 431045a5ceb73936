import type { Rule } from "../../rule.js";
import { quoted } from "../../words.js";
import { missingItems } from "../../walk/missing-items.js";

export const variantOptionAdded: Rule<"schema"> = {
  id: "variant-option-added",
  on: "schema",
  kind: "added",
  summary: "A schema was added to the options of a variant.",
  verdict: {
    request: ["info", "warning", "info"],
    response: ["warning", "info", "warning"],
  },
  find: ({ old, new: now }) =>
    old?.body.kind === "variant" &&
    now?.body.kind === "variant" &&
    missingItems(now.body.options, old.body.options, ({ value }) => value).map(
      ({ value }) => ({
        text: `the option ${quoted(value)} was added`,
        detail: value,
        below: "/variant",
      }),
    ),
};
