import { isAlwaysPresent, isBinding } from "../../model/infer/field-flags.js";
import type { Definition, FieldFlags } from "../../model/ir.js";
import { NameScope } from "../../model/names.js";
import { methodsRequiring } from "../../model/queries.js";
import { sharedNames } from "../shared/equal-enums.js";
import type { ApiNames } from "../shared/naming.js";

/**
 * Check function of one or more definitions. Definitions with the same checks
 * have one function.
 */
export interface SharedCheck {
  /** Definition for which the function is printed. */
  readonly definition: Definition;
  /** Words that follow `check` in the name of the function. */
  readonly words: string;
}

/** Members of the model that do not affect checks. */
const IGNORED: ReadonlySet<string> = new Set([
  "description",
  "deprecated",
  "default",
]);

/**
 * Returns the check functions of all definitions, keyed by id. The function of
 * a schema of the document is called after the schema, or after the first one
 * in the document if several have the same checks. The function of inline
 * definitions is called after their properties (`checkWarningData`), so that
 * its name does not depend on the schemas that contain them.
 */
export function checkNames(
  definitions: ReadonlyMap<string, Definition>,
  { types }: ApiNames,
  trustProse: boolean,
): Map<string, SharedCheck> {
  const typeWords = (definition: Definition): string =>
    capitalized(types.get(definition.id)!);
  const taken = new Set([...definitions.values()].map(typeWords));
  const scope = new NameScope();
  const checks = new Map<string, SharedCheck>();
  for (const group of equalChecks(definitions, trustProse)) {
    const named = group.find(({ inline }) => inline === undefined);
    const first = named ?? group[0]!;
    let shared: SharedCheck = { definition: first, words: typeWords(first) };
    if (named === undefined && group.length > 1) {
      const source = { definitions, nameOf: typeWords, minDepth: 1 };
      const own = new Set(group.map(typeWords));
      const free = sharedNames(group, source).find(
        ({ name }) =>
          own.has(capitalized(name)) || !taken.has(capitalized(name)),
      );
      if (free !== undefined)
        shared = {
          definition: free.definition,
          words: capitalized(free.name),
        };
    }
    // Names can differ only in the case of the first letter.
    shared = { ...shared, words: scope.reserve(shared.words) };
    taken.add(shared.words);
    for (const { id } of group) checks.set(id, shared);
  }
  return checks;
}

function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** Definition without its references, which are listed separately. */
interface Shape {
  readonly definition: Definition;
  readonly text: string;
  readonly references: readonly string[];
}

/**
 * Groups definitions with the same checks. Definitions can refer to themselves
 * and to each other, so groups are split until all definitions of a group refer
 * to definitions of the same groups.
 */
function equalChecks(
  definitions: ReadonlyMap<string, Definition>,
  trustProse: boolean,
): Definition[][] {
  const shapes = [...definitions.values()].map((definition) =>
    shapeOf(definition, trustProse),
  );
  let groupOf = new Map<string, number>();
  for (let count = 0; ;) {
    const groups = new Map<string, Definition[]>();
    const next = new Map<string, number>();
    const numbers = new Map<string, number>();
    for (const { definition, text, references } of shapes) {
      const targets = references.map((id) => groupOf.get(id) ?? 0);
      const key = `${text} ${targets.join(" ")}`;
      const group = groups.get(key);
      if (group === undefined) {
        groups.set(key, [definition]);
        numbers.set(key, numbers.size);
      } else group.push(definition);
      next.set(definition.id, numbers.get(key)!);
    }
    if (groups.size === count) return [...groups.values()];
    count = groups.size;
    groupOf = next;
  }
}

function shapeOf(definition: Definition, trustProse: boolean): Shape {
  const { body, nullable } = definition;
  // Any string is valid for an open enum.
  if (body.kind === "enum" && body.open === true)
    return { definition, text: `open enum ${nullable}`, references: [] };
  const references: string[] = [];
  const text = JSON.stringify([body, nullable], (key, value: unknown) => {
    if (IGNORED.has(key)) return undefined;
    if (key === "flags") return checkedFlags(value as FieldFlags, trustProse);
    // In a body, `id` is the target of a reference or an option, and `base` is
    // that of a variant.
    if (key !== "id" && key !== "base") return value;
    references.push(value as string);
    return key;
  });
  return { definition, text, references };
}

/** Returns the flags of a field on which its checks depend. */
function checkedFlags(flags: FieldFlags, trustProse: boolean): unknown {
  return [
    isBinding(flags.readOnly, trustProse),
    isAlwaysPresent(flags, trustProse),
    methodsRequiring(flags, trustProse),
  ];
}
