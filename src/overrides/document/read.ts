import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  parseDocument,
  type Alias,
  type Document,
  type Node as YamlNode,
  type Pair,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import { readFast } from "./fast.js";
import { meaningOf } from "./syntax.js";
import type { Entry, MapNode, Node, Range } from "./tree.js";

/** Something about the YAML itself, before any property is looked at. */
export interface Trouble {
  readonly code: string;
  readonly offset: number;
  /** Length of what is meant; 1 where that is a point. */
  readonly length: number;
  readonly message: string;
}

/** What came of reading a text. */
export interface Read {
  /** Absent where the trouble leaves nothing to look at. */
  readonly root?: MapNode;
  readonly troubles: readonly Trouble[];
  /** Anchors and aliases, in the order of the file. */
  readonly names?: readonly SharedName[];
}

/** An anchor, or an alias that means it. */
export interface SharedName {
  readonly name: string;
  readonly isAlias: boolean;
  /** The alias, or the anchor with its value. */
  readonly range: Range;
}

/** Values that aliases may make of a file at most. */
const MOST_VALUES = 100_000;

/** Reads YAML into a tree; aliases and merge keys are followed, up to a limit. */
export function readYaml(text: string): Read {
  const root = readFast(text);
  return root === undefined ? readAnyYaml(text) : { root, troubles: [] };
}

/** Reads all of YAML, with a place for what is wrong. */
export function readAnyYaml(text: string): Read {
  let document: Document;
  try {
    document = parseDocument(text, {
      prettyErrors: false,
      uniqueKeys: false,
      stringKeys: false,
      logLevel: "error",
    });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { troubles: [trouble("S02", 0, "values are nested too deep")] };
  }
  const stop = syntaxTrouble(document, text);
  if (stop !== undefined) return { troubles: [stop] };
  return new Reader(text).read(document);
}

function trouble(
  code: string,
  offset: number,
  message: string,
  length = 1,
): Trouble {
  return { code, offset, length, message };
}

function syntaxTrouble(document: Document, text: string): Trouble | undefined {
  const error = document.errors
    .filter(({ code }) => code !== "DUPLICATE_KEY")
    .sort((a, b) => a.pos[0] - b.pos[0])[0];
  if (error !== undefined) {
    if (error.code === "MULTIPLE_DOCS")
      return trouble(
        "S04",
        separatorAt(text, error.pos[0]),
        "another document begins here; the control tool reads one",
      );
    const [at] = error.pos;
    return trouble("S02", Math.min(at, text.length), meaningOf(error.code));
  }
  const { contents } = document;
  if (contents === null || (isScalar(contents) && contents.value === null))
    return trouble("S03", 0, "the file holds no settings");
  if (!isMap(contents))
    return trouble(
      "S06",
      contents.range?.[0] ?? 0,
      "the file holds no keys at the top, but a list or a single value",
    );
  return undefined;
}

/** The marker between two documents, at or after an offset. */
function separatorAt(text: string, offset: number): number {
  const before = text.lastIndexOf("\n---", offset + 1);
  return before < 0 ? offset : before + 1;
}

class Reader {
  readonly #text: string;
  readonly #troubles: Trouble[] = [];
  readonly #nodes = new Map<YamlNode, Node>();
  readonly #sizes = new Map<YamlNode, number>();
  readonly #anchors = new Map<string, YamlNode>();
  readonly #names: SharedName[] = [];
  #aliases = 0;
  /** The first alias that means nothing. */
  #lost: number | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  read(document: Document): Read {
    const contents = document.contents as YAMLMap;
    const first = this.#collect(contents);
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
    const visit = (value: unknown): void => {
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
          visit(key);
          visit(member);
        }
      } else if (isSeq(value)) for (const item of value.items) visit(item);
    };
    visit(node);
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
