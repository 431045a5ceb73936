import type { Rule, Subject } from "../rule.js";
import { apiRules, documentRules, otherChanged } from "./api.js";
import { descriptionRules } from "./description.js";
import { enumRules } from "./enum.js";
import { methodRules } from "./method.js";
import { parameterRules } from "./parameter.js";
import { propertyRules } from "./property.js";
import { schemaRules } from "./schema.js";
import { valueRules } from "./value.js";

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
