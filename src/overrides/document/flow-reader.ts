import { plainScalar } from "./plain-scalar.js";
import type { Entry, Node } from "./tree.js";

const QUOTED = /"([^"\\\n]*)"|'([^'\n]*)'/y;
/**
 * Pattern for plain scalars that contain no characters with a special meaning in
 * a flow collection.
 */
const PLAIN = /[A-Za-z0-9_./$+~](?:[\w./$+~@%=*-]| (?=[\w./$]))*/y;
const KEY = /(?:([A-Za-z_][\w./-]*)|"([^"\\\n]*)"|'([^'\n]*)'):(?= )/y;
const NON_STRING_KEY = /^(?:true|false|null|y|n)$/i;

const MAX_DEPTH = 50;

/**
 * Class that reads lists and maps in flow style (`[a, b]`, `{a: b}`) on one
 * line.
 */
export class FlowReader {
  readonly #text: string;
  readonly #end: number;
  #depth = 0;
  /** Offset of the first unread character. */
  at: number;

  constructor(text: string, start: number, end: number) {
    this.#text = text;
    this.#end = end;
    this.at = start;
  }

  /**
   * Reads a value. Returns undefined for syntax outside the supported subset.
   */
  read(): Node | undefined {
    if (this.#depth > MAX_DEPTH) return undefined;
    this.#depth++;
    const node = this.#read();
    this.#depth--;
    return node;
  }

  #read(): Node | undefined {
    switch (this.#text[this.at]) {
      case "[":
        return this.#list();
      case "{":
        return this.#map();
      case '"':
      case "'":
        return this.#quoted();
      default:
        return this.#plain();
    }
  }

  #list(): Node | undefined {
    const start = this.at++;
    const items: Node[] = [];
    for (;;) {
      if (this.#consume("]")) break;
      const item = this.read();
      if (item === undefined) return undefined;
      items.push(item);
      if (!this.#consumeSeparator("]")) return undefined;
    }
    return {
      kind: "list",
      range: { start, end: this.at },
      items,
      isFlow: true,
    };
  }

  #map(): Node | undefined {
    const start = this.at++;
    const entries: Entry[] = [];
    for (;;) {
      if (this.#consume("}")) break;
      const entry = this.#entry();
      if (entry === undefined) return undefined;
      entries.push(entry);
      if (!this.#consumeSeparator("}")) return undefined;
    }
    return {
      kind: "map",
      range: { start, end: this.at },
      entries,
      isFlow: true,
    };
  }

  #entry(): Entry | undefined {
    const start = this.at;
    KEY.lastIndex = start;
    const found = KEY.exec(this.#text);
    const plain = found?.[1];
    if (found === null || (plain !== undefined && NON_STRING_KEY.test(plain)))
      return undefined;
    const key = plain ?? found[2] ?? found[3]!;
    const keyRange = { start, end: KEY.lastIndex - 1 };
    this.at = KEY.lastIndex;
    this.#skipSpaces();
    const value = this.read();
    return value === undefined ? undefined : { key, keyRange, value };
  }

  /** Consumes a comma, or stops before the closing bracket. */
  #consumeSeparator(close: string): boolean {
    this.#skipSpaces();
    if (this.#text[this.at] === close) return this.at < this.#end;
    if (this.#text[this.at] !== ",") return false;
    this.at++;
    this.#skipSpaces();
    // A collection with a trailing comma is rare, so it is left to the YAML
    // library.
    return this.#text[this.at] !== close && this.at < this.#end;
  }

  #consume(close: string): boolean {
    this.#skipSpaces();
    if (this.#text[this.at] !== close) return false;
    this.at++;
    return true;
  }

  #skipSpaces(): void {
    while (this.at < this.#end && this.#text[this.at] === " ") this.at++;
  }

  #quoted(): Node | undefined {
    const start = this.at;
    QUOTED.lastIndex = start;
    const found = QUOTED.exec(this.#text);
    if (found === null) return undefined;
    this.at = QUOTED.lastIndex;
    const value = found[1] ?? found[2]!;
    const range = { start, end: this.at };
    return { kind: "scalar", range, value, isPlain: false, text: value };
  }

  #plain(): Node | undefined {
    const start = this.at;
    PLAIN.lastIndex = start;
    const found = PLAIN.exec(this.#text);
    if (found === null) return undefined;
    this.at = PLAIN.lastIndex;
    const isEnd = /[ ,\]}]/.test(this.#text[this.at] ?? "");
    return isEnd ? plainScalar(found[0], { start, end: this.at }) : undefined;
  }
}
