import type { Entry, MapNode, Range } from "../document/tree.js";
import { redact, redactComment } from "../redact.js";
import type { CheckResult } from "../validate.js";
import { findComments } from "./find-comments.js";
import { Edits } from "./edits.js";
import { FileLayout } from "./file-layout.js";
import type { RewriteChange, Instruction, RemovedComment } from "./report.js";

/** Rewrite options from the command line. */
export interface RewriteOptions {
  readonly instanceId?: string;
  readonly region?: string;
  readonly watcherAccount?: string;
  readonly metricsAccount?: string;
  /** New names of environment groups, keyed by old name. */
  readonly envgroups: ReadonlyMap<string, string>;
}

/** State of a rewrite: the edits and the report. */
export class RewriteSession {
  readonly root: MapNode;
  readonly options: RewriteOptions;
  readonly layout: FileLayout;
  readonly edits: Edits;
  readonly changes: RewriteChange[] = [];
  readonly instructions: Instruction[] = [];
  readonly comments: RemovedComment[] = [];
  readonly #warnings = new Set<string>();
  readonly #refusals = new Set<string>();

  constructor(checked: CheckResult, root: MapNode, options: RewriteOptions) {
    this.root = root;
    this.options = options;
    this.layout = new FileLayout(checked.lines, root);
    this.edits = new Edits(checked.lines.text);
  }

  /** Returns the source text in a range. */
  source({ start, end }: Range): string {
    return this.layout.lines.text.slice(start, end);
  }

  addChange(
    offset: number,
    path: string,
    action: RewriteChange["action"],
    message: string,
  ): void {
    const line = this.layout.lineOf(offset);
    this.changes.push({ line, path, action, message: redact(message) });
  }

  addInstruction(
    subject: Instruction["subject"],
    text: string,
    name?: string,
  ): void {
    this.instructions.push({
      subject,
      ...(name === undefined ? {} : { name: redact(name) }),
      text: redact(text),
    });
  }

  addWarning(text: string): void {
    this.#warnings.add(redact(text));
  }

  addRefusal(text: string): void {
    this.#refusals.add(redact(text));
  }

  get warnings(): readonly string[] {
    return [...this.#warnings];
  }

  get refusals(): readonly string[] {
    return [...this.#refusals];
  }

  /** Removes entries from a map and adds their comments to the report. */
  removeEntries(parent: MapNode, entries: readonly Entry[]): void {
    const removed = new Set(entries);
    const siblings = parent.entries.filter(({ isMerged }) => isMerged !== true);
    let before: Entry | undefined;
    let nextIndex = 0;
    for (const [index, entry] of siblings.entries()) {
      if (!removed.has(entry)) {
        before = entry;
        continue;
      }
      nextIndex = Math.max(nextIndex, index + 1);
      while (nextIndex < siblings.length && removed.has(siblings[nextIndex]!))
        nextIndex++;
      const next = siblings[nextIndex];
      const range = parent.isFlow
        ? this.#flowRange(entry, before, next, siblings)
        : this.#blockRange(entry, next);
      if (range !== undefined) this.#removeRange(range);
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
    this.addRefusal(
      `line ${this.layout.lineOf(entry.keyRange.start)}: removing the key would leave an empty list element; remove the element manually first`,
    );
    return undefined;
  }

  #removeRange(range: Range): void {
    if (this.edits.covers(range.start)) return;
    this.edits.remove(range);
    for (const { offset, text } of findComments(this.source(range)))
      this.comments.push({
        line: this.layout.lineOf(range.start + offset),
        text: redactComment(text),
      });
  }

  /**
   * Inserts lines before the line that begins at an offset, or at the end of
   * the file.
   */
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

  /** Inserts a key as the first entry of a map. */
  insertFirstKey(owner: Entry, key: string, value: string): void {
    const { layout } = this;
    const node = owner.value;
    if (owner.aliasRange !== undefined)
      return this.addRefusal(
        `line ${layout.lineOf(owner.keyRange.start)}: the value of ${owner.key} is a YAML alias, so ${key} can't be added; replace the alias with its value first`,
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

  /** Inserts a block after a top-level entry. */
  insertBlock(after: Entry, lines: readonly string[]): void {
    const { layout } = this;
    const indent = " ".repeat(layout.columnOf(after.keyRange.start));
    const isSpaced =
      layout.hasBlankLineAbove(after) &&
      !this.edits.covers(after.keyRange.start);
    const block = lines.map((line) => `${indent}${line}`);
    this.insertLines(
      layout.linesOf(after).end,
      isSpaced ? ["", ...block] : block,
    );
  }
}
