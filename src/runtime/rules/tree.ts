/** Range of characters in the source text of a file; `end` is exclusive. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Entry of a map, with key and value. */
export interface Entry {
  readonly key: string;
  readonly keyRange: Range;
  readonly value: Node;
  /** True if a merge key (`<<` in YAML) added the entry. */
  readonly isMerged?: true;
}

/** Map with its entries in file order. A key can occur several times. */
export interface MapNode {
  readonly kind: "map";
  readonly range: Range;
  readonly entries: readonly Entry[];
}

/** List with its elements in file order. */
interface ListNode {
  readonly kind: "list";
  readonly range: Range;
  readonly items: readonly Node[];
}

/** String, number, boolean or null. */
export interface ScalarNode {
  readonly kind: "scalar";
  readonly range: Range;
  readonly value: string | number | boolean | null;
  /**
   * True if the scalar is unquoted and on the line of its key; false if it is
   * quoted or a block scalar.
   */
  readonly isPlain: boolean;
  /** Source text of the scalar, without quotes. */
  readonly text: string;
}

/** Node of a file's tree. */
export type Node = MapNode | ListNode | ScalarNode;

/** Range of all nodes of a value without source text. */
export const NOWHERE: Range = { start: 0, end: 0 };

/** Maximum nesting depth of a value. */
const MAX_DEPTH = 200;

/** Maximum number of objects, lists and scalars in a value. */
const MAX_VALUES = 100_000;

/**
 * Converts a value, such as the result of a YAML parser, to a tree. Throws a
 * RangeError for a value that is cyclic, too large, or nested too deeply.
 */
export function toTree(value: unknown): Node {
  let count = 0;
  const convert = (current: unknown, depth: number): Node => {
    if (depth > MAX_DEPTH || ++count > MAX_VALUES) throw new RangeError();
    const range = NOWHERE;
    if (Array.isArray(current)) {
      const items = current.map((item) => convert(item, depth + 1));
      return { kind: "list", range, items };
    }
    if (
      typeof current !== "object" ||
      current === null ||
      current instanceof Date
    )
      return toScalar(current);
    const entries = Object.entries(current)
      .filter(([, member]) => member !== undefined)
      .map(([key, member]) => ({
        key,
        keyRange: NOWHERE,
        value: convert(member, depth + 1),
      }));
    return { kind: "map", range, entries };
  };
  return convert(value, 0);
}

function toScalar(value: unknown): ScalarNode {
  const isScalar =
    typeof value === "string" ||
    typeof value === "number" ||
    typeof value === "boolean";
  const text = value === null || value === undefined ? "" : String(value);
  return {
    kind: "scalar",
    range: NOWHERE,
    value: isScalar ? value : text === "" ? null : text,
    isPlain: true,
    text,
  };
}

/** Tests whether a value is null, such as `key:` or `key: null` in YAML. */
export function isNull(node: Node): boolean {
  return node.kind === "scalar" && node.value === null;
}

/** Tests whether a value is an empty string or consists of white space. */
export function isBlank(node: Node): boolean {
  return (
    node.kind === "scalar" &&
    typeof node.value === "string" &&
    node.value.trim() === ""
  );
}
