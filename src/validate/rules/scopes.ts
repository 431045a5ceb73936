import { child } from "../../model/build/context.js";
import { quoted, type Rule } from "../rule.js";

/** Rules about OAuth 2.0 scopes. */
export const scopeRules: readonly Rule[] = [
  {
    id: "scope-undeclared",
    severity: "warning",
    cause:
      "A method requires a scope that auth.oauth2.scopes does not declare; reported once for each scope.",
    fix: "Declare the scope with a description, or correct the name.",
    check({ document, methods }, report) {
      const declared = new Set(
        Object.keys(document.auth?.oauth2?.scopes ?? {}),
      );
      for (const { id, raw, at } of methods)
        for (const [index, scope] of (raw.scopes ?? []).entries()) {
          if (declared.has(scope)) continue;
          declared.add(scope);
          report(
            `${id} requires the scope ${quoted(scope)}, which is not declared`,
            child(at, "scopes", index),
          );
        }
    },
  },
  {
    id: "scope-unused",
    severity: "info",
    cause:
      "No method requires the scope, so applications that request it receive an unnecessary permission.",
    fix: "Remove the scope, or add it to the methods that require it.",
    check({ document, methods }, report) {
      const used = new Set(methods.flatMap(({ raw }) => raw.scopes ?? []));
      for (const scope of Object.keys(document.auth?.oauth2?.scopes ?? {}))
        if (!used.has(scope))
          report(
            `no method requires the scope ${quoted(scope)}`,
            child(undefined, "auth", "oauth2", "scopes", scope),
          );
    },
  },
];
