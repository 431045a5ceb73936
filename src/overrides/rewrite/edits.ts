import type { Range } from "../document/tree.js";

/** Text that takes the place of a range; the range is empty for an insertion. */
export interface Edit extends Range {
  readonly text: string;
}

/** Changes to a text, by offsets of the text as it was. */
export class Edits {
  readonly #text: string;
  readonly #edits: Edit[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  get isEmpty(): boolean {
    return this.#edits.length === 0;
  }

  /** Takes a range out, once. */
  remove(range: Range): void {
    this.replace(range, "");
  }

  replace({ start, end }: Range, text: string): void {
    const isKnown = this.#edits.some(
      (edit) => edit.start === start && edit.end === end && start < end,
    );
    if (!isKnown) this.#edits.push({ start, end, text });
  }

  /** Puts text in; behind what is taken out around the place. */
  insert(offset: number, text: string): void {
    this.#edits.push({ start: offset, end: offset, text });
  }

  /** Whether a place is taken out. */
  covers(offset: number): boolean {
    return this.#edits.some(
      ({ start, end }) => start <= offset && offset < end,
    );
  }

  /** The text with all changes. */
  apply(): string {
    let text = "";
    let at = 0;
    for (const edit of this.#settled()) {
      if (edit.start > at) text += this.#text.slice(at, edit.start);
      text += edit.text;
      at = Math.max(at, edit.end);
    }
    return text + this.#text.slice(at);
  }

  /** In order; an insertion within a removal comes behind it. */
  #settled(): Edit[] {
    const removals = this.#edits.filter(({ start, end }) => start < end);
    return this.#edits
      .map((edit) => {
        if (edit.start < edit.end) return edit;
        const around = removals.find(
          ({ start, end }) => start < edit.start && edit.start < end,
        );
        return around === undefined
          ? edit
          : { ...edit, start: around.end, end: around.end };
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
