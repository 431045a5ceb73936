import { Sink } from "../diagnostics/sink.js";
import type { Diagnostic } from "../diagnostics/types.js";
import { bumpOf, type DetailedChange, type DiffResult } from "./severity.js";

/** Entry of an ignore file, with its line number. */
interface Entry {
  readonly line: number;
  isUsed: boolean;
}

/**
 * List of changes to ignore: one fingerprint per line, with an optional comment
 * after `#`. An entry that matches no change is reported as an error, so that
 * it can't hide a later change.
 */
export class IgnoreList {
  readonly #entries = new Map<string, Entry>();
  readonly #sink: Sink;
  readonly #file: string;

  constructor(text: string, file: string) {
    this.#file = file;
    this.#sink = new Sink(file);
    for (const [index, line] of text.split(/\r?\n/).entries())
      this.#read(
        line
          .replace(/#.*$/s, "")
          .replace(/^\ufeff/, "")
          .trim(),
        index + 1,
      );
  }

  #read(entry: string, line: number): void {
    if (entry === "") return;
    if (!/^[0-9a-f]{16}$/.test(entry))
      this.#report(
        "diff-ignore-invalid",
        `${JSON.stringify(entry.slice(0, 80))} must be a fingerprint of 16 hexadecimal digits`,
        line,
      );
    else if (this.#entries.has(entry))
      this.#report("diff-ignore-invalid", `${entry} is listed twice`, line);
    else this.#entries.set(entry, { line, isUsed: false });
  }

  /** Returns a comparison without the ignored changes. */
  apply(result: DiffResult<DetailedChange>): DiffResult<DetailedChange> {
    const changes = result.changes.filter(({ fingerprint }) => {
      const entry = this.#entries.get(fingerprint);
      if (entry !== undefined) entry.isUsed = true;
      return entry === undefined;
    });
    return { ...result, changes, bump: bumpOf(changes) };
  }

  /**
   * Returns errors in the list itself. Call this after `apply` has been called
   * for the changes to all APIs.
   */
  diagnostics(): readonly Diagnostic[] {
    for (const [fingerprint, { line, isUsed }] of this.#entries)
      if (!isUsed)
        this.#report(
          "diff-ignore-unused",
          `no change has the fingerprint ${fingerprint}`,
          line,
        );
    return this.#sink.diagnostics;
  }

  #report(
    code: "diff-ignore-invalid" | "diff-ignore-unused",
    message: string,
    line: number,
  ): void {
    this.#sink.report(code, message);
    const finding = this.#sink.diagnostics.pop()!;
    this.#sink.diagnostics.push({
      ...finding,
      file: this.#file,
      line,
      column: 1,
    });
  }
}
