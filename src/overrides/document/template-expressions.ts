/**
 * First unrendered template expression in a file, and the number of such
 * expressions.
 */
export interface TemplateExpression {
  readonly offset: number;
  readonly length: number;
  /** Number of template expressions in the file. */
  readonly count: number;
}

/**
 * Pattern for template expressions, and for the characters that begin or end
 * comments.
 */
const TOKEN = /\{\{|\{%|#|["'\n]/g;

/**
 * Finds the first template expression outside of comments. A `#` after white
 * space begins a comment. If a quote follows on the same line, the `#` can be
 * inside a string, so the text after the quote is searched too. The text is
 * read once.
 */
export function findTemplateExpression(
  text: string,
): TemplateExpression | undefined {
  let first: number | undefined;
  let count = 0;
  let isComment = false;
  let isCommentLine = false;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    switch (token) {
      case "\n":
        isComment = false;
        isCommentLine = false;
        break;
      case "#":
        isCommentLine ||= !isComment && beginsLine(text, index);
        isComment ||= isSpace(text[index - 1]);
        break;
      case '"':
      case "'":
        isComment = false;
        break;
      default:
        if (isComment || isCommentLine) break;
        first ??= index;
        count++;
    }
  }
  return first === undefined ? undefined : { offset: first, length: 2, count };
}

function isSpace(character: string | undefined): boolean {
  return character !== undefined && /\s/.test(character);
}

/** Tests whether the text between the start of the line and an offset is blank. */
function beginsLine(text: string, offset: number): boolean {
  for (let at = offset - 1; at >= 0 && text[at] !== "\n"; at--)
    if (!isSpace(text[at])) return false;
  return true;
}
