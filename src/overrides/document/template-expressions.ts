/** A mark of a template engine that has not run yet. */
export interface TemplateMark {
  readonly offset: number;
  readonly length: number;
  /** How many there are. */
  readonly count: number;
}

/** Marks, and what decides whether a mark is part of a comment. */
const TOKEN = /\{\{|\{%|#|["'\n]/g;

/**
 * The first mark of a template engine outside comments. A `#` behind white space
 * begins a comment, and a quote behind it ends that assumption: the `#` may be
 * part of a text then. Reads the text once.
 */
export function findTemplate(text: string): TemplateMark | undefined {
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

/** Whether only white space precedes an offset in its line; stops at the first other character. */
function beginsLine(text: string, offset: number): boolean {
  for (let at = offset - 1; at >= 0 && text[at] !== "\n"; at--)
    if (!isSpace(text[at])) return false;
  return true;
}
