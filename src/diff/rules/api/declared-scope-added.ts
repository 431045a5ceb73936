import type { Rule } from "../../rule.js";
import { quoted } from "../../words.js";
import { missingItems } from "../../walk/missing-items.js";
import { scopesOf } from "../../walk/scopes.js";

export const declaredScopeAdded: Rule<"api"> = {
  id: "declared-scope-added",
  on: "api",
  kind: "added",
  summary: "The document declares a new scope.",
  verdict: ["info", "info", "info"],
  find: (_, documents) => {
    const names = {
      old: scopesOf(documents.old),
      new: scopesOf(documents.new),
    };
    return missingItems([...names.new], [...names.old], (name) => name).map(
      (name) => ({
        text: `the scope ${quoted(name)} was added`,
        detail: name,
        below: "/auth/oauth2/scopes",
      }),
    );
  },
};
