import { escapeToken } from "../../diagnostics/types.js";
import type { Definition, Method, Schema } from "../../model/ir.js";
import {
  forEachRef,
  forEachReference,
  reachable,
} from "../../model/queries.js";
import { mostSevere, type DetailedChange } from "../severity.js";
import type { Side } from "../side.js";
import type { LocatedUse } from "./analysis.js";
import { sortedPositions } from "./positions.js";
import type { UsePosition } from "./types.js";

/** Rules about names of types: only code that names a type is affected. */
const TYPE_NAMES = new Set([
  "schema-removed",
  "schema-renamed",
  "type-name-changed",
  "input-type-removed",
]);

/** Rules about members that code must now set. */
const NOW_REQUIRED = new Set(["property-required", "parameter-required"]);

/** Rules about single enum values. */
const ENUM_VALUES = new Set(["enum-value-removed", "enum-value-deprecated"]);

/** Finds the uses that changes of an API affect. */
export class UseMatcher {
  readonly #byPointer = new Map<string, LocatedUse[]>();
  readonly #methods: ReadonlyMap<string, Method>;
  readonly #byDefinition: ReadonlyMap<string, Definition>;
  /** Uses of all that a part contains, keyed by the pointers of these parts. */
  readonly #complete = new Map<string, LocatedUse[]>();

  /** @param side document for whose generated code the uses were determined */
  constructor(
    readonly side: Side,
    readonly uses: readonly LocatedUse[],
  ) {
    this.#methods = new Map(side.methods.map((method) => [method.id, method]));
    this.#byDefinition = new Map(
      side.api.definitions.map((definition) => [
        definition.pointer,
        definition,
      ]),
    );
    for (const use of uses) {
      push(this.#byPointer, use.pointer, use);
      if (use.kind === "complete" && use.value === undefined)
        for (const pointer of this.#contained(use.pointer))
          push(this.#complete, pointer, use);
    }
    this.#addReferences();
  }

  /** Returns the positions in the code that a change affects, in their order. */
  of(change: DetailedChange): readonly UsePosition[] {
    return sortedPositions(this.#usesOf(change).map(({ at }) => at));
  }

  /**
   * Returns the positions that use a part of the document.
   * @param value enum value of the part; absent for the complete part
   */
  ofPart(pointer: string, value?: string): readonly UsePosition[] {
    const found =
      pointer === ""
        ? this.uses.filter(({ kind }) => kind === "import")
        : pointer.startsWith("/resources/") && !this.#isMethodPart(pointer)
          ? this.#below(pointer)
          : this.#usesAt(pointer);
    return sortedPositions(
      found.filter((use) => isUseOfValue(use, value)).map(({ at }) => at),
    );
  }

  /** Tests whether a pointer refers to a method, or to a part of a method. */
  #isMethodPart(pointer: string): boolean {
    return this.side.methods.some(
      (method) =>
        pointer === method.pointer || pointer.startsWith(`${method.pointer}/`),
    );
  }

  #usesOf(change: DetailedChange): readonly LocatedUse[] {
    const { rule, oldPointer, detail } = change;
    if (oldPointer === undefined) return this.#usesOfAdded(change);
    if (oldPointer === "") return this.#usesOfApi(change);
    if (TYPE_NAMES.has(rule))
      // Types of inline schemas are named after the schema that contains them.
      return [
        ...this.#at(oldPointer),
        ...this.#below(oldPointer).filter(({ part }) => part === "type"),
      ].filter(({ kind }) => kind === "name");
    if (NOW_REQUIRED.has(rule)) return this.#usesOfOwner(change);
    const exact = [...this.#usesAt(oldPointer), ...this.#selectors(change)];
    if (!ENUM_VALUES.has(rule))
      return exact.filter(
        ({ value }) =>
          value === undefined || value === `fields ${change.property}`,
      );
    return exact.filter((use) => isUseOfValue(use, detail));
  }

  /** Uses of what an object was added to. */
  #usesOfAdded(change: DetailedChange): readonly LocatedUse[] {
    return mostSevere(change) === "info" ? [] : this.#usesOfOwner(change);
  }

  /** Uses of the method or schema that a changed object belongs to. */
  #usesOfOwner(change: DetailedChange): readonly LocatedUse[] {
    const { schema, method, oldMethod } = change;
    if (schema !== undefined) {
      const definition = this.side.definitions.get(schema);
      return definition === undefined
        ? []
        : this.#usesAt(definition.pointer).filter(
            ({ kind }) => kind !== "name",
          );
    }
    const called = this.#methods.get(oldMethod ?? method ?? "");
    return called === undefined ? [] : this.#at(called.pointer);
  }

  /** Uses of a property in field selectors. */
  #selectors({ property, users = [] }: DetailedChange): readonly LocatedUse[] {
    return property === undefined
      ? []
      : users.flatMap((id) =>
          this.#at(this.#methods.get(id)?.pointer ?? "").filter(
            ({ value }) => value === `fields ${property}`,
          ),
        );
  }

  /** Uses of the API, or of the object below it to which a change points. */
  #usesOfApi({
    rule,
    pointer,
    detail = "",
  }: DetailedChange): readonly LocatedUse[] {
    if (rule === "declared-scope-removed")
      return this.#at(`/auth/oauth2/scopes/${escapeToken(detail)}`);
    if (rule === "resource-deprecated")
      return this.#below(pointer.replace(/\/deprecated$/, ""));
    return this.uses.filter(({ kind }) => kind === "import");
  }

  /** Uses of an object, or of the smallest object that contains it. */
  #usesAt(pointer: string): readonly LocatedUse[] {
    const complete = this.#completeUses(pointer);
    for (let at = pointer; at !== ""; at = parentOf(at)) {
      const found = this.#at(at);
      const definition = this.#byDefinition.get(at);
      const members =
        definition?.body.kind === "object"
          ? this.#below(`${at}/properties`)
          : [];
      if (found.length + members.length > 0)
        return [...found, ...members, ...complete];
      // A property without a use is not used where its schema is used.
      if (/\/(?:properties|parameters|methods)$/.test(parentOf(at))) break;
    }
    return complete;
  }

  #completeUses(pointer: string): readonly LocatedUse[] {
    const found = [...(this.#complete.get("") ?? [])];
    for (let at = pointer; at !== ""; at = parentOf(at))
      found.push(...(this.#complete.get(at) ?? []));
    return found;
  }

  #at(pointer: string): readonly LocatedUse[] {
    return this.#byPointer.get(pointer) ?? [];
  }

  #below(prefix: string): readonly LocatedUse[] {
    return this.uses.filter(({ pointer }) => pointer.startsWith(`${prefix}/`));
  }

  /**
   * Adds uses of schemas without properties, such as enums: they are used where
   * a property, parameter or method refers to them.
   */
  #addReferences(): void {
    const { definitions, api, methods } = this.side;
    const addTo = (schema: Schema | undefined, from: string): void => {
      if (schema === undefined) return;
      const uses = this.#at(from);
      if (uses.length === 0) return;
      const ids = new Set<string>();
      forEachRef(schema, (id) => ids.add(id));
      for (const id of ids) {
        const definition = definitions.get(id);
        if (definition === undefined || definition.body.kind === "object")
          continue;
        forEachReference(definition, (other) => ids.add(other));
        for (const use of uses)
          if (definition.pointer !== from)
            push(this.#byPointer, definition.pointer, {
              ...use,
              kind: use.kind === "name" ? "create" : use.kind,
            });
      }
    };
    for (const { pointer, body } of api.definitions)
      if (body.kind === "object")
        for (const { name, schema } of body.fields)
          addTo(schema, `${pointer}/properties/${escapeToken(name)}`);
    for (const method of methods) {
      addTo(method.request, method.pointer);
      addTo(method.response, method.pointer);
    }
  }

  /** Returns the pointers of a part and of all that it contains. */
  #contained(pointer: string): readonly string[] {
    if (pointer === "") return [""];
    const definition = this.#byDefinition.get(pointer);
    const roots = new Set<string>();
    const addRefs = (schema: Schema | undefined): void => {
      if (schema !== undefined) forEachRef(schema, (id) => roots.add(id));
    };
    if (definition !== undefined) roots.add(definition.id);
    for (const method of this.side.methods)
      if (
        method.pointer === pointer ||
        method.pointer.startsWith(`${pointer}/`)
      ) {
        addRefs(method.request);
        addRefs(method.response);
      } else if (pointer === `${method.pointer}/request`)
        addRefs(method.request);
    const field = this.#fieldAt(pointer);
    addRefs(field);
    const pointers = [...reachable(roots, this.side.definitions)].flatMap(
      (id) => {
        const found = this.side.definitions.get(id);
        return found === undefined ? [] : [found.pointer];
      },
    );
    return [pointer, ...pointers];
  }

  #fieldAt(pointer: string): Schema | undefined {
    const definition = this.#byDefinition.get(parentOf(parentOf(pointer)));
    return definition?.body.kind === "object"
      ? definition.body.fields.find(
          ({ name }) =>
            pointer === `${definition.pointer}/properties/${escapeToken(name)}`,
        )?.schema
      : undefined;
  }
}

/** Tests whether a use of an enum concerns a value. */
function isUseOfValue(
  { kind, value }: LocatedUse,
  expected: string | undefined,
): boolean {
  return expected === undefined
    ? value === undefined
    : value === expected || (kind === "complete" && (value ?? "") === "");
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

function parentOf(pointer: string): string {
  return pointer.slice(0, Math.max(0, pointer.lastIndexOf("/")));
}
