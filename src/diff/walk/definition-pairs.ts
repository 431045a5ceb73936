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
   * False if the definitions are paired only by id, and requests or responses
   * contain a different definition at the same position. Differences then
   * affect only generated types.
   */
  readonly isOnWire: boolean;
  /** Id of one method that uses the definitions. */
  readonly usedBy?: string | undefined;
}

/**
 * Pairs of definitions. Definitions at the same position in a method's requests
 * or responses are paired first; the remaining definitions are paired by id.
 */
export class DefinitionPairs {
  readonly #documents: Documents;
  readonly #pairs = new Map<string, DefinitionPair>();
  readonly #queue: DefinitionPair[] = [];

  constructor(documents: Documents, methods: readonly Pair<Method>[]) {
    this.#documents = documents;
    for (const pair of methods) this.#addMethod(pair);
    const used = new Set([...this.#pairs.values()].map(({ old }) => old.id));
    for (const { id } of documents.old.api.definitions) {
      const [old, now] = [this.#old(id), this.#new(id)];
      if (old === undefined || now === undefined) continue;
      const isOnWire = !used.has(id);
      this.#add(old, now, 0, isOnWire);
      this.#follow();
    }
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
    this.#link(old.request, now.request, request, old.id);
    this.#link(old.response, now.response, RESPONSE, old.id);
    this.#link(old.stream?.element, now.stream?.element, RESPONSE, old.id);
    const [before, after] = [old.operation?.result, now.operation?.result];
    this.#link(before, after, RESPONSE, old.id);
    const apis = {
      old: this.#documents.old.api,
      new: this.#documents.new.api,
    };
    for (const pair of matchParameters(old, now, apis))
      this.#link(pair.old?.schema, pair.new?.schema, REQUEST, old.id);
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
    usedBy: string | undefined,
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
      if (x !== undefined && y !== undefined)
        this.#add(x, y, directions, isOnWire, usedBy);
    } else if (a.kind === "list" && b.kind === "list")
      this.#link(a.items, b.items, directions, usedBy, isOnWire);
    else if (a.kind === "map" && b.kind === "map")
      this.#link(a.values, b.values, directions, usedBy, isOnWire);
  }

  #add(
    old: Definition,
    now: Definition,
    directions: Directions,
    isOnWire: boolean,
    usedBy?: string,
  ): void {
    const key = JSON.stringify([old.id, now.id]);
    const known = this.#pairs.get(key);
    if (known === undefined) {
      const pair = { old, new: now, directions, isOnWire, usedBy };
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
    const { directions, usedBy, isOnWire } = pair;
    const link = (a?: Schema, b?: Schema, used = directions): void =>
      this.#link(a, b, used, usedBy, isOnWire);
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
