import type { Rule } from "../../rule.js";
import { quoted } from "../../words.js";
import { missingItems } from "../../walk/missing-items.js";
import { scopesOf } from "../../walk/scopes.js";

export const declaredScopeRemoved: Rule<"api"> = {
  id: "declared-scope-removed",
  on: "api",
  kind: "removed",
  summary: "The declaration of a scope that no method lists was removed.",
  reason:
    "The generated scopes.ts no longer contains the constant of the scope. The rule `scope-removed` reports methods that listed the scope.",
  verdict: ["info", "info", "breaking"],
  find: (_, documents) => {
    const names = {
      old: scopesOf(documents.old),
      new: scopesOf(documents.new),
    };
    return missingItems([...names.old], [...names.new], (name) => name).map(
      (name) => ({
        text: `the scope ${quoted(name)} was removed`,
        detail: name,
        below: "/auth/oauth2/scopes",
      }),
    );
  },
};
