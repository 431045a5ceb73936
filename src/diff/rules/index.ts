import { rulesAbout, type Finding, type Rule, type Subject } from "../rule.js";
import { fingerprintOf, quoted } from "../words.js";
import { apiRules, documentRules, otherChanged } from "./api.js";
import { enumRules } from "./enum.js";
import { methodRules } from "./method.js";
import { parameterRules } from "./parameter.js";
import { propertyRules } from "./property.js";
import { schemaRules } from "./schema.js";
import { replacementRules, valueRules } from "./value.js";

const head = {
  id: "description-changed",
  kind: "text",
  summary: "A description was added, changed or removed.",
  verdict: ["info", "info", "info"],
} as const;

interface Described {
  readonly description?: string;
}

/** Rules that compare descriptions, one for each kind of object. */
const descriptionRules = [
  rulesAbout("method").changed({ ...head, find: compare }),
  rulesAbout("parameter").changed({ ...head, find: compare }),
  rulesAbout("property").changed({ ...head, find: compare }),
  rulesAbout("schema").changed({ ...head, find: compare }),
  rulesAbout("enum").changed({
    ...head,
    below: "/enumDescriptions",
    find: (old, now) =>
      compareItems("value", old.values, now.values, ({ value }) => value),
  }),
  rulesAbout("api").changed({
    ...head,
    below: "/auth/oauth2/scopes",
    find: (old, now) =>
      compareItems("scope", old.scopes, now.scopes, ({ name }) => name),
  }),
];

function compare(
  { description: before = "" }: Described,
  { description: after = "" }: Described,
): Finding | undefined {
  if (before === after) return undefined;
  const verb = before === "" ? "added" : after === "" ? "removed" : "changed";
  return {
    text: `the description was ${verb}`,
    detail: fingerprintOf(after),
    below: "/description",
  };
}

/** Compares the descriptions of items that occur in both lists. */
function compareItems<T extends Described>(
  noun: string,
  old: readonly T[],
  now: readonly T[],
  nameOf: (item: T) => string,
): Finding[] {
  return now.flatMap((item) => {
    const name = nameOf(item);
    const before = old.find((one) => nameOf(one) === name);
    const finding = before && compare(before, item);
    if (finding === undefined) return [];
    return [
      {
        text: `the description of the ${noun} ${quoted(name)} changed`,
        detail: `${name} ${finding.detail}`,
      },
    ];
  });
}

/**
 * Rules, grouped by kind of object. The rules for an object run in the order of
 * this table.
 */
export const rules: readonly Rule[] = [
  ...documentRules,
  ...apiRules,
  ...methodRules,
  ...parameterRules,
  ...propertyRules,
  ...schemaRules,
  ...valueRules,
  ...replacementRules,
  ...enumRules,
  ...descriptionRules,
  otherChanged,
];

const bySubject = new Map<Subject, readonly Rule[]>();
for (const rule of rules)
  bySubject.set(rule.on, [...(bySubject.get(rule.on) ?? []), rule]);

/** Returns the rules that apply to a kind of object. */
export function rulesOn<S extends Subject>(subject: S): readonly Rule<S>[] {
  return (bySubject.get(subject) ?? []) as readonly Rule<S>[];
}
