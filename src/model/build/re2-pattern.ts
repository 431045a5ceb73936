/** Flags of RE2 that affect which texts a pattern matches. */
interface Flags {
  /** `i`: letters match both cases. */
  readonly ignoresCase: boolean;
  /** `s`: a dot also matches line terminators. */
  readonly isDotAll: boolean;
}

/** Maximum length in characters of patterns that are converted. */
const MAX_LENGTH = 2_000;

/** Syntax of RE2 that JavaScript does not support or reads differently. */
const RE2_SYNTAX =
  /\(\?(?:P?<[A-Za-z_]|[imsU-])|\\(?:[AzQ]|x\{)|\[:\^?[a-z]+:\]/;

/** Ranges of the character classes of POSIX, as members of a set. */
const POSIX: ReadonlyMap<string, string> = new Map([
  ["alnum", "0-9A-Za-z"],
  ["alpha", "A-Za-z"],
  ["ascii", "\0-\x7f"],
  ["blank", "\\t "],
  ["cntrl", "\0-\x1f\x7f"],
  ["digit", "0-9"],
  ["graph", "!-~"],
  ["lower", "a-z"],
  ["print", " -~"],
  ["punct", "!-\\/:-@\\[-`{-~"],
  ["space", "\\t-\\r "],
  ["upper", "A-Z"],
  ["word", "0-9A-Za-z_"],
  ["xdigit", "0-9A-Fa-f"],
]);

/**
 * Returns an equal pattern of JavaScript without flags for a pattern with syntax
 * of RE2 (https://github.com/google/re2/wiki/Syntax), with which servers of
 * Google APIs check values: flags at the start or of a group, named groups,
 * `\A`, `\z`, `\Q…\E`, `\x{…}` and classes such as `[:alpha:]`. Case is ignored
 * for ASCII letters, and for others with one code unit in both cases. Returns
 * the pattern itself if it has no such syntax, or if it has no equivalent.
 */
export function javaScriptPattern(pattern: string): string {
  if (pattern.length > MAX_LENGTH || !RE2_SYNTAX.test(pattern)) return pattern;
  return new Re2Reader(pattern).convert() ?? pattern;
}

/** Error for syntax without an equivalent. */
class Unsupported extends Error {}

class Re2Reader {
  #at = 0;
  readonly #text: string;
  #flags: Flags = { ignoresCase: false, isDotAll: false };
  /** Flags outside of each open group. */
  readonly #outer: Flags[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns undefined if the pattern has no equivalent. */
  convert(): string | undefined {
    let result = "";
    try {
      while (this.#at < this.#text.length) result += this.#part();
      new RegExp(result);
      return result;
    } catch (error) {
      if (error instanceof Unsupported || error instanceof SyntaxError)
        return undefined;
      throw error;
    }
  }

  #part(): string {
    const next = this.#text[this.#at]!;
    if (next === "(") return this.#group();
    if (next === "[") return this.#set();
    if (next === "\\") return this.#escape();
    this.#at++;
    if (next === ")") this.#flags = this.#outer.pop() ?? this.#flags;
    if (next === ".") return this.#flags.isDotAll ? "[\\s\\S]" : ".";
    return /[)^$|*+?{}]/.test(next) ? next : this.#literal(next);
  }

  #group(): string {
    const named = this.#take(/\(\?P?<[A-Za-z_]\w*>/y);
    // No pattern of RE2 refers to a group, so names are omitted.
    if (named !== undefined) return this.#open("(?:");
    const flagged = this.#take(/\(\?([isU]*)(?:-([imsU]+))?([:)])/y);
    if (flagged !== undefined) {
      const [, on = "", off = "", end] = flagged;
      const opened = end === ":" ? this.#open("(?:") : "";
      this.#flags = {
        ignoresCase: flagOf("i", on, off, this.#flags.ignoresCase),
        isDotAll: flagOf("s", on, off, this.#flags.isDotAll),
      };
      return opened;
    }
    this.#at++;
    if (this.#text[this.#at] === "?") throw new Unsupported();
    return this.#open("(");
  }

  #open(text: string): string {
    this.#outer.push(this.#flags);
    return text;
  }

  #escape(): string {
    if (this.#take(/\\A/y)) return "^";
    if (this.#take(/\\z/y)) return "$";
    const quoted = this.#take(/\\Q([^]*?)(?:\\E|$)/y)?.[1];
    if (quoted !== undefined)
      return [...quoted].map((one) => this.#literal(one)).join("");
    const character = this.#escapedCharacter();
    if (character !== undefined) return this.#literal(character);
    const common = this.#take(/\\[bBdDsSwWtnvfr]/y)?.[0];
    if (common === undefined) throw new Unsupported();
    return common;
  }

  /** Reads an escape sequence for one character. */
  #escapedCharacter(): string | undefined {
    const code = this.#take(/\\x(?:\{([0-9A-Fa-f]{1,4})\}|([0-9A-Fa-f]{2}))/y);
    if (code !== undefined)
      return String.fromCharCode(parseInt(code[1] ?? code[2]!, 16));
    return this.#take(/\\([^A-Za-z0-9])/y)?.[1];
  }

  /** Reads a set such as `[^a-z[:digit:]]`. */
  #set(): string {
    let result = this.#take(/\[\^?/y)![0];
    // A bracket directly after the start is a member of the set.
    for (let isFirst = true; ; isFirst = false) {
      if (this.#at >= this.#text.length) throw new Unsupported();
      if (!isFirst && this.#take(/\]/y)) return `${result}]`;
      result += this.#members();
    }
  }

  #members(): string {
    const posix = this.#take(/\[:([a-z]+):\]/y)?.[1];
    if (posix !== undefined) return this.#posix(posix);
    const known = this.#take(/\\[dDsSwW]/y)?.[0];
    if (known !== undefined) return known;
    const first = this.#setCharacter();
    if (this.#take(/-(?!\])/y) === undefined) return this.#range(first, first);
    return this.#range(first, this.#setCharacter());
  }

  #posix(name: string): string {
    const members = POSIX.get(name);
    if (members === undefined) throw new Unsupported();
    const isLetters = name === "lower" || name === "upper";
    return isLetters && this.#flags.ignoresCase ? "A-Za-z" : members;
  }

  #setCharacter(): string {
    const escaped = this.#escapedCharacter();
    if (escaped !== undefined) return escaped;
    const control = this.#take(/\\([tnvfr])/y)?.[1];
    if (control !== undefined)
      return { t: "\t", n: "\n", v: "\v", f: "\f", r: "\r" }[control]!;
    if (this.#take(/(?=\\|\[:)/y) !== undefined) throw new Unsupported();
    return this.#text[this.#at++] ?? "";
  }

  /** Returns the members of a set for a range, with both cases of letters. */
  #range(first: string, last: string): string {
    const [low, high] = [first.charCodeAt(0), last.charCodeAt(0)];
    const own =
      low === high ? member(first) : `${member(first)}-${member(last)}`;
    if (!this.#flags.ignoresCase) return own;
    if (low === high) return own + otherCase(first).join("");
    return own + shifted(low, high, 97, -32) + shifted(low, high, 65, 32);
  }

  #literal(character: string): string {
    const others = this.#flags.ignoresCase ? otherCase(character) : [];
    return others.length === 0
      ? escaped(character)
      : `[${character}${others.join("")}]`;
  }

  /** Reads text that matches a sticky expression. */
  #take(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.#at;
    const match = expression.exec(this.#text);
    if (match === null) return undefined;
    this.#at += match[0].length;
    return match;
  }
}

function flagOf(
  flag: string,
  on: string,
  off: string,
  before: boolean,
): boolean {
  return on.includes(flag) || (before && !off.includes(flag));
}

/** Returns the other cases of a letter that have one code unit. */
function otherCase(character: string): string[] {
  const cases = [character.toLowerCase(), character.toUpperCase()];
  return cases.filter(
    (one) => one !== character && one.length === character.length,
  );
}

/** Returns the part of a range in 26 letters, moved to the other case. */
function shifted(
  low: number,
  high: number,
  letters: number,
  distance: number,
): string {
  const first = Math.max(low, letters);
  const last = Math.min(high, letters + 25);
  return first > last
    ? ""
    : `${String.fromCharCode(first + distance)}-${String.fromCharCode(last + distance)}`;
}

/** Escapes a character outside of a set. */
function escaped(character: string): string {
  return /[\\^$.*+?()[\]{}|/]/.test(character) ? `\\${character}` : character;
}

/** Escapes a character in a set. */
function member(character: string): string {
  return /[\\^[\]-]/.test(character) ? `\\${character}` : character;
}
