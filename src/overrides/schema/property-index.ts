import table from "#built/overrides.js";
import { lastKey } from "../key-path.js";
import type { PropertyRow, PropertyTable } from "./table.js";

/** Property as a node of the tree of properties. */
export interface Property {
  readonly row: PropertyRow;
  readonly key: string;
  readonly parent?: Property;
  /** Members by key, without `*`. */
  readonly members: Map<string, Property>;
  /** Property of all other keys (`*`). */
  wildcard?: Property;
  /** Property of list elements. */
  item?: Property;
}

/** Table as a tree, with indexes. */
export interface PropertyIndex {
  readonly table: PropertyTable;
  readonly root: Property;
  /** Properties by general path, such as `envs[].name`. */
  readonly byPath: ReadonlyMap<string, Property>;
  /** Properties by their last key. */
  readonly byKey: ReadonlyMap<string, readonly Property[]>;
}

let cachedIndex: PropertyIndex | undefined;

/** Returns the index of all properties, which is built once. */
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
