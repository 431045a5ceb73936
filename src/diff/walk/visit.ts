// This file is longer than 400 lines because the functions visit parts of one
// another: methods, schemas, properties, values, elements.
import { isObject } from "../../diagnostics/json.js";
import {
  escapeToken,
  pointerOf,
  resolvePointer,
  tokensOf,
} from "../../diagnostics/types.js";
import type { RawSchema } from "../../load/raw.js";
import type {
  Constraints,
  Field,
  Method,
  Parameter,
  Schema,
} from "../../model/ir.js";
import { resolveAlias } from "../../model/queries.js";
import type { Union } from "../../model/unions.js";
import type { Collector, ComparedObject } from "../collector.js";
import type { EnumState, Pair, Value } from "../rule.js";
import { REQUEST, RESPONSE } from "../severity.js";
import type { Side } from "../side.js";
import {
  matchFields,
  schemaOf,
  type DefinitionPair,
  type DefinitionPairs,
} from "./definition-pairs.js";
import { matchCommonParameters, matchParameters } from "./match-methods.js";
import { optionsOf } from "./match-options.js";

/** Runs the rules about methods, their parameters and bodies. */
export function visitMethods(
  pairs: readonly Pair<Method>[],
  collector: Collector,
): void {
  const { old, new: now } = collector.documents;
  for (const pair of matchCommonParameters(old.api, now.api)) {
    const path = ["parameters", (pair.old ?? pair.new)!.name];
    const site = {
      key: "common",
      label: "common",
      pointers: { old: undefined, new: undefined },
      directions: REQUEST,
    };
    visitParameter(pair, { old: path, new: path }, site, collector);
  }
  for (const pair of pairs) visitMethod(pair, collector);
}

function visitMethod(pair: Pair<Method>, collector: Collector): void {
  const { old, new: now } = pair;
  const { id } = (old ?? now)!;
  const site: ComparedObject = {
    label: id,
    key: `method ${id}`,
    method: now?.id ?? id,
    oldMethod: old?.id,
    pointers: { old: old?.pointer, new: now?.pointer },
    directions: 0,
  };
  collector.visit("method", pair, site);
  if (old === undefined || now === undefined) return;
  const apis = {
    old: collector.documents.old.api,
    new: collector.documents.new.api,
  };
  for (const parameters of matchParameters(old, now, apis)) {
    const paths = {
      old: parameterPath(old, parameters.old),
      new: parameterPath(now, parameters.new),
    };
    visitParameter(parameters, paths, site, collector);
  }
  const elements = [old.stream?.element, now.stream?.element] as const;
  const results = [old.operation?.result, now.operation?.result] as const;
  for (const [before, after] of [elements, results])
    if (before?.kind === "ref" && after?.kind === "ref")
      visitReferences(
        before.id,
        after.id,
        { ...site, directions: RESPONSE },
        collector,
      );
  for (const field of ["request", "response"] as const) {
    const [before, after] = [old[field], now[field]];
    if (before === undefined || after === undefined) continue;
    const directions = field === "request" ? REQUEST : RESPONSE;
    visitPart(
      { old: before, new: after },
      { where: "body", key: field, suffix: ` ${field}` },
      { ...site, directions },
      collector,
    );
  }
}

function parameterPath(
  method: Method,
  parameter: Parameter | undefined,
): readonly string[] {
  const path = tokensOf(method.pointer);
  return method.headers?.some((header) => header === parameter) === true
    ? path
    : [...path, "parameters", parameter?.name ?? ""];
}

function visitParameter(
  pair: Pair<Parameter>,
  paths: Readonly<Record<"old" | "new", readonly string[]>>,
  owner: ComparedObject,
  collector: Collector,
): void {
  const { old, new: now } = pair;
  const { name } = (old ?? now)!;
  const site: ComparedObject = {
    ...owner,
    label: `${owner.label} parameter ${name}`,
    key: `${owner.key} parameter ${name}`,
    pointers: {
      old: old === undefined ? undefined : pointerOf(paths.old),
      new: now === undefined ? undefined : pointerOf(paths.new),
    },
    directions: REQUEST,
  };
  collector.visit("parameter", pair, site);
  if (old === undefined || now === undefined) return;
  visitValue(old, now, "parameter", site, collector, name === "alt");
}

/** Runs the rules about schemas, their properties and values. */
export function visitSchemas(
  pairs: DefinitionPairs,
  collector: Collector,
): void {
  visitUnmatched(pairs, collector);
  visitPairs(pairs, collector);
}

function visitPairs(pairs: DefinitionPairs, collector: Collector): void {
  for (const pair of pairs.pairs) {
    const { old, new: now, directions, isOnWire } = pair;
    const site: ComparedObject = {
      label: old.id,
      key: `schema ${old.id}${old.id === now.id ? "" : ` ${now.id}`}`,
      schema: old.id,
      newSchema: now.id,
      pointers: { old: old.pointer, new: now.pointer },
      directions,
      isTypeOnly: !isOnWire,
    };
    collector.visit("schema", pair, site);
    visitBodies(pair, site, pairs, collector);
  }
}

/** Visits schemas that occur in only one of the documents. */
function visitUnmatched(
  { pairs }: DefinitionPairs,
  collector: Collector,
): void {
  for (const side of ["old", "new"] as const) {
    const matched = new Set(pairs.map((pair) => pair[side].id));
    for (const definition of collector.documents[side].api.definitions) {
      const { id, inline, pointer } = definition;
      // Inline schemas are skipped, because the rules for properties report
      // them.
      if (inline !== undefined || matched.has(id)) continue;
      const none = { old: undefined, new: undefined };
      collector.visit(
        "schema",
        { ...none, [side]: definition },
        {
          label: id,
          key: `schema ${id}`,
          schema: id,
          newSchema: side === "new" ? id : undefined,
          pointers: { ...none, [side]: pointer },
          directions: 0,
        },
      );
    }
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
      visitPart({ old: a, new: b }, MAP_VALUE, site, collector);
  } else if (old.kind === "enum" && now.kind === "enum") {
    const [before, after] = [old, now].map(({ values, open }) => ({
      values,
      isOpen: open === true,
      isClosedType: false,
    }));
    collector.visit("enum", { old: before, new: after }, site);
  } else if (old.kind === "union" && now.kind === "union") {
    visitOptions({ old, new: now }, site, collector);
  } else if (old.kind === "variant" && now.kind === "variant") {
    for (const { value, id } of old.options) {
      const option = now.options.find((one) => one.value === value);
      if (option !== undefined) visitReferences(id, option.id, site, collector);
    }
    if (old.base !== undefined && now.base !== undefined)
      visitReferences(old.base, now.base, site, collector);
  } else if (old.kind !== now.kind || old.kind === "alias") {
    const [before, after] = [pair.old, pair.new].map((definition) => ({
      schema: schemaOf(definition),
    }));
    visitValue(before!, after!, "element", site, collector);
  }
}

/** Compares the alternatives that both unions have. */
function visitOptions(
  { old, new: now }: Readonly<Record<"old" | "new", Union>>,
  owner: ComparedObject,
  collector: Collector,
): void {
  const { documents } = collector;
  const options = optionsOf(now, documents.new.definitions);
  for (const [key, before] of optionsOf(old, documents.old.definitions)) {
    const after = options.get(key);
    if (after === undefined) continue;
    const site: ComparedObject = {
      ...owner,
      label: `${owner.label} alternative ${key}`,
      key: `${owner.key} alternative ${key}`,
      pointers: {
        old: `${owner.pointers.old}/x-one-of/${before.index}`,
        new: `${owner.pointers.new}/x-one-of/${after.index}`,
      },
    };
    visitValue(before, after, "element", site, collector);
  }
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
    property: name,
    pointers: {
      old: old === undefined ? undefined : pointers.old + below,
      new: now === undefined ? undefined : pointers.new + below,
    },
    directions: pairs.directionsOf(old, now, owner.directions),
  };
  collector.visit("property", pair, site);
  if (old === undefined || now === undefined) return;
  visitValue(old, now, "property", site, collector);
}

/** Part of a model that has a type, such as a parameter. */
interface Typed {
  readonly schema: Schema;
  readonly constraints?: Constraints;
}

/**
 * Runs the rules about the types of values, and visits the elements of lists
 * and maps. Does not visit the definitions to which values refer, because
 * `visitSchemas` visits each definition once.
 * @param isClosedType true if the generated type of an enum allows only the
 * listed values
 */
function visitValue(
  old: Typed,
  now: Typed,
  where: Value["where"],
  site: ComparedObject,
  collector: Collector,
  isClosedType = false,
): void {
  const { documents } = collector;
  const pair = {
    old: valueAt(old, site.pointers.old, documents.old, where),
    new: valueAt(now, site.pointers.new, documents.new, where),
  };
  collector.visit("value", pair, site);
  const before = enumOf(pair.old, isClosedType);
  const after = enumOf(pair.new, isClosedType);
  if (before !== undefined && after !== undefined)
    collector.visit("enum", { old: before, new: after }, site);
  // Differences of paired definitions are reported once, by visitPairs.
  if (old.schema.kind === "ref" && now.schema.kind === "ref") {
    visitReferences(old.schema.id, now.schema.id, site, collector);
    return;
  }
  const a = resolveAlias(old.schema, documents.old.definitions);
  const b = resolveAlias(now.schema, documents.new.definitions);
  if (a.kind === "ref" && b.kind === "ref")
    visitReferences(a.id, b.id, site, collector);
  if (a.kind === "list" && b.kind === "list")
    visitPart({ old: a.items, new: b.items }, LIST_ITEM, site, collector);
  if (a.kind === "map" && b.kind === "map")
    visitPart({ old: a.values, new: b.values }, MAP_VALUE, site, collector);
}

/** Reports a reference that became a reference to a different schema. */
function visitReferences(
  old: string,
  now: string,
  site: ComparedObject,
  collector: Collector,
): void {
  if (old === now || collector.pairs.isPair(old, now)) return;
  const { documents } = collector;
  const before = documents.old.definitions.get(old);
  const after = documents.new.definitions.get(now);
  // The rule for types reports a reference to another kind of value.
  if (before?.body.kind !== after?.body.kind) return;
  if (before === undefined || after === undefined) return;
  const differences = collector.differencesOf(
    before,
    after,
    site.directions,
    visitPairs,
  );
  const pair = { old: { id: old, differences }, new: { id: now, differences } };
  collector.visit("replacement", pair, site);
}

/** Relation of a value to the object that contains it. */
interface Part {
  readonly where: Value["where"];
  /** Member of the containing object. */
  readonly key: string;
  /** Text that is appended to the label of the containing object. */
  readonly suffix: string;
}

const LIST_ITEM: Part = { where: "element", key: "items", suffix: "[]" };
const MAP_VALUE: Part = {
  where: "element",
  key: "additionalProperties",
  suffix: "[key]",
};

/** Compares bodies of methods, or the elements of lists or maps. */
function visitPart(
  { old, new: now }: { readonly old: Schema; readonly new: Schema },
  { where, key, suffix }: Part,
  owner: ComparedObject,
  collector: Collector,
): void {
  const { pointers } = owner;
  const site: ComparedObject = {
    ...owner,
    label: owner.label + suffix,
    key: owner.key + suffix,
    pointers: {
      old: pointers.old === undefined ? undefined : `${pointers.old}/${key}`,
      new: pointers.new === undefined ? undefined : `${pointers.new}/${key}`,
    },
  };
  visitValue({ schema: old }, { schema: now }, where, site, collector);
}

/** Returns a value with its schema as declared in the document. */
function valueAt(
  { schema, constraints = schema.constraints ?? {} }: Typed,
  pointer: string | undefined,
  { document }: Side,
  where: Value["where"],
): Value {
  const raw =
    pointer === undefined ? undefined : resolvePointer(document, pointer);
  return {
    schema,
    constraints,
    raw: isObject(raw) ? (raw as RawSchema) : {},
    where,
  };
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
