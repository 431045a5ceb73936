/** A name that is still to be filled in, and its position in the text. */
export interface FoundPlaceholder {
  readonly name: string;
  readonly index: number;
}

const WHOLE = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/;
/** Positions at which a placeholder can begin. */
const START = /\$[({A-Za-z_]|<[A-Za-z]|_YOUR_/g;
const VARIABLE = /\$[A-Za-z_]\w*/y;
const BRACKETS = /<[A-Za-z][\w .-]*>/y;
const BRACES = /\$\{[A-Za-z_]/y;
const CAPITALS = /[A-Z0-9_]*/y;

/**
 * Text that is still to be filled in: `$VAR`, `<NAME>`, `_YOUR_NAME_`,
 * `SOME_NAME`. A secret counts only if all of it is a placeholder: passwords
 * contain such signs. Takes time linear in the length of the text.
 */
export function placeholdersIn(text: string, isSecret: boolean): string[] {
  return findPlaceholders(text, isSecret).map(({ name }) => name);
}

/** Placeholders of a text with their positions. */
export function findPlaceholders(
  text: string,
  isSecret: boolean,
): FoundPlaceholder[] {
  if (WHOLE.test(text)) return isSecret ? [] : [{ name: text, index: 0 }];
  const found = new Scanner(text).find();
  return isSecret ? found.filter(({ name }) => name === text) : found;
}

/** Remembers which ends a text no longer has, so that each is searched for once. */
class Scanner {
  readonly #text: string;
  #hasParenthesis = true;
  #hasBrace = true;
  /** End of the capital letters, digits and `_` that were looked at last. */
  #runEnd = 0;
  /** Before this offset, no `_YOUR_` has an end. */
  #openUntil = 0;

  constructor(text: string) {
    this.#text = text;
  }

  find(): FoundPlaceholder[] {
    const found: FoundPlaceholder[] = [];
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
        return this.#yours(at);
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

  #yours(at: number): number | undefined {
    if (at < this.#openUntil) return undefined;
    if (at >= this.#runEnd) this.#runEnd = this.#matched(CAPITALS, at)!;
    for (let end = at + "_YOUR_".length + 1; end < this.#runEnd; end++)
      if (this.#isLast(end)) return end + 1;
    this.#openUntil = this.#runEnd;
    return undefined;
  }

  /** Whether a `_` ends `_YOUR_NAME_`: no capital letter or digit follows it. */
  #isLast(at: number): boolean {
    const next = this.#text[at + 1];
    return this.#text[at] === "_" && (next === "_" || at + 1 >= this.#runEnd);
  }
}
