import {
  ANY_BUT_LINE_ENDS,
  CLASSES,
  invert,
  single,
  type Ranges,
} from "./ranges.js";

/** A regular expression, as far as its running time can be judged. */
export type Node =
  | { readonly kind: "set"; readonly ranges: Ranges }
  | { readonly kind: "sequence" | "choice"; readonly nodes: readonly Node[] }
  | {
      readonly kind: "repeat";
      readonly node: Node;
      readonly min: number;
      readonly max: number;
    };

/** Groups within groups; real patterns have three. */
const MAX_DEPTH = 50;

/**
 * Reads the part of a pattern between its anchors; undefined for what it does
 * not know: assertions, references, Unicode classes, bad syntax.
 */
export function parsePattern(source: string): Node | undefined {
  const parser = new Parser(source);
  try {
    const node = parser.choice(0);
    return parser.isAtEnd && (node.kind !== "choice" || !parser.isOpenChoice)
      ? node
      : undefined;
  } catch (error) {
    if (error instanceof Unknown) return undefined;
    throw error;
  }
}

class Unknown extends Error {}

const QUANTIFIER = /[*+?]|\{(\d+)(,(\d*))?\}/y;

/** A place in the pattern, and the rules of the grammar. */
class Parser {
  #at = 0;
  /** Whether the outermost level has a choice: anchors would bind to its ends. */
  isOpenChoice = false;

  constructor(private readonly source: string) {}

  get isAtEnd(): boolean {
    return this.#at === this.source.length;
  }

  choice(depth: number): Node {
    if (depth > MAX_DEPTH) throw new Unknown();
    const nodes = [this.#sequence(depth)];
    while (this.#skip("|")) nodes.push(this.#sequence(depth));
    if (nodes.length > 1 && depth === 0) this.isOpenChoice = true;
    return nodes.length === 1 ? nodes[0]! : { kind: "choice", nodes };
  }

  #sequence(depth: number): Node {
    const nodes: Node[] = [];
    while (!this.isAtEnd && !"|)".includes(this.source[this.#at]!))
      nodes.push(this.#quantified(this.#atom(depth)));
    return nodes.length === 1 ? nodes[0]! : { kind: "sequence", nodes };
  }

  #quantified(node: Node): Node {
    QUANTIFIER.lastIndex = this.#at;
    const match = QUANTIFIER.exec(this.source);
    if (match === null) return node;
    this.#at += match[0].length;
    this.#skip("?");
    const [sign, low, comma, high] = match;
    if (low === undefined)
      return {
        kind: "repeat",
        node,
        min: sign === "+" ? 1 : 0,
        max: sign === "?" ? 1 : Infinity,
      };
    const min = Number(low);
    if (comma === undefined) return { kind: "repeat", node, min, max: min };
    const max = high === "" ? Infinity : Number(high);
    return { kind: "repeat", node, min, max };
  }

  #atom(depth: number): Node {
    const character = this.#next();
    if (character === "(") return this.#group(depth);
    if (character === "[") return { kind: "set", ranges: this.#class() };
    if (character === ".") return { kind: "set", ranges: ANY_BUT_LINE_ENDS };
    if (character === "\\") return { kind: "set", ranges: this.#escape() };
    if ("^$*+?{}]".includes(character)) throw new Unknown();
    return { kind: "set", ranges: single(character) };
  }

  #group(depth: number): Node {
    if (this.#skip("?") && !this.#skip(":")) throw new Unknown();
    const node = this.choice(depth + 1);
    if (!this.#skip(")")) throw new Unknown();
    return node;
  }

  #class(): Ranges {
    const isInverted = this.#skip("^");
    const ranges: (readonly [number, number])[] = [];
    while (!this.#skip("]")) {
      const low = this.#member();
      const isRange = this.#peek(0) === "-" && this.#peek(1) !== "]";
      if (!isRange || low.length !== 1 || low[0]![0] !== low[0]![1]) {
        ranges.push(...low);
        continue;
      }
      this.#at++;
      const high = this.#member();
      if (high.length === 1) ranges.push([low[0]![0], high[0]![1]]);
      else ranges.push(...low, ...single("-"), ...high);
    }
    return isInverted ? invert(ranges) : ranges;
  }

  #member(): Ranges {
    const character = this.#next();
    return character === "\\" ? this.#escape() : single(character);
  }

  #escape(): Ranges {
    const character = this.#next();
    const known = CLASSES.get(character);
    if (known !== undefined) return known;
    const control = "tnrfv".indexOf(character);
    if (control !== -1) return single("\t\n\r\f\v"[control]!);
    if (/[\w]/.test(character)) throw new Unknown();
    return single(character);
  }

  #peek(ahead: number): string | undefined {
    return this.source[this.#at + ahead];
  }

  #next(): string {
    const character = this.source[this.#at++];
    if (character === undefined) throw new Unknown();
    return character;
  }

  #skip(character: string): boolean {
    if (this.#peek(0) !== character) return false;
    this.#at++;
    return true;
  }
}
