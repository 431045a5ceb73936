import type { Rule } from "../../rule.js";
import { quoted } from "../../words.js";
import { missing } from "../../walk/sets.js";

export const variantOptionRemoved: Rule<"schema"> = {
  id: "variant-option-removed",
  on: "schema",
  kind: "removed",
  summary: "A variant has an option less.",
  verdict: {
    request: ["breaking", "info", "breaking"],
    response: ["info", "breaking", "breaking"],
  },
  find: ({ old, new: now }) =>
    old?.body.kind === "variant" &&
    now?.body.kind === "variant" &&
    missing(old.body.options, now.body.options, ({ value }) => value).map(
      ({ value }) => ({
        text: `the option ${quoted(value)} was removed`,
        detail: value,
        below: "/variant",
      }),
    ),
};
