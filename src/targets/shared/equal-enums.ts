import type { Api, Definition } from "../../model/ir.js";
import { pascalCase } from "../../model/names.js";

/**
 * Returns the inline enums of an API, grouped by values and comments, in the
 * order of the document. Enums of one group have one type in schemas.ts.
 */
export function equalEnums({ definitions }: Api): Definition[][] {
  const groups = new Map<string, Definition[]>();
  for (const definition of definitions) {
    const { body, inline, nullable, deprecated } = definition;
    if (body.kind !== "enum" || inline === undefined) continue;
    const key = JSON.stringify([body.values, body.open, nullable, deprecated]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [definition]);
    else group.push(definition);
  }
  return [...groups.values()];
}

/** Name that several equal definitions can share. */
export interface SharedName {
  readonly name: string;
  /** Definition from which the name is formed. */
  readonly definition: Definition;
}

/** Data from which the names of inline definitions are formed. */
interface NameSource {
  readonly definitions: ReadonlyMap<string, Definition>;
  /** Returns the name of a definition if it had a name of its own. */
  nameOf(definition: Definition): string;
  /** Number of property names from which a name can be formed. */
  readonly minDepth: number;
}

/**
 * Returns the names that equal inline definitions can share, best first. A long
 * path of properties is a name by itself, because it is what the definitions
 * have in common: `WarningCode` for `AddressList.warning.code`. So the name does
 * not depend on the schemas in which the path occurs. Short paths, such as
 * `type`, say too little; then the shortest name of one of the definitions is
 * used, which changes only if an equal enum with a shorter name is added, or if
 * this enum changes.
 */
export function sharedNames(
  equal: readonly Definition[],
  { definitions, nameOf, minDepth }: NameSource,
): SharedName[] {
  const names = equal.map((definition) => {
    const path = pathOf(definition, definitions);
    const name =
      path.length < minDepth ? nameOf(definition) : pascalCase(path.join("."));
    return { name, definition };
  });
  // The sort is stable, so equal names are in the order of the document.
  return names.sort(
    ({ name: a }, { name: b }) =>
      a.length - b.length || (a < b ? -1 : +(a > b)),
  );
}

/** Returns the property names from a schema of the document to a definition. */
function pathOf(
  definition: Definition,
  definitions: ReadonlyMap<string, Definition>,
): string[] {
  const path: string[] = [];
  let current: Definition | undefined = definition;
  while (current?.inline !== undefined) {
    path.unshift(current.inline.field);
    current = definitions.get(current.inline.owner);
  }
  return path;
}
