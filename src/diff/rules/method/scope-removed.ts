import type { Rule } from "../../rule.js";
import { quoted } from "../../words.js";
import { missingItems } from "../../walk/missing-items.js";

export const scopeRemoved: Rule<"method"> = {
  id: "scope-removed",
  on: "method",
  kind: "removed",
  summary: "A method no longer accepts a scope.",
  reason: "Callers whose token has only this scope are rejected.",
  verdict: ["breaking", "info", "info"],
  find: ({ old, new: now }) =>
    old !== undefined &&
    now !== undefined &&
    now.scopes.length > 0 &&
    missingItems(old.scopes, now.scopes, (name) => name).map((name) => ({
      text: `the scope ${quoted(name)} is no longer accepted`,
      detail: name,
      below: "/scopes",
    })),
};
