/**
 * Position as shown in editors: line and column are counted from 1, and columns
 * count UTF-16 code units.
 */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Converts between offsets and line numbers of a string. */
export class LineIndex {
  readonly text: string;
  readonly #starts: number[] = [0];

  constructor(text: string) {
    this.text = text;
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1))
      this.#starts.push(at + 1);
  }

  /** Number of lines. The empty line after a final line break is counted. */
  get count(): number {
    return this.#starts.length;
  }

  positionOf(offset: number): Position {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - this.#starts[low]! + 1 };
  }

  /** Returns the offset at which a line begins; lines are counted from 1. */
  startOf(line: number): number {
    return this.#starts[line - 1] ?? this.text.length;
  }

  /** Returns a line without its line break. */
  lineText(line: number): string {
    const start = this.startOf(line);
    let end = this.startOf(line + 1);
    if (end > start && this.text[end - 1] === "\n") end--;
    if (end > start && this.text[end - 1] === "\r" && this.text[end] === "\n")
      end--;
    return this.text.slice(start, end);
  }
}
