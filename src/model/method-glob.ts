/**
 * Maximum length of a glob in characters, and maximum number of globs that its
 * braces are expanded to.
 */
const MAX_LENGTH = 1_000;

/**
 * Part of a glob: a character or a wildcard. `one` matches one character other
 * than a dot, `segment` matches any number of such characters, and `any`
 * matches any string. `optional` and `until-dot` together represent `**.`,
 * which matches an empty string or any string that ends with a dot.
 */
type Token =
  | { readonly character: string }
  | { readonly wildcard: "one" | "segment" | "any" | "optional" | "until-dot" };

/**
 * Error for an invalid glob. The message is a phrase without a subject, such as
 * "must not be empty".
 */
export class GlobError extends Error {}

/**
 * Glob that matches dotted names, such as method ids. `?` and `*` match within
 * a segment, `**` matches across segments, `{a,b}` matches alternatives; a
 * final `.*` matches all descendants. The time of a match is proportional to
 * the length of the glob multiplied by the length of the name.
 */
export class MethodGlob {
  readonly #alternatives: readonly (readonly Token[])[];

  /** @throws GlobError for unbalanced or nested braces, and for long globs */
  constructor(text: string) {
    if (text === "") throw new GlobError("must not be empty");
    if (text.length > MAX_LENGTH)
      throw new GlobError(
        `must have at most ${MAX_LENGTH} characters, found ${text.length}`,
      );
    this.#alternatives = expandBraces(text).map(tokensOf);
  }

  /** Tests whether the glob matches a name. */
  matches(name: string): boolean {
    return this.#alternatives.some((tokens) => run(tokens, name, false));
  }

  /**
   * Tests whether the glob matches a name or one of its ancestors;
   * `drive.files` is an ancestor of `drive.files.list`.
   */
  matchesBelow(name: string): boolean {
    return this.#alternatives.some((tokens) => run(tokens, name, true));
  }
}

/** Expands braces: `a.{b,c}` becomes `a.b` and `a.c`. */
function expandBraces(text: string): string[] {
  let expanded = [""];
  for (const [index, part] of text.split("{").entries()) {
    const close = part.indexOf("}");
    const isUnbalanced =
      index === 0 ? close !== -1 : close !== part.lastIndexOf("}");
    if (isUnbalanced || (index > 0 && close === -1))
      throw new GlobError("must have balanced braces that are not nested");
    const alternatives = index === 0 ? [] : part.slice(0, close).split(",");
    const rest = index === 0 ? part : part.slice(close + 1);
    if (expanded.length * alternatives.length > MAX_LENGTH)
      throw new GlobError(`must have at most ${MAX_LENGTH} alternatives`);
    if (index > 0)
      expanded = expanded.flatMap((start) =>
        alternatives.map((alternative) => start + alternative),
      );
    expanded = expanded.map((start) => start + rest);
  }
  return expanded;
}

function tokensOf(glob: string): Token[] {
  const isOpen = glob === "*" || glob.endsWith(".*");
  const text = isOpen ? `${glob}*` : glob;
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (character === "?") tokens.push({ wildcard: "one" });
    else if (character !== "*") tokens.push({ character });
    else if (text[at + 1] !== "*") tokens.push({ wildcard: "segment" });
    else {
      at++;
      const isSegment =
        text[at + 1] === "." && (at === 1 || text[at - 2] === ".");
      if (!isSegment) tokens.push({ wildcard: "any" });
      else {
        at++;
        tokens.push({ wildcard: "optional" }, { wildcard: "until-dot" });
      }
    }
  }
  return tokens;
}

/**
 * Matches a name against the tokens of a glob. The tokens form a
 * nondeterministic automaton whose states are indexes into the list of tokens.
 */
function run(
  tokens: readonly Token[],
  name: string,
  isBelow: boolean,
): boolean {
  let states = new Set<number>();
  enter(0, tokens, states);
  for (const character of name) {
    const isAncestor = isBelow && character === ".";
    if (isAncestor && states.has(tokens.length)) return true;
    const next = new Set<number>();
    for (const state of states) step(state, character, tokens, next);
    if (next.size === 0) return false;
    states = next;
  }
  return states.has(tokens.length);
}

/**
 * Adds a state, and the states that are reachable from it without consuming a
 * character.
 */
function enter(
  state: number,
  tokens: readonly Token[],
  states: Set<number>,
): void {
  states.add(state);
  const token = tokens[state];
  if (token === undefined || !("wildcard" in token)) return;
  const { wildcard } = token;
  if (wildcard === "segment" || wildcard === "any")
    enter(state + 1, tokens, states);
  if (wildcard === "optional") {
    states.add(state + 1);
    enter(state + 2, tokens, states);
  }
}

function step(
  state: number,
  character: string,
  tokens: readonly Token[],
  next: Set<number>,
): void {
  const token = tokens[state];
  if (token === undefined) return;
  const isDot = character === ".";
  if (!("wildcard" in token)) {
    if (token.character === character) enter(state + 1, tokens, next);
    return;
  }
  const { wildcard } = token;
  if (wildcard === "any" || wildcard === "until-dot") next.add(state);
  if (wildcard === "any") enter(state, tokens, next);
  if (wildcard === "until-dot" && isDot) enter(state + 1, tokens, next);
  if (wildcard === "segment" && !isDot) enter(state, tokens, next);
  if (wildcard === "one" && !isDot) enter(state + 1, tokens, next);
}
