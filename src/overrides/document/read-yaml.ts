import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Alias,
  type Node as YamlNode,
  type Pair,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import {
  composeYaml,
  YamlSyntaxError,
} from "../../diagnostics/yaml-document.js";
import {
  yamlProblem,
  type AnchorOrAlias,
  type Entry,
  type MapNode,
  type Node,
  type ParsedYaml,
  type Range,
  type YamlProblem,
} from "./tree.js";

/** Maximum number of values after the expansion of aliases. */
const MAX_VALUES = 100_000;

/** Maximum nesting depth. Published overrides files have about ten levels. */
const MAX_DEPTH = 200;

const TOO_DEEP = yamlProblem("S02", 0, "values are nested too deeply");

/** Parses YAML into a tree. Resolves aliases and merge keys up to a limit. */
export function readYaml(text: string): ParsedYaml {
  try {
    const parsed = topLevelMap(composeYaml(text).document.contents);
    return isMap(parsed)
      ? new TreeBuilder(text).build(parsed)
      : { problems: [parsed] };
  } catch (error) {
    if (error instanceof YamlSyntaxError)
      return { problems: [problemOf(error, text.length)] };
    // Deeply nested text overflows the stack.
    if (error instanceof RangeError) return { problems: [TOO_DEEP] };
    throw error;
  }
}

function problemOf(
  { code, offset }: YamlSyntaxError,
  length: number,
): YamlProblem {
  return code === "MULTIPLE_DOCS"
    ? yamlProblem(
        "S04",
        offset,
        "a second document begins here; apigeectl reads only the first one",
      )
    : yamlProblem(
        "S02",
        Math.min(offset, length),
        MESSAGES[code] ?? "the text is not valid YAML",
      );
}

function topLevelMap(contents: unknown): YAMLMap | YamlProblem {
  if (isMap(contents)) return contents;
  if (contents === null || (isScalar(contents) && contents.value === null))
    return yamlProblem("S03", 0, "the file has no settings");
  return yamlProblem(
    "S06",
    (contents as YamlNode).range?.[0] ?? 0,
    "the top level must be a block of keys, not a list or a single value",
  );
}

/**
 * Messages, keyed by the error codes of the YAML library. They replace the
 * library's own messages, which quote the file and so can contain passwords.
 */
const MESSAGES: Readonly<Record<string, string>> = {
  ALIAS_PROPS: "an alias must not have an anchor or a tag",
  BAD_ALIAS: "the alias refers to an anchor that is not defined above it",
  BAD_COLLECTION_TYPE: "the tag does not match the value",
  BAD_DIRECTIVE: "the directive is not valid in YAML",
  BAD_DQ_ESCAPE: "the escape sequence is not valid in YAML",
  BAD_INDENT: "the indentation does not match the lines above",
  BAD_PROP_ORDER: "an anchor or tag is in the wrong position",
  BAD_SCALAR_START: "text that begins with this character must be quoted",
  BLOCK_AS_IMPLICIT_KEY:
    "a block can't begin here; a line break or a quote is missing",
  BLOCK_IN_FLOW: "a block is not allowed within brackets",
  IMPOSSIBLE: "the text is not valid YAML",
  KEY_OVER_1024_CHARS: "the key is longer than 1,024 characters",
  MISSING_CHAR:
    "a character is missing: a colon, a quote, a bracket or a comma",
  MULTILINE_IMPLICIT_KEY:
    "the key spans several lines; the colon after it is missing, or the indentation is wrong",
  MULTIPLE_ANCHORS: "a value can have only one anchor",
  MULTIPLE_TAGS: "a value can have only one tag",
  NON_STRING_KEY: "the key must be text",
  RESOURCE_EXHAUSTION: "values are nested too deeply",
  TAB_AS_INDENT: "a tab is used for indentation; YAML allows only spaces",
  TAG_RESOLVE_FAILED: "the tag does not match the value",
  UNEXPECTED_TOKEN:
    "unexpected text; a quote or indentation may be missing in the lines above",
};

/**
 * Class that builds a tree from the nodes of the YAML library. It resolves
 * aliases and merge keys.
 */
class TreeBuilder {
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

  build(contents: YAMLMap): ParsedYaml {
    const first = this.#collect(contents);
    if (this.#isTooDeep) return { problems: [TOO_DEEP] };
    const unresolved = this.#unresolvedAlias;
    if (unresolved !== undefined)
      return {
        problems: [yamlProblem("S02", unresolved, MESSAGES["BAD_ALIAS"]!)],
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
