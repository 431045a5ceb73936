import type { Rule } from "../../rule.js";
import { quoted } from "../../words.js";
import { missingItems } from "../../walk/missing-items.js";
import { scopesOf } from "../../walk/scopes.js";

export const declaredScopeRemoved: Rule<"api"> = {
  id: "declared-scope-removed",
  on: "api",
  kind: "removed",
  summary: "The document no longer declares a scope, and no method lists it.",
  reason:
    "The constant of the scope is no longer in scopes.ts. The rule `scope-removed` reports the methods.",
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
