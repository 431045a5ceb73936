import type { Sink } from "../../diagnostics/sink.js";
import { isAlwaysPresent, isBinding } from "../../model/infer/field-flags.js";
import type { Definition, FieldFlags } from "../../model/ir.js";
import { NameScope } from "../../model/names.js";
import { methodsRequiring } from "../../model/queries.js";
import { Imports } from "../../render/typescript/imports.js";
import type { Layout } from "../../render/typescript/layout.js";
import { sharedNames } from "../shared/equal-enums.js";
import type { ApiNames } from "../shared/naming.js";
import { definitionType } from "../shared/type-names.js";
import type { Direction } from "../shared/types.js";
import { validatorScope } from "../shared/validator-names.js";
import type { TargetInput, TargetOptions } from "../target.js";
import { runtimePath } from "./validator-modules.js";

/** Check function for elements whose schema has no name. */
export interface ElementCheck {
  readonly name: string;
  /** Conditions of the `if` statements of the function. */
  readonly guards: readonly (readonly Layout[])[];
}

/**
 * Names and imports of a generated validators.ts. Records the functions and
 * constants to which the file refers.
 */
export class ValidatorContext {
  readonly imports: Imports;
  readonly definitions: ReadonlyMap<string, Definition>;
  /**
   * Ids of the definitions for which check functions must be printed, because
   * they are called.
   */
  readonly needed = new Set<string>();
  /**
   * Check functions of elements that can be described in a few words, such as
   * `checkStringList`, keyed by these words.
   */
  readonly elements = new Map<string, ElementCheck>();
  readonly #shared: ReadonlyMap<string, SharedCheck>;
  readonly #checkWords: ReadonlySet<string>;
  /**
   * Maps from the id of a definition for which a check function is printed to
   * the name of the function, and to the name of the constant with its values.
   */
  readonly #checks = new Map<string, string>();
  readonly #values = new Map<string, string>();
  #hasSchemas = false;
  /**
   * Map from pattern to the name of the constant that contains the regular
   * expression, in the order of first use.
   */
  readonly patterns = new Map<string, string>();

  readonly names: ApiNames;
  readonly options: TargetOptions;
  readonly sink: Sink;
  readonly #scope: NameScope;

  constructor({ names, definitions, options, sink }: TargetInput) {
    this.names = names;
    this.definitions = definitions;
    this.options = options;
    this.sink = sink;
    this.#scope = validatorScope(names.validators);
    this.imports = new Imports(this.#scope);
    this.#shared = checkNames(definitions, names, options.trustProse);
    this.#checkWords = new Set(
      [...this.#shared.values()].map(({ words }) => words),
    );
  }

  /**
   * Returns the name of a definition's check function, and records that the
   * function must be printed.
   */
  check(id: string): string {
    if (this.#isAnything(id)) return this.use("anything");
    const { definition, words } = this.#shared.get(id)!;
    this.needed.add(definition.id);
    return cached(this.#checks, definition.id, () =>
      this.reserve("check", words),
    );
  }

  /** Tests whether a check function is called after a definition. */
  isCheckName(words: string): boolean {
    return this.#checkWords.has(words);
  }

  /** Reserves a name that is unique in the file. */
  reserve(prefix: string, words: string): string {
    return this.#scope.reserve(`${prefix}${words}`);
  }

  /**
   * Returns the name of the constant that contains the values of an enum, and
   * records that the constant must be printed.
   */
  values(id: string): string {
    const { definition, words } = this.#shared.get(id)!;
    return cached(this.#values, definition.id, () =>
      this.#scope.reserve(`${lowered(words)}Values`),
    );
  }

  /**
   * Returns the name of the constant that contains the values of an enum;
   * undefined if the constant is not used.
   */
  usedValues(id: string): string | undefined {
    return this.#values.get(id);
  }

  /** Returns the name of the constant that contains a regular expression. */
  pattern(source: string, words: string): string {
    return cached(this.patterns, source, () =>
      this.#scope.reserve(`${lowered(words)}Pattern`),
    );
  }

  /** Imports a value from the validator runtime; returns its local name. */
  use(name: string): string {
    return this.imports.value(this.#module(name), name);
  }

  /** Imports a type from the validator runtime; returns its local name. */
  type(name: string): string {
    return this.imports.type(this.#module(name), name);
  }

  /**
   * Returns the prefix for the names of a definition's constants, such as
   * `file` in `fileValues`.
   */
  lowered(id: string): string {
    return lowered(this.words(id));
  }

  /**
   * Returns the suffix for the names of a definition's functions, such as
   * `File` in `checkFile`.
   */
  words(id: string): string {
    return this.#shared.get(id)!.words;
  }

  /**
   * Returns the expression for a definition's type in schemas.ts; undefined if
   * schemas.ts is not generated.
   */
  schemaType(id: string, direction: Direction): string | undefined {
    if (!hasSchemas(this.options)) return undefined;
    if (!this.#hasSchemas)
      this.imports.namespace(
        `./schemas${this.options.importSuffix}`,
        "schemas",
        "type",
      );
    this.#hasSchemas = true;
    return `schemas.${definitionType(id, direction, this.names)}`;
  }

  /** Tests whether a definition is an alias that allows any value. */
  #isAnything(id: string): boolean {
    const body = this.definitions.get(id)!.body;
    if (body.kind !== "alias") return false;
    const { schema } = body;
    return (
      schema.kind === "any" ||
      (schema.kind === "ref" && this.#isAnything(schema.id))
    );
  }

  #module(name: string): string {
    return runtimePath(name, this.options);
  }
}

/** Tests whether schemas.ts is generated. */
export function hasSchemas({ targets }: TargetOptions): boolean {
  return targets?.some((name) => /^(client|server)$/.test(name)) === true;
}

function lowered(words: string): string {
  return words.charAt(0).toLowerCase() + words.slice(1);
}

function cached(
  names: Map<string, string>,
  key: string,
  make: () => string,
): string {
  let name = names.get(key);
  if (name === undefined) names.set(key, (name = make()));
  return name;
}

/**
 * Check function of one or more definitions. Definitions with the same checks
 * have one function.
 */
interface SharedCheck {
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
function checkNames(
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

/** Definitions that have the same checks as far as they have been compared. */
interface Group {
  readonly number: number;
  readonly members: Set<Shape>;
}

/**
 * Groups definitions with the same checks. Definitions can refer to themselves
 * and to each other, so groups are split until all definitions of a group refer
 * to definitions of the same groups. After a split, only definitions that refer
 * to a moved one are compared again; otherwise, a chain of definitions would take
 * quadratic time.
 */
function equalChecks(
  definitions: ReadonlyMap<string, Definition>,
  trustProse: boolean,
): Definition[][] {
  const shapes = [...definitions.values()].map((definition) =>
    shapeOf(definition, trustProse),
  );
  const referrers = referrersOf(shapes);
  const groupOf = new Map<string, Group>();
  let count = 0;
  const addGroup = (members: readonly Shape[]): void => {
    const group = { number: count++, members: new Set(members) };
    for (const shape of members) {
      groupOf.get(shape.definition.id)?.members.delete(shape);
      groupOf.set(shape.definition.id, group);
    }
  };
  const numberOf = (id: string): string => `${groupOf.get(id)?.number}`;
  for (const members of partition(shapes, ({ text }) => text).values())
    addGroup(members);
  let changed = new Set(shapes);
  while (changed.size > 0) {
    const moved = [
      ...partition(changed, ({ definition: { id } }) => numberOf(id)).values(),
    ].flatMap((members) => {
      const { members: all } = groupOf.get(members[0]!.definition.id)!;
      return splitOff(members, all, changed, ({ references }) =>
        references.map(numberOf).join(),
      );
    });
    for (const members of moved) addGroup(members);
    changed = new Set(
      moved.flat().flatMap(({ definition: { id } }) => referrers.get(id) ?? []),
    );
  }
  const groups = partition(shapes, ({ definition: { id } }) => numberOf(id));
  return [...groups.values()].map((group) =>
    group.map(({ definition }) => definition),
  );
}

/**
 * Returns the parts of a group that must leave it: those whose key differs from
 * that of the unchanged members, which all have the same key, or if there are
 * none, from that of the largest part.
 * @param members changed members of the group
 */
function splitOff(
  members: readonly Shape[],
  all: ReadonlySet<Shape>,
  changed: ReadonlySet<Shape>,
  keyOf: (shape: Shape) => string,
): Shape[][] {
  const parts = partition(members, keyOf);
  const unchanged = firstExcept(all, changed);
  const [largest] = [...parts].reduce((a, b) =>
    b[1].length > a[1].length ? b : a,
  );
  const kept = unchanged === undefined ? largest : keyOf(unchanged);
  return [...parts].flatMap(([key, part]) => (key === kept ? [] : [part]));
}

function firstExcept(
  all: ReadonlySet<Shape>,
  except: ReadonlySet<Shape>,
): Shape | undefined {
  for (const shape of all) if (!except.has(shape)) return shape;
  return undefined;
}

function referrersOf(shapes: readonly Shape[]): Map<string, Shape[]> {
  const referrers = new Map<string, Shape[]>();
  for (const shape of shapes)
    for (const id of new Set(shape.references)) {
      const known = referrers.get(id);
      if (known === undefined) referrers.set(id, [shape]);
      else known.push(shape);
    }
  return referrers;
}

function partition(
  shapes: Iterable<Shape>,
  keyOf: (shape: Shape) => string,
): Map<string, Shape[]> {
  const parts = new Map<string, Shape[]>();
  for (const shape of shapes) {
    const key = keyOf(shape);
    const part = parts.get(key);
    if (part === undefined) parts.set(key, [shape]);
    else part.push(shape);
  }
  return parts;
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

function checkedFlags(flags: FieldFlags, trustProse: boolean): unknown {
  return [
    isBinding(flags.readOnly, trustProse),
    isAlwaysPresent(flags, trustProse),
    methodsRequiring(flags, trustProse),
  ];
}
