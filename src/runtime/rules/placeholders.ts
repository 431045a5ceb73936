/** Placeholder and its position in the text. */
interface PlaceholderPosition {
  readonly name: string;
  readonly index: number;
}

const CAPITALIZED_NAME = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/;
/** Pattern for the characters with which a placeholder begins. */
const START = /\$[({A-Za-z_]|<[A-Za-z]|_YOUR_/g;
const VARIABLE = /\$[A-Za-z_]\w*/y;
const BRACKETS = /<[A-Za-z][\w .-]*>/y;
const BRACES = /\$\{[A-Za-z_]/y;
const CAPITALS = /[A-Z0-9_]*/y;

/**
 * Returns the names of the placeholders in a string: `$VAR`, `<NAME>`,
 * `_YOUR_NAME_` or `SOME_NAME`. If `isSecret` is true, ignores `SOME_NAME` and
 * placeholders within a longer string, because they can be part of a password.
 * Runs in linear time.
 */
export function placeholderNames(text: string, isSecret: boolean): string[] {
  return findPlaceholders(text, isSecret).map(({ name }) => name);
}

/** Returns the placeholders in a string with their positions. */
export function findPlaceholders(
  text: string,
  isSecret: boolean,
): PlaceholderPosition[] {
  if (CAPITALIZED_NAME.test(text))
    return isSecret ? [] : [{ name: text, index: 0 }];
  const found = new Scanner(text).find();
  return isSecret ? found.filter(({ name }) => name === text) : found;
}

/**
 * Scanner that finds placeholders in linear time: after a search for a closing
 * delimiter has failed, that delimiter is not searched for again.
 */
class Scanner {
  readonly #text: string;
  #hasParenthesis = true;
  #hasBrace = true;
  /**
   * Offset of the end of the last sequence of capital letters, digits and `_`.
   */
  #runEnd = 0;
  /**
   * Offset up to which a search for the closing `_` of `_YOUR_NAME_` failed.
   */
  #openUntil = 0;

  constructor(text: string) {
    this.#text = text;
  }

  find(): PlaceholderPosition[] {
    const found: PlaceholderPosition[] = [];
    START.lastIndex = 0;
    for (;;) {
      const start = START.exec(this.#text);
      if (start === null) return found;
      const { index } = start;
      const end = this.#endOf(index);
      if (end === undefined) {
        START.lastIndex = index + 1;
        continue;
      }
      found.push({ name: this.#text.slice(index, end), index });
      START.lastIndex = end;
    }
  }

  #endOf(at: number): number | undefined {
    switch (this.#text.slice(at, at + 2)) {
      case "$(":
        return this.#parenthesis(at);
      case "${":
        return this.#brace(at);
      case "_Y":
        return this.#yourName(at);
      default:
        return this.#matched(this.#text[at] === "$" ? VARIABLE : BRACKETS, at);
    }
  }

  #matched(pattern: RegExp, at: number): number | undefined {
    pattern.lastIndex = at;
    return pattern.test(this.#text) ? pattern.lastIndex : undefined;
  }

  #parenthesis(at: number): number | undefined {
    const end = this.#hasParenthesis ? this.#text.indexOf(")", at) : -1;
    this.#hasParenthesis = end >= 0;
    return end < 0 ? undefined : end + 1;
  }

  #brace(at: number): number | undefined {
    if (this.#matched(BRACES, at) === undefined) return undefined;
    const end = this.#hasBrace ? this.#text.indexOf("}", at) : -1;
    this.#hasBrace = end >= 0;
    return end < 0 ? undefined : end + 1;
  }

  #yourName(at: number): number | undefined {
    if (at < this.#openUntil) return undefined;
    if (at >= this.#runEnd) this.#runEnd = this.#matched(CAPITALS, at)!;
    for (let end = at + "_YOUR_".length + 1; end < this.#runEnd; end++)
      if (this.#isLast(end)) return end + 1;
    this.#openUntil = this.#runEnd;
    return undefined;
  }

  /**
   * Tests whether the `_` at an offset closes `_YOUR_NAME_`, that is, no
   * capital letter or digit follows it.
   */
  #isLast(at: number): boolean {
    const next = this.#text[at + 1];
    return this.#text[at] === "_" && (next === "_" || at + 1 >= this.#runEnd);
  }
}
