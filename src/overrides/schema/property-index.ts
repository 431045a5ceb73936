import table from "#built/overrides.js";
import { lastKey } from "../key-path.js";
import type { Row, Table } from "./table.js";

/** A property with its place among the others. */
export interface Property {
  readonly row: Row;
  readonly key: string;
  readonly parent?: Property;
  /** Members by key, without `*`. */
  readonly members: Map<string, Property>;
  /** What any other key means. */
  wild?: Property;
  /** What an element means. */
  item?: Property;
}

/** The table as a tree, with an index. */
export interface Knowledge {
  readonly table: Table;
  readonly root: Property;
  /** Properties by path, `envs[].name`. */
  readonly byPath: ReadonlyMap<string, Property>;
  /** Properties by their last key. */
  readonly byKey: ReadonlyMap<string, readonly Property[]>;
}

let loaded: Knowledge | undefined;

/** What is known of the overrides file; built once. */
export function knowledge(): Knowledge {
  loaded ??= build(table);
  return loaded;
}

function build(source: Table): Knowledge {
  const root = property({ path: "", type: "object", description: "" }, "");
  const byPath = new Map<string, Property>([["", root]]);
  const byKey = new Map<string, Property[]>();
  for (const row of source.rows) {
    const key = lastKey(row.path);
    const parent = byPath.get(parentOf(row.path))!;
    const own = property(row, key, parent);
    byPath.set(row.path, own);
    if (key === "[]") parent.item = own;
    else if (key === "*") parent.wild = own;
    else {
      parent.members.set(key, own);
      byKey.set(key, [...(byKey.get(key) ?? []), own]);
    }
  }
  return { table: source, root, byPath, byKey };
}

function property(row: Row, key: string, parent?: Property): Property {
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
