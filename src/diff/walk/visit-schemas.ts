import { escapeToken } from "../../diagnostics/types.js";
import type { Body, Field } from "../../model/ir.js";
import type { Collector, ComparedObject } from "../collector.js";
import type { EnumState, Pair } from "../rule.js";
import {
  matchFields,
  schemaOf,
  type DefinitionPair,
  type DefinitionPairs,
} from "./definition-pairs.js";
import { valueAt, visitElement, visitValue } from "./visit-values.js";

/** Runs the rules about schemas, their properties and values. */
export function visitSchemas(
  pairs: DefinitionPairs,
  collector: Collector,
): void {
  visitUnmatched(pairs, collector);
  for (const pair of pairs.pairs) {
    const { old, new: now, directions, isOnWire, usedBy } = pair;
    const site: ComparedObject = {
      label: old.id,
      key: `schema ${old.id}${old.id === now.id ? "" : ` ${now.id}`}`,
      schema: old.id,
      pointers: { old: old.pointer, new: now.pointer },
      directions,
      isTypeOnly: !isOnWire,
      usedBy,
    };
    const isSameId = old.id === now.id;
    collector.visit("schema", { old, new: now, isSameId }, site);
    visitBodies(pair, site, pairs, collector);
  }
}

/** Visits schemas that occur in only one of the documents. */
function visitUnmatched(pairs: DefinitionPairs, collector: Collector): void {
  const { documents } = collector;
  const matched = {
    old: new Set(pairs.pairs.map(({ old }) => old.id)),
    new: new Set(pairs.pairs.map((pair) => pair.new.id)),
  };
  for (const side of ["old", "new"] as const)
    for (const definition of documents[side].api.definitions) {
      const { id, inline, pointer } = definition;
      // Inline schemas are skipped, because the rules for properties report
      // them.
      if (inline !== undefined || matched[side].has(id)) continue;
      const pair = { old: undefined, new: undefined, [side]: definition };
      collector.visit(
        "schema",
        { ...pair, isSameId: false },
        {
          label: id,
          key: `schema ${id}`,
          schema: id,
          pointers: { old: undefined, new: undefined, [side]: pointer },
          directions: 0,
        },
      );
    }
}

function visitBodies(
  pair: DefinitionPair,
  site: ComparedObject,
  pairs: DefinitionPairs,
  collector: Collector,
): void {
  const { body: old } = pair.old;
  const { body: now } = pair.new;
  if (old.kind === "object" && now.kind === "object") {
    for (const [before, after] of matchFields(old.fields, now.fields))
      visitField({ old: before, new: after }, site, pairs, collector);
    const [a, b] = [old.additional, now.additional];
    if (a !== undefined && b !== undefined)
      visitElement(a, b, "additionalProperties", "[key]", site, collector);
  } else if (old.kind === "enum" && now.kind === "enum")
    collector.visit("enum", { old: stateOf(old), new: stateOf(now) }, site);
  else if (old.kind !== now.kind || old.kind === "alias")
    visitAliases(pair, site, collector);
}

function visitField(
  pair: Pair<Field>,
  owner: ComparedObject,
  pairs: DefinitionPairs,
  collector: Collector,
): void {
  const { old, new: now } = pair;
  const { name } = (old ?? now)!;
  const below = `/properties/${escapeToken(name)}`;
  const { pointers } = owner;
  const site: ComparedObject = {
    ...owner,
    label: `${owner.label}.${name}`,
    key: `${owner.key} property ${name}`,
    pointers: {
      old: old === undefined ? undefined : pointers.old + below,
      new: now === undefined ? undefined : pointers.new + below,
    },
    directions: pairs.directionsOf(old, now, owner.directions),
  };
  collector.visit("property", pair, site);
  if (old === undefined || now === undefined) return;
  const { documents } = collector;
  visitValue(
    {
      old: valueAt(old, site.pointers.old, documents.old),
      new: valueAt(now, site.pointers.new, documents.new),
      where: "property",
    },
    site,
    collector,
  );
}

type EnumBody = Extract<Body, { kind: "enum" }>;

function stateOf({ values, open }: EnumBody): EnumState {
  return { values, isOpen: open === true, isClosedType: false };
}

/**
 * Compares the types of two definitions if at least one of them is an alias.
 */
function visitAliases(
  { old, new: now }: DefinitionPair,
  site: ComparedObject,
  collector: Collector,
): void {
  const { documents } = collector;
  visitValue(
    {
      old: valueAt({ schema: schemaOf(old) }, old.pointer, documents.old),
      new: valueAt({ schema: schemaOf(now) }, now.pointer, documents.new),
      where: "element",
    },
    site,
    collector,
  );
}
