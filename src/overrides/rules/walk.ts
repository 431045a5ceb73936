import {
  isNothing,
  type Entry,
  type MapNode,
  type Node,
} from "../document/tree.js";
import { pathText, shownKey } from "../display-text.js";
import { placeOf } from "../key-path.js";
import { isHiddenKey } from "../secrets.js";
import type { Property } from "../schema/property-index.js";
import { isGone, isLater } from "../schema/versions.js";
import { suggestProperty } from "../suggest-property.js";
import { checkAge } from "./version-rules.js";
import type { Context } from "./context.js";
import { checkValue, refuseNothing } from "./values.js";

type Path = readonly (string | number)[];

/** Follows the file along the table: keys, ages, types and values. */
export function walkFile(context: Context, root: MapNode, top: Property): void {
  context.note("", {
    path: "",
    property: top,
    node: root,
    keyRange: { start: 0, end: 1 },
  });
  new Walk(context, root, top).map(root, top, []);
}

class Walk {
  readonly #context: Context;
  /** How often the file has a property, by general path, as it spells it. */
  readonly #present = new Map<string, number>();
  /** How many blocks there are, by general path. */
  readonly #blocks = new Map<string, number>();

  constructor(context: Context, root: MapNode, top: Property) {
    this.#context = context;
    this.#collect(root, top);
  }

  /** Of what the table describes; nothing else is asked for. */
  #collect(node: Node, property: Property): void {
    if (node.kind === "list" && property.item !== undefined)
      for (const item of node.items) this.#collect(item, property.item);
    if (node.kind !== "map") return;
    count(this.#blocks, property.row.path);
    for (const { key, value } of node.entries) {
      const member = property.members.get(key);
      if (member === undefined) continue;
      count(this.#present, member.row.path);
      this.#collect(value, member);
    }
  }

  /** A key without a value is a block that lacks everything. */
  #lacks(path: string): boolean {
    const dot = path.lastIndexOf(".");
    const owner = dot < 0 ? "" : path.slice(0, dot);
    const blocks = this.#blocks.get(owner) ?? this.#present.get(owner) ?? 0;
    return (this.#present.get(path) ?? 0) < blocks;
  }

  map(node: MapNode, property: Property, path: Path): void {
    this.#refuseTwice(node, path);
    const own = new Set(
      node.entries.filter((entry) => entry.isMerged !== true).map(keyOf),
    );
    for (const entry of node.entries) {
      const isOverruled = entry.isMerged === true && own.has(entry.key);
      if (!isOverruled) this.#entry(entry, property, path, own);
    }
  }

  /** S05; what a merge key brings in may be said again. */
  #refuseTwice({ entries }: MapNode, path: Path): void {
    const seen = new Map<string, Entry>();
    for (const entry of entries) {
      if (entry.isMerged === true) continue;
      const first = seen.get(entry.key);
      if (first === undefined) seen.set(entry.key, entry);
      else this.#reportTwice(first, entry, path);
    }
  }

  #reportTwice(first: Entry, second: Entry, path: Path): void {
    const { line } = this.#context.lines.positionOf(first.keyRange.start);
    this.#context.report(
      "S05",
      second.keyRange,
      pathText([...path, second.key]),
      `"${shownKey(second.key)}" stands here twice, first in line ${line}; only the last one counts`,
      { suggestion: `merge it into line ${line}` },
    );
  }

  #entry(
    entry: Entry,
    parent: Property,
    path: Path,
    siblings: ReadonlySet<string>,
  ): void {
    const known = parent.members.get(entry.key) ?? parent.wild;
    if (known === undefined)
      return this.#unknown(entry, parent, path, siblings);
    const own = [...path, entry.key];
    const { version } = this.#context.options;
    const isForeign = isLater(known.row, version) || isGone(known.row, version);
    checkAge(this.#context, known, entry, pathText(own));
    if (isForeign) this.#undescribed(entry.value, own);
    else this.#known(entry, known, own);
  }

  /** Of what the table does not describe, keys that stand twice are all that can be found. */
  #undescribed(node: Node, path: Path): void {
    if (node.kind === "list")
      for (const [index, item] of node.items.entries())
        this.#undescribed(item, [...path, index]);
    if (node.kind !== "map") return;
    this.#refuseTwice(node, path);
    for (const { key, value, isMerged } of node.entries)
      if (isMerged !== true && !isHiddenKey(key) && isBlock(value))
        this.#undescribed(value, [...path, key]);
  }

  /** @param path the place under the name that the key should have */
  #known(entry: Entry, property: Property, path: Path): void {
    const found = {
      path: pathText(path),
      property,
      node: entry.value,
      keyRange: entry.keyRange,
    };
    this.#context.note(property.row.path, found);
    if (isNothing(entry.value)) return refuseNothing(this.#context, found);
    this.#value(entry.value, property, path, entry);
  }

  #value(node: Node, property: Property, path: Path, entry?: Entry): void {
    if (!checkValue(this.#context, node, property, pathText(path), entry))
      return;
    if (node.kind === "map" && isDescribed(property))
      return this.map(node, property, path);
    if (node.kind !== "list" || property.item === undefined)
      return this.#undescribed(node, path);
    const { item } = property;
    node.items.forEach((element, index) => {
      const own = [...path, index];
      const found = {
        path: pathText(own),
        property: item,
        node: element,
        keyRange: {
          start: element.range.start,
          end: element.range.start + 1,
        },
      };
      this.#context.note(item.row.path, found);
      if (isNothing(element)) refuseNothing(this.#context, found);
      else this.#value(element, item, own);
    });
  }

  #unknown(
    entry: Entry,
    parent: Property,
    path: Path,
    siblings: ReadonlySet<string>,
  ): void {
    const context = this.#context;
    const { version } = context.options;
    const place = pathText([...path, entry.key]);
    const meant = suggestProperty(parent, entry.key, {
      version,
      has: (general) => this.#present.has(general),
      lacks: (general) => this.#lacks(general),
    });
    const message = `"${shownKey(entry.key)}" is not a key ${whereOf(parent)}`;
    if (meant === undefined) {
      this.#below(entry, path);
      return context.report("T01", entry.keyRange, place, message);
    }
    const { property, isHere } = meant;
    context.explain(placeOf(property.row.path, path));
    context.report("T01", entry.keyRange, place, message, {
      suggestion: isHere
        ? `did you mean "${property.key}"?`
        : elsewhere(parent, property, entry.key),
    });
    if (isHere && !siblings.has(property.key))
      this.#known(entry, property, [...path, property.key]);
    else this.#below(entry, path);
  }

  /** What is below a key that the table does not describe; keys below a secret's are secret. */
  #below({ key, value }: Entry, path: Path): void {
    if (!isHiddenKey(key)) this.#undescribed(value, [...path, key]);
  }
}

function isBlock({ kind }: Node): boolean {
  return kind !== "scalar";
}

function count(counts: Map<string, number>, path: string): void {
  counts.set(path, (counts.get(path) ?? 0) + 1);
}

function keyOf({ key }: Entry): string {
  return key;
}

function isDescribed({ row, members, wild }: Property): boolean {
  return row.type === "object" && (members.size > 0 || wild !== undefined);
}

function whereOf({ row }: Property): string {
  return row.path === "" ? "of an overrides file" : `of ${row.path}`;
}

/** `belongs under resources.requests`, within a stanza; `belongs to k8sCluster`. */
function elsewhere(parent: Property, property: Property, key: string): string {
  const { path } = property.row;
  const home = property.parent!.row.path;
  const spelling =
    property.key === key ? "" : `did you mean "${property.key}"? it `;
  if (home === "") return `${spelling}belongs to the top level`;
  const [stanza] = parent.row.path.split(/[.[]/);
  const isWithin = stanza !== "" && path.startsWith(`${stanza}.`);
  return isWithin && home !== stanza
    ? `${spelling}belongs under ${home.slice(stanza!.length + 1)}`
    : `${spelling}belongs to ${home}`;
}
