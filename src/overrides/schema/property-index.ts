import table from "#built/overrides.js";
import { lastKey } from "../key-path.js";
import type { PropertyRow, PropertyTable } from "./table.js";

/** Property as a node in the property tree. */
export interface Property {
  readonly row: PropertyRow;
  readonly key: string;
  readonly parent?: Property;
  /** Members, keyed by name. The wildcard `*` is not included. */
  readonly members: Map<string, Property>;
  /** Property that describes all keys that are not in `members`. */
  wildcard?: Property;
  /** Property that describes the elements of a list. */
  item?: Property;
}

/** Property tree, with indexes by path and by key. */
interface PropertyIndex {
  readonly table: PropertyTable;
  readonly root: Property;
  /** Properties, keyed by path without list indexes, such as `envs[].name`. */
  readonly byPath: ReadonlyMap<string, Property>;
  /** Properties, keyed by the last key of their path. */
  readonly byKey: ReadonlyMap<string, readonly Property[]>;
}

let cachedIndex: PropertyIndex | undefined;

/** Returns the index of all properties, which is built on the first call. */
export function propertyIndex(): PropertyIndex {
  cachedIndex ??= buildIndex(table);
  return cachedIndex;
}

function buildIndex(source: PropertyTable): PropertyIndex {
  const root = createProperty(
    { path: "", type: "object", description: "" },
    "",
  );
  const byPath = new Map<string, Property>([["", root]]);
  const byKey = new Map<string, Property[]>();
  for (const row of source.rows) {
    const key = lastKey(row.path);
    const parent = byPath.get(parentOf(row.path))!;
    const property = createProperty(row, key, parent);
    byPath.set(row.path, property);
    if (key === "[]") parent.item = property;
    else if (key === "*") parent.wildcard = property;
    else {
      parent.members.set(key, property);
      byKey.set(key, [...(byKey.get(key) ?? []), property]);
    }
  }
  return { table: source, root, byPath, byKey };
}

function createProperty(
  row: PropertyRow,
  key: string,
  parent?: Property,
): Property {
  return {
    row,
    key,
    members: new Map(),
    ...(parent === undefined ? {} : { parent }),
  };
}

function parentOf(path: string): string {
  if (path.endsWith("[]")) return path.slice(0, -2);
  const dot = path.lastIndexOf(".");
  return dot < 0 ? "" : path.slice(0, dot);
}
