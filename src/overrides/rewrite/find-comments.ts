/** Comment, and its position in a string. */
export interface CommentMatch {
  readonly offset: number;
  readonly text: string;
}

/**
 * Finds comments in an excerpt of YAML. A `#` within quotes is not a comment.
 */
export function findComments(text: string): CommentMatch[] {
  const found: CommentMatch[] = [];
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
