/** A piece of a pattern. */
export type Piece =
  /** One character (UTF-16 unit) for which the test holds. */
  | { readonly kind: "set"; readonly has: (unit: number) => boolean }
  /** The start or the end of the text. */
  | { readonly kind: "edge"; readonly atEnd: boolean }
  | { readonly kind: "row"; readonly of: readonly Piece[] }
  | { readonly kind: "either"; readonly of: readonly Piece[] }
  | {
      readonly kind: "times";
      readonly of: Piece;
      readonly min: number;
      readonly max: number;
    };

type Has = (unit: number) => boolean;

/** Repetitions of more are refused: each one costs memory. */
const MAX_TIMES = 1000;

/** Nesting of more is refused: nobody writes that. */
const MAX_DEPTH = 50;

/**
 * Reads a regular expression as far as patterns of descriptions go: no
 * references, no looking around, no word boundaries, no properties.
 *
 * @returns undefined for anything else.
 */
export function parsePattern(pattern: string): Piece | undefined {
  try {
    new RegExp(pattern);
    const reader = new Reader(pattern);
    const piece = reader.choice(0);
    return reader.isDone ? piece : undefined;
  } catch {
    return undefined;
  }
}

/** Reads a pattern from left to right; throws for what it does not know. */
class Reader {
  #at = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  get isDone(): boolean {
    return this.#at === this.#text.length;
  }

  choice(depth: number): Piece {
    if (depth > MAX_DEPTH) throw new SyntaxError("nested too deep");
    const of = [this.#row(depth)];
    while (this.#take("|")) of.push(this.#row(depth));
    return of.length === 1 ? of[0]! : { kind: "either", of };
  }

  #row(depth: number): Piece {
    const of: Piece[] = [];
    while (!this.isDone && !/[|)]/.test(this.#peek()))
      of.push(this.#repeated(this.#atom(depth)));
    return of.length === 1 ? of[0]! : { kind: "row", of };
  }

  #atom(depth: number): Piece {
    if (this.#take("(")) {
      if (this.#take("?") && !this.#take(":")) throw new SyntaxError("group");
      const inner = this.choice(depth + 1);
      if (!this.#take(")")) throw new SyntaxError("no end of a group");
      return inner;
    }
    if (this.#take("^")) return { kind: "edge", atEnd: false };
    if (this.#take("$")) return { kind: "edge", atEnd: true };
    if (this.#take(".")) return { kind: "set", has: not(lineEnd) };
    if (this.#take("[")) return { kind: "set", has: this.#bracket() };
    return { kind: "set", has: this.#character(false) };
  }

  #repeated(of: Piece): Piece {
    const [min, max] = this.#times();
    if (min === 1 && max === 1) return of;
    this.#take("?");
    const bound = max === Infinity ? min : max;
    if (bound > MAX_TIMES || of.kind === "edge") throw new SyntaxError("times");
    return { kind: "times", of, min, max };
  }

  #times(): readonly [min: number, max: number] {
    if (this.#take("*")) return [0, Infinity];
    if (this.#take("+")) return [1, Infinity];
    if (this.#take("?")) return [0, 1];
    const match = /^\{(\d+)(,?)(\d*)\}/.exec(this.#text.slice(this.#at));
    if (match === null) return [1, 1];
    this.#at += match[0].length;
    const min = Number(match[1]);
    if (match[2] === "") return [min, min];
    return [min, match[3] === "" ? Infinity : Number(match[3])];
  }

  #bracket(): Has {
    const isNegated = this.#take("^");
    const sets: Has[] = [];
    while (!this.#take("]")) sets.push(this.#range());
    const has: Has = (unit) => sets.some((set) => set(unit));
    return isNegated ? not(has) : has;
  }

  #range(): Has {
    const from = this.#peek();
    const first = this.#character(true);
    const rest = this.#text.slice(this.#at, this.#at + 2);
    if (rest[0] !== "-" || rest[1] === "]" || rest.length < 2) return first;
    if (from === "\\") {
      if (/[dDwWsS]/.test(this.#text[this.#at - 1]!)) return first;
    }
    const low = lowest(first);
    this.#at++;
    if (this.#peek() === "[") return between(low, this.#next());
    const last = this.#character(true);
    return between(low, lowest(last));
  }

  /** A character, or what stands behind a backslash. */
  #character(inBracket: boolean): Has {
    const unit = this.#next();
    if (unit !== 92) {
      if (!inBracket && /[*+?{}\])]/.test(String.fromCharCode(unit)))
        throw new SyntaxError("misplaced");
      return (other) => other === unit;
    }
    const escaped = String.fromCharCode(this.#next());
    const known = CLASSES[escaped] ?? CONTROLS[escaped];
    if (known !== undefined) return known;
    if (/[A-Za-z0-9]/.test(escaped)) throw new SyntaxError("escape");
    const code = escaped.charCodeAt(0);
    return (other) => other === code;
  }

  #peek(): string {
    return this.#text[this.#at] ?? "";
  }

  #next(): number {
    if (this.isDone) throw new SyntaxError("ends early");
    return this.#text.charCodeAt(this.#at++);
  }

  #take(text: string): boolean {
    const isNext = this.#text.startsWith(text, this.#at);
    if (isNext) this.#at += text.length;
    return isNext;
  }
}

const lineEnd: Has = (unit) =>
  unit === 10 || unit === 13 || unit === 0x2028 || unit === 0x2029;

function not(has: Has): Has {
  return (unit) => !has(unit);
}

function between(low: number, high: number): Has {
  return (unit) => unit >= low && unit <= high;
}

/** The only unit of a set of one. */
function lowest(has: Has): number {
  for (let unit = 0; unit < 0x10000; unit++) if (has(unit)) return unit;
  return 0;
}

function byExpression(expression: RegExp): Has {
  return (unit) => expression.test(String.fromCharCode(unit));
}

const CLASSES: Readonly<Record<string, Has>> = {
  d: between(48, 57),
  D: not(between(48, 57)),
  w: byExpression(/\w/),
  W: byExpression(/\W/),
  s: byExpression(/\s/),
  S: byExpression(/\S/),
};

const CONTROLS: Readonly<Record<string, Has>> = {
  t: between(9, 9),
  n: between(10, 10),
  v: between(11, 11),
  f: between(12, 12),
  r: between(13, 13),
};
