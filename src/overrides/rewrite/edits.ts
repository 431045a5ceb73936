import type { Range } from "../document/tree.js";

/** Replacement of a range with text. An empty range denotes an insertion. */
export interface Edit extends Range {
  readonly text: string;
}

/** Set of edits to a string. All offsets refer to the original string. */
export class Edits {
  readonly #text: string;
  readonly #edits: Edit[] = [];
  /** Replaced ranges as `start-end`, used to ignore duplicates. */
  readonly #replaced = new Set<string>();
  /** Cached result of `unionOf`; adding an edit resets it to undefined. */
  #covered: Range[] | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  get isEmpty(): boolean {
    return this.#edits.length === 0;
  }

  /** Removes a range. Removing the same range again has no effect. */
  remove(range: Range): void {
    this.replace(range, "");
  }

  replace({ start, end }: Range, text: string): void {
    const key = `${start}-${end}`;
    if (start < end && this.#replaced.has(key)) return;
    this.#replaced.add(key);
    this.#edits.push({ start, end, text });
    this.#covered = undefined;
  }

  /**
   * Inserts text at an offset. If the offset is in a removed range, the text is
   * inserted after the range.
   */
  insert(offset: number, text: string): void {
    this.#edits.push({ start: offset, end: offset, text });
  }

  /** Tests whether an offset is in a replaced range. */
  covers(offset: number): boolean {
    const range = this.#rangeBefore(offset + 1);
    return range !== undefined && offset < range.end;
  }

  /** Returns the last replaced range that begins before an offset. */
  #rangeBefore(offset: number): Range | undefined {
    const ranges = (this.#covered ??= unionOf(this.#edits));
    let low = 0;
    let high = ranges.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ranges[middle]!.start < offset) low = middle + 1;
      else high = middle;
    }
    return ranges[low - 1];
  }

  /** Returns the text with all edits applied. */
  apply(): string {
    let text = "";
    let at = 0;
    for (const edit of this.#inOrder()) {
      if (edit.start > at) text += this.#text.slice(at, edit.start);
      text += edit.text;
      at = Math.max(at, edit.end);
    }
    return text + this.#text.slice(at);
  }

  /**
   * Returns the edits sorted by offset. Insertions within a removed range are
   * moved to the end of that range.
   */
  #inOrder(): Edit[] {
    return this.#edits
      .map((edit) => {
        if (edit.start < edit.end) return edit;
        const enclosing = this.#rangeBefore(edit.start);
        return enclosing === undefined || enclosing.end <= edit.start
          ? edit
          : { ...edit, start: enclosing.end, end: enclosing.end };
      })
      .map((edit, index) => ({ edit, index }))
      .sort(
        (a, b) =>
          a.edit.start - b.edit.start ||
          a.edit.end - b.edit.end ||
          a.index - b.index,
      )
      .map(({ edit }) => edit);
  }
}

/** Merges overlapping ranges into one. */
function unionOf(edits: readonly Edit[]): Range[] {
  const ranges: { start: number; end: number }[] = [];
  const sorted = edits
    .filter(({ start, end }) => start < end)
    .sort((a, b) => a.start - b.start);
  for (const { start, end } of sorted) {
    const last = ranges.at(-1);
    if (last !== undefined && start < last.end)
      last.end = Math.max(last.end, end);
    else ranges.push({ start, end });
  }
  return ranges;
}
