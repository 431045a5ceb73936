/** A comment within a text. */
export interface FoundComment {
  readonly offset: number;
  readonly text: string;
}

/** Comments of a piece of YAML; a `#` within quotes begins none. */
export function commentsIn(text: string): FoundComment[] {
  const found: FoundComment[] = [];
  let quote = "";
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    const isLoose = at === 0 || /[\s[{,:]/.test(text[at - 1]!);
    if (quote !== "") {
      if (quote === '"' && character === "\\") at++;
      else if (character === quote) quote = "";
    } else if ((character === '"' || character === "'") && isLoose)
      quote = character;
    else if (character === "#" && (at === 0 || /\s/.test(text[at - 1]!))) {
      const end = text.indexOf("\n", at);
      const comment = text.slice(at, end < 0 ? text.length : end).trimEnd();
      found.push({ offset: at, text: comment });
      at += comment.length;
    }
  }
  return found;
}
