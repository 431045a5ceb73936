// This file has more than 250 lines, because one recursive conversion handles
// all kinds of YAML nodes.

import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Alias,
  type Document,
  type Node as YamlNode,
  type Pair,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import { syntaxMessage } from "./syntax-messages.js";
import {
  yamlProblem,
  type ParsedYaml,
  type AnchorOrAlias,
  type YamlProblem,
} from "./parsed-yaml.js";
import type { Entry, MapNode, Node, Range } from "./tree.js";

/** Maximum number of values after the expansion of aliases. */
const MAX_VALUES = 100_000;

/** Maximum nesting depth. Published overrides files have about ten levels. */
const MAX_DEPTH = 200;

/**
 * Creates the syntax error for YAML that is nested too deeply to be parsed
 * recursively.
 */
export function tooDeepProblem(): YamlProblem {
  return yamlProblem("S02", 0, "values are nested too deeply");
}

/**
 * Class that builds a tree from the nodes of the YAML library. It resolves
 * aliases and merge keys.
 */
export class TreeBuilder {
  readonly #text: string;
  readonly #problems: YamlProblem[] = [];
  readonly #nodes = new Map<YamlNode, Node>();
  readonly #sizes = new Map<YamlNode, number>();
  readonly #anchored = new Map<string, YamlNode>();
  readonly #anchorsAndAliases: AnchorOrAlias[] = [];
  #aliases = 0;
  #isTooDeep = false;
  /** Offset of the first alias whose anchor does not exist. */
  #unresolvedAlias: number | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  build(document: Document): ParsedYaml {
    const contents = document.contents as YAMLMap;
    const first = this.#collect(contents);
    if (this.#isTooDeep) return { problems: [tooDeepProblem()] };
    const unresolved = this.#unresolvedAlias;
    if (unresolved !== undefined)
      return {
        problems: [yamlProblem("S02", unresolved, syntaxMessage("BAD_ALIAS"))],
      };
    if (first !== undefined) {
      if (this.#expandedSize(contents) > MAX_VALUES)
        return {
          problems: [
            yamlProblem(
              "S07",
              first,
              `aliases expand this file to more than ${MAX_VALUES.toLocaleString("en")} values`,
            ),
          ],
        };
      const many =
        this.#aliases === 1 ? "an alias" : `${this.#aliases} aliases`;
      this.#report(
        "S07",
        first,
        `the file uses ${many}; other tools may expand them differently`,
      );
    }
    const root = this.#node(contents) as MapNode;
    return { root, problems: this.#problems, anchors: this.#anchorsAndAliases };
  }

  #report(code: string, offset: number, message: string, length = 1): void {
    this.#problems.push(yamlProblem(code, offset, message, length));
  }

  /**
   * Collects anchors and aliases, and returns the offset of the first alias. An
   * alias refers to the nearest preceding anchor with the same name.
   */
  #collect(node: YamlNode): number | undefined {
    let first: number | undefined;
    const visit = (value: unknown, depth: number): void => {
      if (depth > MAX_DEPTH) this.#isTooDeep = true;
      if (this.#isTooDeep) return;
      if (isAlias(value)) {
        first ??= value.range?.[0] ?? 0;
        this.#aliases++;
        this.#anchorsAndAliases.push({
          name: value.source,
          isAlias: true,
          range: rangeOf(value),
        });
        const target = this.#anchored.get(value.source);
        if (target === undefined)
          this.#unresolvedAlias ??= value.range?.[0] ?? 0;
        else this.#targets.set(value, target);
        return;
      }
      const yamlNode = value as YamlNode & { anchor?: string };
      if (yamlNode?.anchor !== undefined)
        this.#addAnchor(yamlNode.anchor, yamlNode);
      if (isMap(value)) {
        for (const { key, value: member } of value.items) {
          visit(key, depth + 1);
          visit(member, depth + 1);
        }
      } else if (isSeq(value))
        for (const item of value.items) visit(item, depth + 1);
    };
    visit(node, 0);
    return first;
  }

  #addAnchor(name: string, node: YamlNode): void {
    this.#anchored.set(name, node);
    const { start, end } = rangeOf(node);
    const at = this.#text.lastIndexOf(`&${name}`, start);
    this.#anchorsAndAliases.push({
      name,
      isAlias: false,
      range: { start: at < 0 ? start : at, end },
    });
  }

  readonly #targets = new Map<Alias, YamlNode>();

  /**
   * Returns the number of values in a node after the expansion of aliases;
   * Infinity if aliases form a cycle.
   */
  #expandedSize(node: unknown): number {
    if (isAlias(node)) return this.#expandedSize(this.#targets.get(node));
    if (!isMap(node) && !isSeq(node)) return 1;
    const known = this.#sizes.get(node);
    if (known !== undefined) return known;
    this.#sizes.set(node, Infinity);
    let size = 1;
    for (const item of node.items as unknown[])
      size += isMap(node)
        ? this.#expandedSize((item as Pair).value)
        : this.#expandedSize(item);
    this.#sizes.set(node, size);
    return size;
  }

  #node(node: YamlNode): Node {
    const known = this.#nodes.get(node);
    if (known !== undefined) return known;
    const converted = this.#convert(node);
    this.#nodes.set(node, converted);
    return converted;
  }

  #convert(node: YamlNode): Node {
    this.#reportCustomTag(node);
    if (isMap(node)) return this.#map(node);
    if (isSeq(node)) return this.#list(node);
    return this.#scalar(node as Scalar);
  }

  #map(map: YAMLMap): MapNode {
    const entries = (map.items as Pair[]).flatMap((pair) => this.#entry(pair));
    return {
      kind: "map",
      range: rangeOf(map),
      entries,
      isFlow: map.flow === true,
    };
  }

  #list(list: YAMLSeq): Node {
    return {
      kind: "list",
      range: rangeOf(list),
      items: (list.items as YamlNode[]).map((item) => this.#resolve(item)),
      isFlow: list.flow === true,
    };
  }

  /**
   * Converts a YAML node. For an alias, returns the node to which it refers.
   */
  #resolve(node: YamlNode | null): Node {
    if (node === null) return emptyScalar({ start: 0, end: 0 });
    if (!isAlias(node)) return this.#node(node);
    const target = this.#targets.get(node);
    return target === undefined
      ? emptyScalar(rangeOf(node))
      : this.#node(target);
  }

  #entry({ key, value }: Pair): Entry[] {
    const keyNode = key as Scalar;
    const keyRange = rangeOf(keyNode);
    if (!isScalar(keyNode) || typeof keyNode.value !== "string") {
      this.#report(
        "S11",
        keyRange.start,
        "the key must be text; put it in quotes",
        keyRange.end - keyRange.start,
      );
      return [];
    }
    if (keyNode.value === "<<" && keyNode.type === "PLAIN")
      return this.#mergedEntries(value as YamlNode);
    const target =
      value === null
        ? emptyScalar({ start: keyRange.end, end: keyRange.end })
        : this.#resolve(value as YamlNode);
    const entry = { key: keyNode.value, keyRange, value: target };
    return [isAlias(value) ? { ...entry, aliasRange: rangeOf(value) } : entry];
  }

  /** Returns the entries that a merge key (`<<`) adds. */
  #mergedEntries(value: YamlNode): Entry[] {
    const sources = isSeq(value) ? (value.items as YamlNode[]) : [value];
    return sources.flatMap((source) => {
      const node = this.#resolve(source);
      if (node.kind !== "map") return [];
      return node.entries.map((entry) => ({
        ...entry,
        aliasAt: rangeOf(source),
        isMerged: true as const,
      }));
    });
  }

  #scalar(node: Scalar): Node {
    const range = rangeOf(node);
    const { value } = node;
    const isPlain = node.type === "PLAIN" || node.type === undefined;
    const isSimple =
      typeof value === "string" ||
      typeof value === "number" ||
      typeof value === "boolean" ||
      value === null;
    return {
      kind: "scalar",
      range,
      value: isSimple ? value : String(value),
      isPlain,
      text: isPlain ? this.#text.slice(range.start, range.end) : String(value),
    };
  }

  /** Reports a tag that the YAML specification does not define. */
  #reportCustomTag(node: YamlNode): void {
    const { tag } = node;
    if (tag === undefined || tag.startsWith("tag:yaml.org,2002:")) return;
    const { start } = rangeOf(node);
    const at = this.#text.lastIndexOf("!", start);
    this.#report(
      "S11",
      at < 0 ? start : at,
      "the tag is not a standard YAML tag",
    );
  }
}

function emptyScalar(range: Range): Node {
  return { kind: "scalar", range, value: null, isPlain: true, text: "" };
}

/** Returns the range of a node in the text. */
function rangeOf(node: YamlNode): Range {
  const [start, end] = node.range ?? [0, 0];
  return { start, end };
}
