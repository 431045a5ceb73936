import { fingerprintOf } from "../fingerprint.js";
import type { Finding, Rule, Subject } from "../rule.js";

/** Returns the rule that compares descriptions of one kind of object. */
function descriptionRule<S extends Subject>(
  on: S,
  find: Rule<S>["find"],
): Rule<S> {
  return {
    id: "description-changed",
    on,
    kind: "text",
    summary: "A description was added, changed or removed.",
    verdict: ["info", "info", "info"],
    find,
  };
}

interface Described {
  readonly description?: string;
}

function compare(
  old: Described | undefined,
  now: Described | undefined,
): Finding | undefined {
  if (old === undefined || now === undefined) return undefined;
  const [before = "", after = ""] = [old.description, now.description];
  if (before === after) return undefined;
  const verb = before === "" ? "added" : after === "" ? "removed" : "changed";
  return {
    text: `the description was ${verb}`,
    detail: fingerprintOf(after),
    below: "/description",
  };
}

/** Rules that compare descriptions, one for each kind of object. */
export const descriptionRules: readonly Rule<any>[] = [
  descriptionRule("method", (pair) => compare(pair.old, pair.new)),
  descriptionRule("parameter", (pair) => compare(pair.old, pair.new)),
  descriptionRule("property", (pair) => compare(pair.old, pair.new)),
  descriptionRule("schema", (pair) => compare(pair.old, pair.new)),
  descriptionRule("enum", ({ old, new: now }) =>
    now.values.flatMap((value) => {
      const before = old.values.find((one) => one.value === value.value);
      const finding = compare(before, value);
      return finding === undefined
        ? []
        : [
            {
              text: `the description of the value ${JSON.stringify(value.value)} changed`,
              detail: `${value.value} ${finding.detail}`,
              below: "/enumDescriptions",
            },
          ];
    }),
  ),
  descriptionRule("api", ({ old, new: now }) =>
    now.scopes.flatMap((scope) => {
      const before = old.scopes.find(({ name }) => name === scope.name);
      const finding = compare(before, scope);
      return finding === undefined
        ? []
        : [
            {
              text: `the description of the scope ${JSON.stringify(scope.name)} changed`,
              detail: `${scope.name} ${finding.detail}`,
              below: "/auth/oauth2/scopes",
            },
          ];
    }),
  ),
];
