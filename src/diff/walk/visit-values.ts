import { isObject } from "../../diagnostics/json.js";
import { resolvePointer } from "../../diagnostics/types.js";
import type { RawSchema } from "../../load/raw.js";
import type { Constraints, Schema } from "../../model/ir.js";
import { resolveAlias } from "../../model/queries.js";
import type { Collector, ComparedObject } from "../collector.js";
import type { EnumState, Value, ValuePair } from "../rule.js";
import type { Side } from "../side.js";

/** Returns a value with its schema as declared in the document. */
export function valueAt(
  part: { readonly schema: Schema; readonly constraints?: Constraints },
  pointer: string | undefined,
  { document }: Side,
): Value {
  const raw =
    pointer === undefined ? undefined : resolvePointer(document, pointer);
  const { schema } = part;
  return {
    schema,
    constraints: part.constraints ?? schema.constraints ?? {},
    raw: isObject(raw) ? (raw as RawSchema) : {},
  };
}

/**
 * Runs the rules about the types of values, and visits the elements of lists
 * and maps. Does not visit the definitions to which values refer, because
 * `visitSchemas` visits each definition once.
 * @param isClosedType true if the generated type of an enum allows only the
 * listed values
 */
export function visitValue(
  pair: ValuePair,
  site: ComparedObject,
  collector: Collector,
  isClosedType = false,
): void {
  collector.visit("value", pair, site);
  const { old, new: now } = pair;
  const [before, after] = [
    enumOf(old, isClosedType),
    enumOf(now, isClosedType),
  ];
  if (before !== undefined && after !== undefined)
    collector.visit("enum", { old: before, new: after }, site);
  const { documents } = collector;
  const [a, b] = [
    resolveAlias(old.schema, documents.old.definitions),
    resolveAlias(now.schema, documents.new.definitions),
  ];
  // If both values are references, the difference is reported for the
  // definitions to which they refer.
  if (old.schema.kind === "ref" && now.schema.kind === "ref") return;
  if (a.kind === "list" && b.kind === "list")
    visitElement(a.items, b.items, "items", "[]", site, collector);
  if (a.kind === "map" && b.kind === "map")
    visitElement(
      a.values,
      b.values,
      "additionalProperties",
      "[key]",
      site,
      collector,
    );
}

/** Compares the schemas of the elements of lists or maps. */
export function visitElement(
  old: Schema,
  now: Schema,
  key: string,
  suffix: string,
  owner: ComparedObject,
  collector: Collector,
): void {
  const { pointers } = owner;
  const { documents } = collector;
  const site: ComparedObject = {
    ...owner,
    label: owner.label + suffix,
    key: owner.key + suffix,
    pointers: {
      old: pointers.old === undefined ? undefined : `${pointers.old}/${key}`,
      new: pointers.new === undefined ? undefined : `${pointers.new}/${key}`,
    },
  };
  const pair: ValuePair = {
    old: valueAt({ schema: old }, site.pointers.old, documents.old),
    new: valueAt({ schema: now }, site.pointers.new, documents.new),
    where: "element",
  };
  visitValue(pair, site, collector);
}

/**
 * Returns the values of an inline enum or of an enum of numbers; undefined if
 * the schema is not an enum.
 */
function enumOf(
  { schema, constraints }: Value,
  isClosedType: boolean,
): EnumState | undefined {
  if (schema.kind === "enum")
    return {
      values: schema.values,
      isOpen: schema.open === true,
      isClosedType,
    };
  return constraints.values === undefined
    ? undefined
    : { values: constraints.values, isOpen: false, isClosedType: false };
}
