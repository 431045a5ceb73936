import type { Entry, MapNode, Range, AnchorOrAlias } from "../document/tree.js";
import { redact, redactComment } from "../redact.js";
import type { CheckResult } from "../validate.js";
import { findComments, Edits, FileLayout } from "./edits.js";

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

/**
 * Moves the anchor of a removed value to the first remaining alias, because
 * later aliases still refer to the anchor.
 */
export function preserveAnchors(
  session: RewriteSession,
  references: readonly AnchorOrAlias[],
): void {
  const { edits } = session;
  /**
   * Anchors of removed values, keyed by name. Moved anchors are not included.
   */
  const removedAnchors = new Map<string, AnchorOrAlias>();
  const moves: [AnchorOrAlias, AnchorOrAlias][] = [];
  for (const reference of references) {
    const isGone = edits.covers(reference.range.start);
    if (!reference.isAlias) {
      // A second anchor with the same name replaces the first one for later
      // aliases.
      removedAnchors.delete(reference.name);
      if (isGone) removedAnchors.set(reference.name, reference);
      continue;
    }
    const anchor = removedAnchors.get(reference.name);
    if (anchor === undefined || isGone) continue;
    removedAnchors.delete(reference.name);
    moves.push([anchor, reference]);
  }
  for (const [anchor, firstAlias] of moves)
    moveAnchor(session, anchor, firstAlias);
}

function moveAnchor(
  session: RewriteSession,
  anchor: AnchorOrAlias,
  firstAlias: AnchorOrAlias,
): void {
  const source = session.source(anchor.range).trimEnd();
  const line = session.layout.lineOf(anchor.range.start);
  if (source.includes("\n"))
    return session.addRefusal(
      `line ${line}: the value must be removed, but is also used as *${anchor.name}; replace this alias with the value first`,
    );
  session.edits.replace(firstAlias.range, source);
}

/** Key that the rewrite added, changed or removed. */
interface RewriteChange {
  /** Line number in the original file, counted from 1. */
  readonly line: number;
  readonly path: string;
  readonly action: "added" | "moved" | "removed" | "renamed";
  readonly message: string;
}

/**
 * Task that remains for the user: a setting that must now be configured in
 * another system.
 */
export interface Instruction {
  readonly subject:
    | "environment group"
    | "proxy"
    | "service mesh"
    | "certificate manager"
    | "other";
  /**
   * Name of the environment group; absent if the instruction does not apply to
   * an environment group.
   */
  readonly name?: string;
  readonly text: string;
}

/** Comment that was removed together with its block. */
interface RemovedComment {
  readonly line: number;
  readonly text: string;
}

/** Changes to a rewritten file, and the remaining tasks for the user. */
export interface RewriteReport {
  readonly file: string;
  /** Detected version of the original file. */
  readonly from: string;
  readonly to: string;
  readonly changes: readonly RewriteChange[];
  readonly instructions: readonly Instruction[];
  readonly comments: readonly RemovedComment[];
  readonly warnings: readonly string[];
  /**
   * Reasons why the file was not rewritten; empty if it was rewritten or needed
   * no changes.
   */
  readonly refusals: readonly string[];
}
