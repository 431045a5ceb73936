/* eslint-disable */
// biome-ignore-all lint: generated

import {
  ANY_BUT_LINE_ENDS,
  CLASSES,
  invert,
  single,
  type UnitRanges,
} from "./unit-ranges.js";

/** Node of a pattern's syntax tree. */
export type PatternNode =
  /** Node that matches one character of a set (UTF-16 code units). */
  | { readonly kind: "set"; readonly ranges: UnitRanges }
  /** Node that matches the start or end of the text. */
  | { readonly kind: "edge"; readonly atEnd: boolean }
  | { readonly kind: "sequence"; readonly of: readonly PatternNode[] }
  | { readonly kind: "alternation"; readonly of: readonly PatternNode[] }
  | {
      readonly kind: "repeat";
      readonly of: PatternNode;
      readonly min: number;
      readonly max: number;
    };

/**
 * Maximum nesting depth of a pattern. Patterns in published API descriptions
 * have a much lower depth.
 */
const MAX_DEPTH = 50;

/**
 * Parses the subset of regular expressions that occurs in API descriptions: no
 * back references, lookaround, word boundaries or Unicode properties.
 *
 * @returns undefined for any other pattern.
 */
export function parsePattern(pattern: string): PatternNode | undefined {
  try {
    new RegExp(pattern);
    const parser = new PatternParser(pattern);
    const node = parser.alternation(0);
    return parser.isDone ? node : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Recursive-descent parser for patterns. Throws an error for unsupported
 * syntax.
 */
class PatternParser {
  #at = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  get isDone(): boolean {
    return this.#at === this.#text.length;
  }

  alternation(depth: number): PatternNode {
    if (depth > MAX_DEPTH) throw new SyntaxError("nested too deeply");
    const of = [this.#sequence(depth)];
    while (this.#take("|")) of.push(this.#sequence(depth));
    return of.length === 1 ? of[0]! : { kind: "alternation", of };
  }

  #sequence(depth: number): PatternNode {
    const of: PatternNode[] = [];
    while (!this.isDone && !/[|)]/.test(this.#peek()))
      of.push(this.#repeated(this.#atom(depth)));
    return of.length === 1 ? of[0]! : { kind: "sequence", of };
  }

  #atom(depth: number): PatternNode {
    if (this.#take("(")) {
      if (this.#take("?") && !this.#take(":"))
        throw new SyntaxError("unsupported group");
      const inner = this.alternation(depth + 1);
      if (!this.#take(")")) throw new SyntaxError("unclosed group");
      return inner;
    }
    if (this.#take("^")) return { kind: "edge", atEnd: false };
    if (this.#take("$")) return { kind: "edge", atEnd: true };
    if (this.#take(".")) return { kind: "set", ranges: ANY_BUT_LINE_ENDS };
    if (this.#take("[")) return { kind: "set", ranges: this.#bracket() };
    if (/[*+?{}\])]/.test(this.#peek()))
      throw new SyntaxError("unexpected character");
    return { kind: "set", ranges: this.#character() };
  }

  #repeated(of: PatternNode): PatternNode {
    const [min, max] = this.#repetition();
    if (min === 1 && max === 1) return of;
    this.#take("?");
    if (of.kind === "edge") throw new SyntaxError("nothing to repeat");
    return { kind: "repeat", of, min, max };
  }

  #repetition(): readonly [min: number, max: number] {
    if (this.#take("*")) return [0, Infinity];
    if (this.#take("+")) return [1, Infinity];
    if (this.#take("?")) return [0, 1];
    const match = /^\{(\d+)(?:(,)(\d*))?\}/.exec(this.#text.slice(this.#at));
    if (match === null) return [1, 1];
    this.#at += match[0].length;
    const min = Number(match[1]);
    if (match[2] === undefined) return [min, min];
    return [min, match[3] === "" ? Infinity : Number(match[3])];
  }

  #bracket(): UnitRanges {
    const isInverted = this.#take("^");
    const ranges: UnitRanges[number][] = [];
    while (!this.#take("]")) ranges.push(...this.#members());
    return isInverted ? invert(ranges) : ranges;
  }

  /**
   * Parses one element of a bracket expression: a character, a character class,
   * or a range.
   */
  #members(): UnitRanges {
    const low = this.#character();
    const isRange = this.#peek() === "-" && this.#text[this.#at + 1] !== "]";
    if (!isRange || !isSingle(low)) return low;
    this.#at++;
    const high = this.#character();
    return isSingle(high)
      ? [[low[0]![0], high[0]![1]]]
      : [...low, ...single("-"), ...high];
  }

  /** Parses a character or an escape sequence. */
  #character(): UnitRanges {
    const character = this.#next();
    if (character !== "\\") return single(character);
    const escaped = this.#next();
    const known = CLASSES.get(escaped) ?? CONTROLS.get(escaped);
    if (known !== undefined) return known;
    if (/[A-Za-z0-9]/.test(escaped))
      throw new SyntaxError("unsupported escape");
    return single(escaped);
  }

  #peek(): string {
    return this.#text[this.#at] ?? "";
  }

  #next(): string {
    if (this.isDone) throw new SyntaxError("unexpected end");
    return this.#text[this.#at++]!;
  }

  #take(text: string): boolean {
    const isNext = this.#text.startsWith(text, this.#at);
    if (isNext) this.#at += text.length;
    return isNext;
  }
}

function isSingle([first, ...others]: UnitRanges): boolean {
  return others.length === 0 && first !== undefined && first[0] === first[1];
}

const CONTROLS: ReadonlyMap<string, UnitRanges> = new Map(
  ["t\t", "n\n", "v\v", "f\f", "r\r"].map((pair) => [
    pair[0]!,
    single(pair[1]!),
  ]),
);
