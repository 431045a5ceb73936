import type { Rule } from "../../rule.js";
import { quoted } from "../../words.js";

export const discriminantChanged: Rule<"schema"> = {
  id: "discriminant-changed",
  on: "schema",
  kind: "changed",
  summary: "A different property now selects the schema of a variant.",
  verdict: ["breaking", "breaking", "breaking"],
  find: ({ old, new: now }) =>
    old?.body.kind === "variant" &&
    now?.body.kind === "variant" &&
    old.body.discriminant !== now.body.discriminant && {
      text: `the discriminant changed from ${quoted(old.body.discriminant)} to ${quoted(now.body.discriminant)}`,
      detail: now.body.discriminant,
      below: "/variant/discriminant",
    },
};
