import type { Entry, MapNode, Range } from "../document/tree.js";
import { redact, redactComment } from "../redact.js";
import type { Checked } from "../validate.js";
import { commentsIn } from "./find-comments.js";
import { Edits } from "./edits.js";
import { Layout } from "./layout.js";
import type { Change, Instruction, LostComment } from "./report.js";

/** What a user decides about a rewriting. */
export interface RewriteOptions {
  readonly instanceId?: string;
  readonly region?: string;
  readonly watcherAccount?: string;
  readonly metricsAccount?: string;
  /** New names of environment groups, by the old ones. */
  readonly envgroups: ReadonlyMap<string, string>;
}

/** A file while it is rewritten: what is changed in it, and what is said of it. */
export class Rewriting {
  readonly root: MapNode;
  readonly options: RewriteOptions;
  readonly layout: Layout;
  readonly edits: Edits;
  readonly changes: Change[] = [];
  readonly instructions: Instruction[] = [];
  readonly comments: LostComment[] = [];
  readonly #warnings = new Set<string>();
  readonly #refusals = new Set<string>();

  constructor(checked: Checked, root: MapNode, options: RewriteOptions) {
    this.root = root;
    this.options = options;
    this.layout = new Layout(checked.lines, root);
    this.edits = new Edits(checked.lines.text);
  }

  /** The text of a range, as it is written. */
  source({ start, end }: Range): string {
    return this.layout.lines.text.slice(start, end);
  }

  noteChange(
    offset: number,
    path: string,
    action: Change["action"],
    message: string,
  ): void {
    const line = this.layout.lineOf(offset);
    this.changes.push({ line, path, action, message: redact(message) });
  }

  instruct(subject: Instruction["subject"], text: string, name?: string): void {
    this.instructions.push({
      subject,
      ...(name === undefined ? {} : { name: redact(name) }),
      text: redact(text),
    });
  }

  warn(text: string): void {
    this.#warnings.add(redact(text));
  }

  refuse(text: string): void {
    this.#refusals.add(redact(text));
  }

  get warnings(): readonly string[] {
    return [...this.#warnings];
  }

  get refusals(): readonly string[] {
    return [...this.#refusals];
  }

  /** Takes entries out of a block or of braces; their comments go to the report. */
  removeEntries(parent: MapNode, entries: readonly Entry[]): void {
    const gone = new Set(entries);
    const own = parent.entries.filter(({ isMerged }) => isMerged !== true);
    let before: Entry | undefined;
    let kept = 0;
    for (const [index, entry] of own.entries()) {
      if (!gone.has(entry)) {
        before = entry;
        continue;
      }
      kept = Math.max(kept, index + 1);
      while (kept < own.length && gone.has(own[kept]!)) kept++;
      const next = own[kept];
      const range = parent.isFlow
        ? this.#flowRange(entry, before, next, own)
        : this.#blockRange(entry, next);
      if (range !== undefined) this.#take(range);
    }
  }

  #flowRange(
    entry: Entry,
    before: Entry | undefined,
    next: Entry | undefined,
    all: readonly Entry[],
  ): Range {
    if (next !== undefined)
      return { start: entry.keyRange.start, end: next.keyRange.start };
    const end = this.layout.contentEnd(all.at(-1)!);
    const start =
      before === undefined
        ? all[0]!.keyRange.start
        : this.layout.contentEnd(before);
    return { start, end };
  }

  #blockRange(entry: Entry, next: Entry | undefined): Range | undefined {
    if (this.layout.beginsLine(entry)) return this.layout.linesOf(entry);
    if (next !== undefined)
      return { start: entry.keyRange.start, end: next.keyRange.start };
    this.refuse(
      `line ${this.layout.lineOf(entry.keyRange.start)}: nothing would be left of this list entry`,
    );
    return undefined;
  }

  #take(range: Range): void {
    if (this.edits.covers(range.start)) return;
    this.edits.remove(range);
    for (const { offset, text } of commentsIn(this.source(range)))
      this.comments.push({
        line: this.layout.lineOf(range.start + offset),
        text: redactComment(text),
      });
  }

  /** Puts lines in where a line begins, or at the end of the text. */
  insertLines(offset: number, lines: readonly string[]): void {
    const { lineEnd } = this.layout;
    const { text } = this.layout.lines;
    const isOpenEnd = offset >= text.length && !text.endsWith("\n");
    const body = lines.join(lineEnd);
    this.edits.insert(
      offset,
      isOpenEnd ? `${lineEnd}${body}` : `${body}${lineEnd}`,
    );
  }

  /** Puts a key into a block or braces, as the first one. */
  insertFirst(owner: Entry, key: string, value: string): void {
    const { layout } = this;
    const node = owner.value;
    if (owner.aliasAt !== undefined)
      return this.refuse(
        `line ${layout.lineOf(owner.keyRange.start)}: ${owner.key} is an alias, and ${key} would have to be put into what it means`,
      );
    if (node.kind === "map" && node.isFlow) {
      const isAlone = node.entries.every(({ keyRange }) =>
        this.edits.covers(keyRange.start),
      );
      return this.edits.insert(
        node.entries[0]?.keyRange.start ?? node.range.start + 1,
        `${key}: ${value}${isAlone ? "" : ", "}`,
      );
    }
    const first = node.kind === "map" ? node.entries[0] : undefined;
    const indent =
      first === undefined
        ? " ".repeat(layout.columnOf(owner.keyRange.start)) + layout.step
        : " ".repeat(layout.columnOf(first.keyRange.start));
    const line = layout.lineOf((first ?? owner).keyRange.start);
    const offset = layout.startOf(first === undefined ? line + 1 : line);
    this.insertLines(offset, [`${indent}${key}: ${value}`]);
  }

  /** Puts a block of keys behind an entry of the top level. */
  insertBlock(after: Entry, lines: readonly string[]): void {
    const { layout } = this;
    const indent = " ".repeat(layout.columnOf(after.keyRange.start));
    const isSpaced =
      layout.hasSpaceAbove(after) && !this.edits.covers(after.keyRange.start);
    const block = lines.map((line) => `${indent}${line}`);
    this.insertLines(
      layout.linesOf(after).end,
      isSpaced ? ["", ...block] : block,
    );
  }
}
