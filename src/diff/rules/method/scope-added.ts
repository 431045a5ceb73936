import type { Rule } from "../../rule.js";
import { quoted } from "../../words.js";
import { missingItems } from "../../walk/missing-items.js";

export const scopeAdded: Rule<"method"> = {
  id: "scope-added",
  on: "method",
  kind: "added",
  summary: "A method now accepts an additional scope.",
  reason: "One of the listed scopes is sufficient.",
  verdict: ["info", "info", "info"],
  find: ({ old, new: now }) =>
    old !== undefined &&
    now !== undefined &&
    old.scopes.length > 0 &&
    missingItems(now.scopes, old.scopes, (name) => name).map((name) => ({
      text: `the scope ${quoted(name)} is now accepted`,
      detail: name,
      below: "/scopes",
    })),
};
