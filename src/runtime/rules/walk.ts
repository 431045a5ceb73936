import type { Severity } from "./definition.js";
import type { FileCheck, PropertyInstance } from "./context.js";
import { isHiddenKey } from "./mask.js";
import { concretePath, joinPaths, type KeyPath } from "./paths.js";
import type { Property } from "./properties.js";
import { Suggester } from "./suggest.js";
import { isNull, type Entry, type MapNode, type Node } from "./tree.js";
import { checkNode, reportNoValue } from "./values.js";
import {
  compareVersions,
  isIntroducedAfter,
  isRemovedIn,
  isSupportedIn,
} from "./versions.js";

/**
 * Checks all properties in a file: their keys, their types and values, and
 * whether the target version supports them.
 */
export function checkProperties(file: FileCheck, root: MapNode): void {
  const top = file.properties.root;
  file.addProperty({
    path: "",
    property: top,
    node: root,
    keyRange: { start: 0, end: 1 },
  });
  new PropertyWalk(file, root, top).checkMap(root, top, []);
}

class PropertyWalk {
  readonly #file: FileCheck;
  #suggester: Suggester | undefined;
  /**
   * Number of occurrences of each property, keyed by path without list indexes.
   * Only correctly spelled keys are counted.
   */
  readonly #present = new Map<string, number>();
  /**
   * Number of occurrences of each block, keyed by path without list indexes.
   */
  readonly #blocks = new Map<string, number>();

  constructor(file: FileCheck, root: MapNode, top: Property) {
    this.#file = file;
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
    this.#file.source?.checkMap(this.#file, node, path);
    const directKeys = new Set(
      node.entries.filter((entry) => entry.isMerged !== true).map(keyOf),
    );
    for (const entry of node.entries) {
      const isOverridden = entry.isMerged === true && directKeys.has(entry.key);
      if (!isOverridden) this.#checkEntry(entry, property, path, directKeys);
    }
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
    const { version } = this.#file;
    const isUnsupported =
      isIntroducedAfter(known.row, version) || isRemovedIn(known.row, version);
    checkVersions(this.#file, known, entry, this.#file.pathText(entryPath));
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
    this.#file.source?.checkMap(this.#file, node, path);
    for (const { key, value, isMerged } of node.entries)
      if (
        isMerged !== true &&
        !isHiddenKey(key, this.#file.properties) &&
        isBlock(value)
      )
        this.#checkUndescribed(value, [...path, key]);
  }

  /**
   * Checks a property that the property table describes.
   * @param path path with the corrected spelling of the key
   */
  #checkKnown(entry: Entry, property: Property, path: KeyPath): void {
    const instance = {
      path: this.#file.pathText(path),
      property,
      node: entry.value,
      keyRange: entry.keyRange,
    };
    this.#file.addProperty(instance);
    if (isNull(entry.value)) return reportNoValue(this.#file, instance);
    this.#checkValue(entry.value, property, path, entry);
  }

  #checkValue(
    node: Node,
    property: Property,
    path: KeyPath,
    entry?: Entry,
  ): void {
    if (
      !checkNode(this.#file, node, property, this.#file.pathText(path), entry)
    )
      return;
    if (node.kind === "map" && isDescribed(property))
      return this.checkMap(node, property, path);
    if (node.kind !== "list" || property.item === undefined)
      return this.#checkUndescribed(node, path);
    const { item } = property;
    node.items.forEach((element, index) => {
      const elementPath = [...path, index];
      const instance = {
        path: this.#file.pathText(elementPath),
        property: item,
        node: element,
        keyRange: {
          start: element.range.start,
          end: element.range.start + 1,
        },
      };
      this.#file.addProperty(instance);
      if (isNull(element)) reportNoValue(this.#file, instance);
      else this.#checkValue(element, item, elementPath);
    });
  }

  #reportUnknown(
    entry: Entry,
    parent: Property,
    path: KeyPath,
    siblings: ReadonlySet<string>,
  ): void {
    const file = this.#file;
    const keyPath = file.pathText([...path, entry.key]);
    const suggestion = this.#suggest(parent, entry.key);
    const message = `"${file.shown(entry.key)}" is not a key ${ownerText(parent, file)}`;
    const code = file.codeOf("unknown");
    if (suggestion === undefined) {
      this.#checkBelowUnknown(entry, path);
      return file.report(code, entry.keyRange, keyPath, message);
    }
    const { property, isSibling } = suggestion;
    file.markReported(concretePath(property.row.path, path));
    file.report(code, entry.keyRange, keyPath, message, {
      suggestion: isSibling
        ? `did you mean "${property.key}"?`
        : moveSuggestion(parent, property, entry.key),
    });
    if (isSibling && !siblings.has(property.key))
      this.#checkKnown(entry, property, [...path, property.key]);
    else this.#checkBelowUnknown(entry, path);
  }

  #suggest(parent: Property, key: string) {
    this.#suggester ??= new Suggester(
      this.#file.properties,
      this.#file.version,
      {
        hasProperty: (general) => this.#present.has(general),
        isMissing: (general) => this.#isMissing(general),
      },
    );
    return this.#suggester.suggest(parent, key);
  }

  /**
   * Checks for duplicate keys in the value of an unknown key. A value that
   * could be secret is not checked.
   */
  #checkBelowUnknown({ key, value }: Entry, path: KeyPath): void {
    if (!isHiddenKey(key, this.#file.properties))
      this.#checkUndescribed(value, [...path, key]);
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

function ownerText({ row }: Property, { rules }: FileCheck): string {
  return `of ${row.path === "" ? rules.file : row.path}`;
}

/**
 * Returns the suggestion to move a key: `belongs under paths` if the key remains
 * in the same top-level block, otherwise `belongs to hosts`.
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

/** Reports required keys that are missing from a block. */
export function reportMissing(file: FileCheck): void {
  for (const instance of file.found.values()) {
    if (instance.node.kind !== "map") continue;
    for (const member of instance.property.members.values())
      checkMember(file, instance, member);
  }
}

function checkMember(
  file: FileCheck,
  owner: PropertyInstance,
  { row, key }: Property,
): void {
  const { version } = file;
  if (row.required === undefined || !isSupportedIn(version, row)) return;
  const { requiredSince } = row;
  const isEarly =
    requiredSince !== undefined && compareVersions(requiredSince, version) > 0;
  const path = joinPaths(owner.path, key);
  if (isEarly || file.found.has(path) || file.isReported(path)) return;
  const fallback =
    row.default === undefined ? "" : `; the default is ${row.default}`;
  file.report(
    file.codeOf("missing"),
    file.nearestRange(owner.path, key),
    path,
    `${path} is missing${fallback}`,
    {
      severity: row.required,
      suggestion: `add ${key}: ${(row.description ?? "").replace(/\.$/, "")}`,
    },
  );
}

/**
 * Reports keys that the target version does not support, and deprecated keys.
 */
function checkVersions(
  file: FileCheck,
  property: Property,
  entry: Entry,
  path: string,
): void {
  const { version } = file;
  const { row } = property;
  if (isIntroducedAfter(row, version))
    reportNewerProperty(file, property, entry, path);
  else if (isRemovedIn(row, version))
    reportRemovedProperty(file, property, entry, path);
  else if (row.spelling === true || isDeprecated(row, version))
    reportDeprecatedProperty(file, property, entry, path);
  else if (row.undocumented === true)
    file.report(
      file.codeOf("deprecated"),
      entry.keyRange,
      path,
      `"${entry.key}" is used in practice, but is not in the vendor's reference for version ${file.target}`,
      { severity: "info" },
    );
}

function isDeprecated(
  { deprecatedSince }: { readonly deprecatedSince?: string },
  version: string,
): boolean {
  return (
    deprecatedSince !== undefined &&
    compareVersions(deprecatedSince, version) <= 0
  );
}

/**
 * Reports a property that was introduced after the target version.
 * For a scalar, the finding is only a warning, because an ignored scalar has
 * less effect than an ignored block.
 */
function reportNewerProperty(
  file: FileCheck,
  { row }: Property,
  entry: Entry,
  path: string,
): void {
  file.markReported(path);
  const { target } = file;
  const severity: Severity =
    row.severity ?? (entry.value.kind === "scalar" ? "warning" : "error");
  file.report(
    file.codeOf("later"),
    entry.keyRange,
    path,
    `"${entry.key}" was introduced in ${row.since}; ${target} does not support it`,
    { severity, suggestion: `remove the key for ${target}` },
  );
}

function reportRemovedProperty(
  file: FileCheck,
  property: Property,
  entry: Entry,
  path: string,
): void {
  const { row } = property;
  if (row.replacedBy !== undefined) file.markReported(row.replacedBy);
  if (!isNull(entry.value)) file.addRemoved(property, entry, path);
  file.report(
    file.codeOf("removed"),
    entry.keyRange,
    path,
    `"${entry.key}" was removed in ${nextMinorVersion(row.until!)}`,
    {
      ...(row.severity === undefined ? {} : { severity: row.severity }),
      suggestion: row.removed ?? "remove it",
    },
  );
}

function reportDeprecatedProperty(
  file: FileCheck,
  property: Property,
  entry: Entry,
  path: string,
): void {
  const { replacedBy } = property.row;
  if (replacedBy !== undefined) file.markReported(replacedBy);
  if (!isNull(entry.value)) file.addRemoved(property, entry, path);
  file.report(
    file.codeOf("deprecated"),
    entry.keyRange,
    path,
    property.row.spelling === true
      ? `"${entry.key}" is a non-standard spelling`
      : `"${entry.key}" has been deprecated since ${property.row.deprecatedSince}`,
    { suggestion: `write ${replacedBy}` },
  );
}

/**
 * Returns the minor version that follows the last version that supports a key.
 * For example, returns 1.3 for 1.2.
 */
function nextMinorVersion(until: string): string {
  const [major = "1", minor = "0"] = until.split(".");
  return `${major}.${Number(minor) + 1}`;
}
