import {
  isNull,
  type Entry,
  type MapNode,
  type Node,
} from "../document/tree.js";
import { pathText, displayKey } from "../display-text.js";
import { concretePath, type KeyPath } from "../key-path.js";
import { isHiddenKey } from "../secrets.js";
import type { Property } from "../schema/property-index.js";
import {
  isRemovedIn,
  isIntroducedAfter,
  compareVersions,
  isSupportedIn,
} from "../schema/table.js";
import { suggestProperty } from "../suggest-property.js";
import { checkVersions } from "./version-rules.js";
import {
  type RuleContext,
  joinPaths,
  type PropertyInstance,
} from "./rule-context.js";
import { checkValue, reportNoValue } from "./values.js";

/**
 * Checks all properties in a file: their keys, their types and values, and
 * whether the target version supports them.
 */
export function checkProperties(
  context: RuleContext,
  root: MapNode,
  top: Property,
): void {
  context.addProperty("", {
    path: "",
    property: top,
    node: root,
    keyRange: { start: 0, end: 1 },
  });
  new PropertyWalk(context, root, top).checkMap(root, top, []);
}

class PropertyWalk {
  readonly #context: RuleContext;
  /**
   * Number of occurrences of each property, keyed by path without list indexes.
   * Only correctly spelled keys are counted.
   */
  readonly #present = new Map<string, number>();
  /**
   * Number of occurrences of each block, keyed by path without list indexes.
   */
  readonly #blocks = new Map<string, number>();

  constructor(context: RuleContext, root: MapNode, top: Property) {
    this.#context = context;
    this.#collect(root, top);
  }

  /** Counts the occurrences of known properties and blocks. */
  #collect(node: Node, property: Property): void {
    if (node.kind === "list" && property.item !== undefined)
      for (const item of node.items) this.#collect(item, property.item);
    if (node.kind !== "map") return;
    increment(this.#blocks, property.row.path);
    for (const { key, value } of node.entries) {
      const member = property.members.get(key);
      if (member === undefined) continue;
      increment(this.#present, member.row.path);
      this.#collect(value, member);
    }
  }

  /**
   * Tests whether a property is missing from at least one block. If a block has
   * no value, its properties count as missing.
   */
  #isMissing(path: string): boolean {
    const dot = path.lastIndexOf(".");
    const owner = dot < 0 ? "" : path.slice(0, dot);
    const blocks = this.#blocks.get(owner) ?? this.#present.get(owner) ?? 0;
    return (this.#present.get(path) ?? 0) < blocks;
  }

  checkMap(node: MapNode, property: Property, path: KeyPath): void {
    this.#reportDuplicates(node, path);
    const directKeys = new Set(
      node.entries.filter((entry) => entry.isMerged !== true).map(keyOf),
    );
    for (const entry of node.entries) {
      const isOverridden = entry.isMerged === true && directKeys.has(entry.key);
      if (!isOverridden) this.#checkEntry(entry, property, path, directKeys);
    }
  }

  /**
   * Rule S05: reports duplicate keys. A key that overrides a key from a merge
   * (`<<`) is allowed.
   */
  #reportDuplicates({ entries }: MapNode, path: KeyPath): void {
    const seen = new Map<string, Entry>();
    for (const entry of entries) {
      if (entry.isMerged === true) continue;
      const first = seen.get(entry.key);
      if (first === undefined) seen.set(entry.key, entry);
      else this.#reportDuplicate(first, entry, path);
    }
  }

  #reportDuplicate(first: Entry, second: Entry, path: KeyPath): void {
    const { line } = this.#context.lines.positionOf(first.keyRange.start);
    this.#context.report(
      "S05",
      second.keyRange,
      pathText([...path, second.key]),
      `duplicate key "${displayKey(second.key)}", first on line ${line}; only the last value is used`,
      { suggestion: `merge the value into the key on line ${line}` },
    );
  }

  #checkEntry(
    entry: Entry,
    parent: Property,
    path: KeyPath,
    siblings: ReadonlySet<string>,
  ): void {
    const known = parent.members.get(entry.key) ?? parent.wildcard;
    if (known === undefined)
      return this.#reportUnknown(entry, parent, path, siblings);
    const entryPath = [...path, entry.key];
    const { version } = this.#context.options;
    const isUnsupported =
      isIntroducedAfter(known.row, version) || isRemovedIn(known.row, version);
    checkVersions(this.#context, known, entry, pathText(entryPath));
    if (isUnsupported) this.#checkUndescribed(entry.value, entryPath);
    else this.#checkKnown(entry, known, entryPath);
  }

  /**
   * Checks a block whose content the property table does not describe; reports
   * only keys that occur several times.
   */
  #checkUndescribed(node: Node, path: KeyPath): void {
    if (node.kind === "list")
      for (const [index, item] of node.items.entries())
        this.#checkUndescribed(item, [...path, index]);
    if (node.kind !== "map") return;
    this.#reportDuplicates(node, path);
    for (const { key, value, isMerged } of node.entries)
      if (isMerged !== true && !isHiddenKey(key) && isBlock(value))
        this.#checkUndescribed(value, [...path, key]);
  }

  /**
   * Checks a property that the property table describes.
   * @param path path with the corrected spelling of the key
   */
  #checkKnown(entry: Entry, property: Property, path: KeyPath): void {
    const instance = {
      path: pathText(path),
      property,
      node: entry.value,
      keyRange: entry.keyRange,
    };
    this.#context.addProperty(property.row.path, instance);
    if (isNull(entry.value)) return reportNoValue(this.#context, instance);
    this.#checkValue(entry.value, property, path, entry);
  }

  #checkValue(
    node: Node,
    property: Property,
    path: KeyPath,
    entry?: Entry,
  ): void {
    if (!checkValue(this.#context, node, property, pathText(path), entry))
      return;
    if (node.kind === "map" && isDescribed(property))
      return this.checkMap(node, property, path);
    if (node.kind !== "list" || property.item === undefined)
      return this.#checkUndescribed(node, path);
    const { item } = property;
    node.items.forEach((element, index) => {
      const elementPath = [...path, index];
      const instance = {
        path: pathText(elementPath),
        property: item,
        node: element,
        keyRange: {
          start: element.range.start,
          end: element.range.start + 1,
        },
      };
      this.#context.addProperty(item.row.path, instance);
      if (isNull(element)) reportNoValue(this.#context, instance);
      else this.#checkValue(element, item, elementPath);
    });
  }

  #reportUnknown(
    entry: Entry,
    parent: Property,
    path: KeyPath,
    siblings: ReadonlySet<string>,
  ): void {
    const context = this.#context;
    const { version } = context.options;
    const keyPath = pathText([...path, entry.key]);
    const suggestion = suggestProperty(parent, entry.key, {
      version,
      hasProperty: (general) => this.#present.has(general),
      isMissing: (general) => this.#isMissing(general),
    });
    const message = `"${displayKey(entry.key)}" is not a key ${ownerText(parent)}`;
    if (suggestion === undefined) {
      this.#checkBelowUnknown(entry, path);
      return context.report("T01", entry.keyRange, keyPath, message);
    }
    const { property, isSibling } = suggestion;
    context.markReported(concretePath(property.row.path, path));
    context.report("T01", entry.keyRange, keyPath, message, {
      suggestion: isSibling
        ? `did you mean "${property.key}"?`
        : moveSuggestion(parent, property, entry.key),
    });
    if (isSibling && !siblings.has(property.key))
      this.#checkKnown(entry, property, [...path, property.key]);
    else this.#checkBelowUnknown(entry, path);
  }

  /**
   * Checks for duplicate keys in the value of an unknown key. A value that
   * could be secret is not checked.
   */
  #checkBelowUnknown({ key, value }: Entry, path: KeyPath): void {
    if (!isHiddenKey(key)) this.#checkUndescribed(value, [...path, key]);
  }
}

function isBlock({ kind }: Node): boolean {
  return kind !== "scalar";
}

function increment(counts: Map<string, number>, path: string): void {
  counts.set(path, (counts.get(path) ?? 0) + 1);
}

function keyOf({ key }: Entry): string {
  return key;
}

function isDescribed({ row, members, wildcard }: Property): boolean {
  return row.type === "object" && (members.size > 0 || wildcard !== undefined);
}

function ownerText({ row }: Property): string {
  return row.path === "" ? "of an overrides file" : `of ${row.path}`;
}

/**
 * Returns the suggestion to move a key: `belongs under resources.requests` if
 * the key remains in the same top-level block, otherwise `belongs to
 * k8sCluster`.
 */
function moveSuggestion(
  parent: Property,
  property: Property,
  key: string,
): string {
  const { path } = property.row;
  const parentPath = property.parent!.row.path;
  const spelling =
    property.key === key ? "" : `did you mean "${property.key}"? it `;
  if (parentPath === "") return `${spelling}belongs at the top level`;
  const [stanza] = parent.row.path.split(/[.[]/);
  const isWithin = stanza !== "" && path.startsWith(`${stanza}.`);
  return isWithin && parentPath !== stanza
    ? `${spelling}belongs under ${parentPath.slice(stanza!.length + 1)}`
    : `${spelling}belongs to ${parentPath}`;
}

/** Rule T04: reports required keys that are missing from a block. */
export function reportMissing(context: RuleContext): void {
  for (const instance of context.properties.values()) {
    if (instance.node.kind !== "map") continue;
    for (const member of instance.property.members.values())
      checkRequired(context, instance, member);
  }
}

function checkRequired(
  context: RuleContext,
  owner: PropertyInstance,
  { row, key }: Property,
): void {
  const { version } = context.options;
  if (row.required === undefined || !isSupportedIn(version, row)) return;
  const { requiredSince } = row;
  const isEarly =
    requiredSince !== undefined && compareVersions(requiredSince, version) > 0;
  const path = joinPaths(owner.path, key);
  if (isEarly || context.properties.has(path) || context.isReported(path))
    return;
  const fallback =
    row.default === undefined ? "" : `; the default is ${row.default}`;
  context.report(
    "T04",
    context.nearestRange(owner.path, key),
    path,
    `${path} is missing${fallback}`,
    {
      severity: row.required,
      suggestion: `add ${key}: ${row.description.replace(/\.$/, "")}`,
    },
  );
}
