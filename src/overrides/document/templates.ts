/** A mark of a template engine that has not run yet. */
export interface TemplateMark {
  readonly offset: number;
  readonly length: number;
  /** How many there are. */
  readonly count: number;
}

const MARK = /\{\{|\{%/g;

/** The first mark of a template engine outside comments. */
export function findTemplate(text: string): TemplateMark | undefined {
  let first: number | undefined;
  let count = 0;
  for (const { index } of text.matchAll(MARK)) {
    if (isInComment(text, index)) continue;
    first ??= index;
    count++;
  }
  return first === undefined ? undefined : { offset: first, length: 2, count };
}

/** Whether a `#` begins a comment before the offset, in its line. */
function isInComment(text: string, offset: number): boolean {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  const before = text.slice(start, offset);
  return /^\s*#/.test(before) || /\s#[^"']*$/.test(before);
}
