import { isBinding } from "../../model/infer/field-flags.js";
import type {
  Body,
  Definition,
  Field,
  Method,
  Schema,
} from "../../model/ir.js";
import { resolveAlias } from "../../model/queries.js";
import type { Documents, Pair } from "../rule.js";
import { PATCH, REQUEST, RESPONSE, type Directions } from "../severity.js";
import { matchParameters } from "./match-methods.js";
import { optionsOf } from "./match-options.js";

/**
 * Two definitions that are compared because they are at the same position of
 * requests or responses, or have the same id.
 */
export interface DefinitionPair {
  readonly old: Definition;
  readonly new: Definition;
  directions: Directions;
  /**
   * False if requests and responses of the new document contain a different
   * definition at all positions of the old one. Differences then affect only
   * generated types.
   */
  readonly isOnWire: boolean;
}

/**
 * Pairs of definitions. A definition has the same id in both documents, or it
 * was renamed: requests or responses contain, at the same position, a
 * definition that only the old document has and one that only the new document
 * has. Other definitions at the same position are not paired; the rule
 * `schema-replaced` reports them.
 */
export class DefinitionPairs {
  readonly #documents: Documents;
  readonly #pairs = new Map<string, DefinitionPair>();
  readonly #queue: DefinitionPair[] = [];
  /** Ids of renamed definitions: old id by new id, and new id by old id. */
  readonly #oldIds = new Map<string, string>();
  readonly #newIds = new Map<string, string>();
  /** Old ids of definitions in whose position there is a different one. */
  readonly #replaced = new Set<string>();

  private constructor(documents: Documents) {
    this.#documents = documents;
  }

  /** Returns the pairs of two documents. */
  static ofDocuments(
    documents: Documents,
    methods: readonly Pair<Method>[],
  ): DefinitionPairs {
    const pairs = new DefinitionPairs(documents);
    for (const pair of methods) pairs.#addMethod(pair);
    for (const { id } of documents.old.api.definitions) {
      const [old, now] = [pairs.#old(id), pairs.#new(id)];
      if (old === undefined || now === undefined) continue;
      pairs.#add(old, now, 0, !pairs.#replaced.has(id));
      pairs.#follow();
    }
    return pairs;
  }

  /** Returns one definition, another that replaces it, and all below. */
  static ofReplacement(
    documents: Documents,
    old: Definition,
    now: Definition,
    directions: Directions,
  ): DefinitionPairs {
    const pairs = new DefinitionPairs(documents);
    pairs.#add(old, now, directions, true);
    pairs.#follow();
    return pairs;
  }

  /** Tests whether two definitions are versions of the same definition. */
  isPair(old: string, now: string): boolean {
    return this.#pairs.has(keyOf(old, now));
  }

  /** Returns the pairs of definitions, in the order of the old document. */
  get pairs(): readonly DefinitionPair[] {
    const order = new Map(
      this.#documents.old.api.definitions.map(({ id }, index) => [id, index]),
    );
    const position = ({ old }: DefinitionPair): number => order.get(old.id)!;
    return [...this.#pairs.values()].sort((a, b) => position(a) - position(b));
  }

  #old(id: string): Definition | undefined {
    return this.#documents.old.definitions.get(id);
  }

  #new(id: string): Definition | undefined {
    return this.#documents.new.definitions.get(id);
  }

  #addMethod({ old, new: now }: Pair<Method>): void {
    if (old === undefined || now === undefined) return;
    const request = now.httpMethod === "PATCH" ? PATCH : REQUEST;
    this.#link(old.request, now.request, request);
    this.#link(old.response, now.response, RESPONSE);
    this.#link(old.stream?.element, now.stream?.element, RESPONSE);
    this.#link(old.operation?.result, now.operation?.result, RESPONSE);
    const apis = {
      old: this.#documents.old.api,
      new: this.#documents.new.api,
    };
    for (const pair of matchParameters(old, now, apis))
      this.#link(pair.old?.schema, pair.new?.schema, REQUEST);
    this.#follow();
  }

  /**
   * Adds the pair of definitions to which two schemas at the same position
   * refer.
   */
  #link(
    old: Schema | undefined,
    now: Schema | undefined,
    directions: Directions,
    isOnWire = true,
  ): void {
    if (old === undefined || now === undefined) return;
    let [a, b] = [old, now];
    if (a.kind !== "ref" || b.kind !== "ref") {
      a = resolveAlias(a, this.#documents.old.definitions);
      b = resolveAlias(b, this.#documents.new.definitions);
    }
    if (a.kind === "ref" && b.kind === "ref") {
      const [x, y] = [this.#old(a.id), this.#new(b.id)];
      if (x === undefined || y === undefined) return;
      if (x.id === y.id || this.#isRenamed(x.id, y.id))
        this.#add(x, y, directions, isOnWire);
      else this.#replaced.add(x.id);
    } else if (a.kind === "list" && b.kind === "list")
      this.#link(a.items, b.items, directions, isOnWire);
    else if (a.kind === "map" && b.kind === "map")
      this.#link(a.values, b.values, directions, isOnWire);
  }

  /**
   * Tests whether a definition was renamed, and records the first new id. A
   * document contains either the old or the new id.
   */
  #isRenamed(old: string, now: string): boolean {
    if (this.#new(old) !== undefined || this.#old(now) !== undefined)
      return false;
    if (!this.#newIds.has(old) && !this.#oldIds.has(now)) {
      this.#newIds.set(old, now);
      this.#oldIds.set(now, old);
    }
    return this.#newIds.get(old) === now;
  }

  #add(
    old: Definition,
    now: Definition,
    directions: Directions,
    isOnWire: boolean,
  ): void {
    const key = keyOf(old.id, now.id);
    const known = this.#pairs.get(key);
    if (known === undefined) {
      const pair = { old, new: now, directions, isOnWire };
      this.#pairs.set(key, pair);
      this.#queue.push(pair);
    } else if ((known.directions | directions) !== known.directions) {
      known.directions |= directions;
      this.#queue.push(known);
    }
  }

  /**
   * Adds the definitions to which the queued pairs refer, directly or
   * indirectly.
   */
  #follow(): void {
    for (
      let pair = this.#queue.pop();
      pair !== undefined;
      pair = this.#queue.pop()
    )
      this.#followBodies(pair, pair.old.body, pair.new.body);
  }

  #followBodies(pair: DefinitionPair, old: Body, now: Body): void {
    const { directions, isOnWire } = pair;
    const link = (a?: Schema, b?: Schema, used = directions): void =>
      this.#link(a, b, used, isOnWire);
    if (old.kind === "object" && now.kind === "object") {
      for (const [a, b] of matchFields(old.fields, now.fields))
        link(a?.schema, b?.schema, this.directionsOf(a, b, directions));
      link(old.additional, now.additional);
    } else if (old.kind === "alias" || now.kind === "alias")
      link(schemaOf(pair.old), schemaOf(pair.new));
    else if (old.kind === "variant" && now.kind === "variant") {
      for (const { value, id } of old.options) {
        const option = now.options.find((one) => one.value === value);
        if (option !== undefined)
          link({ kind: "ref", id }, { kind: "ref", id: option.id });
      }
      if (old.base !== undefined && now.base !== undefined)
        link({ kind: "ref", id: old.base }, { kind: "ref", id: now.base });
    } else if (old.kind === "union" && now.kind === "union") {
      const { old: before, new: after } = this.#documents;
      const options = optionsOf(now, after.definitions);
      for (const [key, option] of optionsOf(old, before.definitions))
        link(option.schema, options.get(key)?.schema);
    }
  }

  /**
   * Returns the directions in which a field is used. A read-only field is used
   * only in responses.
   */
  directionsOf(
    old: Field | undefined,
    now: Field | undefined,
    directions: Directions,
  ): Directions {
    const { old: before, new: after } = this.#documents;
    const isReadOnly =
      (old === undefined || isBinding(old.flags.readOnly, before.trustProse)) &&
      (now === undefined || isBinding(now.flags.readOnly, after.trustProse));
    return isReadOnly && directions !== 0 ? RESPONSE : directions;
  }
}

function keyOf(old: string, now: string): string {
  return JSON.stringify([old, now]);
}

/**
 * Returns the target schema of an alias; for any other definition, a reference
 * to the definition.
 */
export function schemaOf({ id, body }: Definition): Schema {
  return body.kind === "alias" ? body.schema : { kind: "ref", id };
}

/** Pairs fields that have the same name. */
export function matchFields(
  old: readonly Field[],
  now: readonly Field[],
): readonly (readonly [Field | undefined, Field | undefined])[] {
  const after = new Map(now.map((field) => [field.name, field]));
  const before = new Set(old.map(({ name }) => name));
  return [
    ...old.map((field) => [field, after.get(field.name)] as const),
    ...now
      .filter(({ name }) => !before.has(name))
      .map((field) => [undefined, field] as const),
  ];
}
