import { expect } from "vitest";
import { validateRestDescription } from "../../../generated/discovery/v1/validators.js";
import type { Statement } from "../acceptance.js";
import { at, changes, findings } from "./documents.js";
import { library } from "./library.js";

/** Field of the format, and the object of the sample document that has it. */
export interface Field {
  readonly name: string;
  /** Type as statements name it. */
  readonly type: string;
  /** Member names from the document to the object. */
  readonly path: readonly string[];
  /** Rule of `gen diff` that lists the removal; none if nothing lists it. */
  readonly removed?: string;
  /** Rule of `gen diff` that lists another value of the field. */
  readonly changed?: readonly [value: unknown, rule: string];
  /**
   * False for a field whose type `gen validate` widens, because published
   * documents contain it.
   */
  readonly isChecked?: false;
}

/** Returns the JSON pointer of a field. */
function pointerOf({ path, name }: Field): string {
  const names = [...path, name].map((part) =>
    part.replaceAll("~", "~0").replaceAll("/", "~1"),
  );
  return `/${names.join("/")}`;
}

/** Value of a type that no field of the format has. */
function otherThan(type: string): unknown {
  return type.startsWith("array") || type.startsWith("map") ? "text" : [1];
}

/**
 * Returns statements about each field: the description of the format declares
 * it, `gen validate` checks its type, and `gen diff` lists its changes.
 */
export function fieldStatements(
  owner: string,
  prefix: string,
  fields: readonly Field[],
): Statement[] {
  return fields.flatMap((field) => [
    declared(owner, prefix, field),
    ...(field.isChecked === false ? [] : [checked(prefix, field)]),
    ...(field.removed === undefined && field.changed === undefined
      ? []
      : [compared(prefix, field)]),
  ]);
}

const idOf = (prefix: string, { name }: Field, aspect: string): string =>
  `${prefix}/${name}/${aspect}`;

function declared(owner: string, prefix: string, field: Field): Statement {
  const { name, path, type } = field;
  return {
    id: idOf(prefix, field, "declared"),
    statement: `The directory's description declares \`${name}\` of ${owner}: ${type}.`,
    check: () => {
      const response = { mode: "response", unknownFields: "reject" } as const;
      const document = library();
      expect(at(document, path)[name]).toBeDefined();
      expect(validateRestDescription(document, response)).toMatchObject({
        valid: true,
      });
      at(document, path)[name] = otherThan(type);
      const result = validateRestDescription(document, response);
      const errors = result.valid ? [] : result.errors;
      expect(errors.map(({ pointer }) => pointer)).toContain(pointerOf(field));
    },
  };
}

function checked(prefix: string, field: Field): Statement {
  const { name, path, type } = field;
  return {
    id: idOf(prefix, field, "checked"),
    statement: `A value of \`${name}\` that is not ${type} is reported at its position.`,
    check: async () => {
      const document = library();
      at(document, path)[name] = otherThan(type);
      const pointer = pointerOf(field);
      expect(
        (await findings(document)).filter(
          (found) =>
            found === `shape-wrong-type ${pointer}` ||
            found === `kind-wrong ${pointer}`,
        ),
      ).toHaveLength(1);
    },
  };
}

function compared(prefix: string, field: Field): Statement {
  const { name, path, removed, changed } = field;
  return {
    id: idOf(prefix, field, "compared"),
    statement: `\`gen diff\` lists ${changed === undefined ? "the removal" : "a change"} of \`${name}\`.`,
    check: () => {
      const document = library();
      if (changed === undefined) delete at(document, path)[name];
      else at(document, path)[name] = changed[0];
      const rules = changes(document).map(({ rule }) => rule);
      expect(rules).toContain(changed?.[1] ?? removed);
    },
  };
}
