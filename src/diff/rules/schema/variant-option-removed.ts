import type { Rule } from "../../rule.js";
import { quoted } from "../../words.js";
import { missingItems } from "../../walk/missing-items.js";

export const variantOptionRemoved: Rule<"schema"> = {
  id: "variant-option-removed",
  on: "schema",
  kind: "removed",
  summary: "A schema was removed from the options of a variant.",
  verdict: {
    request: ["breaking", "info", "breaking"],
    response: ["info", "breaking", "breaking"],
  },
  find: ({ old, new: now }) =>
    old?.body.kind === "variant" &&
    now?.body.kind === "variant" &&
    missingItems(old.body.options, now.body.options, ({ value }) => value).map(
      ({ value }) => ({
        text: `the option ${quoted(value)} was removed`,
        detail: value,
        below: "/variant",
      }),
    ),
};
