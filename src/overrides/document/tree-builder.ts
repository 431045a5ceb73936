// Longer than other files: reading a value is one recursion over its forms.

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
import { meaningOf } from "./syntax-messages.js";
import {
  trouble,
  type Read,
  type SharedName,
  type Trouble,
} from "./parsed-yaml.js";
import type { Entry, MapNode, Node, Range } from "./tree.js";

/** Values that aliases may make of a file at most. */
const MOST_VALUES = 100_000;

/** Blocks within blocks at most; a settings file has about ten. */
const MOST_DEPTH = 200;

/** Nobody can read that, and no stack is endless. */
export function tooDeep(): Trouble {
  return trouble("S02", 0, "values are nested too deep");
}

/** Makes a tree of what the YAML reader made; aliases and merge keys are followed. */
export class Reader {
  readonly #text: string;
  readonly #troubles: Trouble[] = [];
  readonly #nodes = new Map<YamlNode, Node>();
  readonly #sizes = new Map<YamlNode, number>();
  readonly #anchors = new Map<string, YamlNode>();
  readonly #names: SharedName[] = [];
  #aliases = 0;
  #isTooDeep = false;
  /** The first alias that means nothing. */
  #lost: number | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  read(document: Document): Read {
    const contents = document.contents as YAMLMap;
    const first = this.#collect(contents);
    if (this.#isTooDeep) return { troubles: [tooDeep()] };
    const lost = this.#lost;
    if (lost !== undefined)
      return { troubles: [trouble("S02", lost, meaningOf("BAD_ALIAS"))] };
    if (first !== undefined) {
      if (this.#sizeOf(contents) > MOST_VALUES)
        return {
          troubles: [
            trouble(
              "S07",
              first,
              `aliases make more than ${MOST_VALUES.toLocaleString("en")} values of this file`,
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
    return { root, troubles: this.#troubles, names: this.#names };
  }

  #report(code: string, offset: number, message: string, length = 1): void {
    this.#troubles.push(trouble(code, offset, message, length));
  }

  /** Notes anchors; the offset of the first alias. An alias means the anchor last above it. */
  #collect(node: YamlNode): number | undefined {
    let first: number | undefined;
    const visit = (value: unknown, depth: number): void => {
      if (depth > MOST_DEPTH) this.#isTooDeep = true;
      if (this.#isTooDeep) return;
      if (isAlias(value)) {
        first ??= value.range?.[0] ?? 0;
        this.#aliases++;
        this.#names.push({
          name: value.source,
          isAlias: true,
          range: rangeOf(value),
        });
        const target = this.#anchors.get(value.source);
        if (target === undefined) this.#lost ??= value.range?.[0] ?? 0;
        else this.#targets.set(value, target);
        return;
      }
      const own = value as YamlNode & { anchor?: string };
      if (own?.anchor !== undefined) this.#noteAnchor(own.anchor, own);
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

  #noteAnchor(name: string, node: YamlNode): void {
    this.#anchors.set(name, node);
    const { start, end } = rangeOf(node);
    const at = this.#text.lastIndexOf(`&${name}`, start);
    this.#names.push({
      name,
      isAlias: false,
      range: { start: at < 0 ? start : at, end },
    });
  }

  readonly #targets = new Map<Alias, YamlNode>();

  /** How many values a node is when aliases are followed; endless for a loop. */
  #sizeOf(node: unknown): number {
    if (isAlias(node)) return this.#sizeOf(this.#targets.get(node));
    if (!isMap(node) && !isSeq(node)) return 1;
    const known = this.#sizes.get(node);
    if (known !== undefined) return known;
    this.#sizes.set(node, Infinity);
    let size = 1;
    for (const item of node.items as unknown[])
      size += isMap(node)
        ? this.#sizeOf((item as Pair).value)
        : this.#sizeOf(item);
    this.#sizes.set(node, size);
    return size;
  }

  #node(node: YamlNode): Node {
    const known = this.#nodes.get(node);
    if (known !== undefined) return known;
    const made = this.#make(node);
    this.#nodes.set(node, made);
    return made;
  }

  #make(node: YamlNode): Node {
    this.#refuseTag(node);
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
      items: (list.items as YamlNode[]).map((item) => this.#follow(item)),
      isFlow: list.flow === true,
    };
  }

  /** The node that an alias means, or the node itself. */
  #follow(node: YamlNode | null): Node {
    if (node === null) return nothing({ start: 0, end: 0 });
    if (!isAlias(node)) return this.#node(node);
    const target = this.#targets.get(node);
    return target === undefined ? nothing(rangeOf(node)) : this.#node(target);
  }

  #entry({ key, value }: Pair): Entry[] {
    const keyNode = key as Scalar;
    const keyRange = rangeOf(keyNode);
    if (!isScalar(keyNode) || typeof keyNode.value !== "string") {
      this.#report(
        "S11",
        keyRange.start,
        "the key is not text; put it in quotes",
        keyRange.end - keyRange.start,
      );
      return [];
    }
    if (keyNode.value === "<<" && keyNode.type === "PLAIN")
      return this.#merged(value as YamlNode);
    const target =
      value === null
        ? nothing({ start: keyRange.end, end: keyRange.end })
        : this.#follow(value as YamlNode);
    const entry = { key: keyNode.value, keyRange, value: target };
    return [isAlias(value) ? { ...entry, aliasAt: rangeOf(value) } : entry];
  }

  /** What a merge key brings in. */
  #merged(value: YamlNode): Entry[] {
    const sources = isSeq(value) ? (value.items as YamlNode[]) : [value];
    return sources.flatMap((source) => {
      const node = this.#follow(source);
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

  /** YAML's own tags are fine. */
  #refuseTag(node: YamlNode): void {
    const { tag } = node;
    if (tag === undefined || tag.startsWith("tag:yaml.org,2002:")) return;
    const { start } = rangeOf(node);
    const at = this.#text.lastIndexOf("!", start);
    this.#report("S11", at < 0 ? start : at, "the tag is not one of YAML's");
  }
}

function nothing(range: Range): Node {
  return { kind: "scalar", range, value: null, isPlain: true, text: "" };
}

/** From the first character of a node to the last one; a block ends with its last line. */
function rangeOf(node: YamlNode): Range {
  const [start, end] = node.range ?? [0, 0];
  return { start, end };
}
