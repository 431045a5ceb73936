import { statSync } from "node:fs";
import type { Sink } from "../diagnostics/sink.js";
import { Writer } from "./apply.js";
import { interrupted, recover } from "./journal.js";
import { refuseLocked } from "./lock.js";
import {
  EMPTY_MANIFEST,
  manifestText,
  readManifest,
  type Manifest,
  type ManifestGroup,
} from "./manifest.js";
import { isChange, type GroupPlan } from "./plan.js";

/**
 * The output folder: what it holds of ours, and the way to change it. Where
 * the operating system refuses, the folder is broken: it is reported once, and
 * nothing more is tried.
 */
export class OutputFolder {
  readonly #out: string;
  readonly #isReadOnly: boolean;
  /** As the run found it; recovery has been done, or taken into account. */
  readonly before: Manifest;
  #text: string;
  #writer: Writer | undefined;
  #isBroken = false;

  /** @param isReadOnly only look: nothing is written, mended or cleaned */
  constructor(out: string, isReadOnly: boolean, sink: Sink) {
    this.#out = out;
    this.#isReadOnly = isReadOnly;
    this.before = this.#attempt(sink, () => this.#open(sink)) ?? EMPTY_MANIFEST;
    this.#text = manifestText(this.before);
  }

  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** Prepares a plan, if it changes anything; false where that is impossible. */
  stage(
    plan: GroupPlan,
    after: ManifestGroup | undefined,
    sink: Sink,
  ): boolean {
    if (this.#isBroken) return false;
    if (this.#isReadOnly || !plan.files.some(isChange)) return true;
    return (
      this.#attempt(sink, () => {
        this.#begin().stage(plan, after);
        return true;
      }) ?? false
    );
  }

  /** Puts in place what was prepared, and the manifest, if it changes. */
  commit(groups: ReadonlyMap<string, ManifestGroup>, sink: Sink): void {
    if (this.#isReadOnly || this.#isBroken) return;
    const text = manifestText({
      format: 1,
      groups: Object.fromEntries(groups),
    });
    const isSame = this.#writer === undefined && text === this.#text;
    if (isSame) return;
    this.#attempt(sink, () => this.#begin().commit(text));
  }

  #open(sink: Sink): Manifest {
    const stats = statSync(this.#out, { throwIfNoEntry: false });
    if (stats?.isDirectory() === false) throw new Error("is not a folder");
    const found = readManifest(this.#out);
    if (found === undefined)
      sink.report(
        "manifest-invalid",
        `the manifest in ${this.#out} is damaged`,
      );
    const manifest = found ?? EMPTY_MANIFEST;
    if (this.#isReadOnly) return interrupted(this.#out, manifest);
    refuseLocked(this.#out);
    return recover(this.#out, manifest);
  }

  /** The writer; the folder is this run's own from here on. */
  #begin(): Writer {
    if (this.#writer !== undefined) return this.#writer;
    this.#writer = new Writer(this.#out);
    const now = manifestText(readManifest(this.#out) ?? EMPTY_MANIFEST);
    if (now !== this.#text)
      throw new Error("another run has changed it meanwhile; run again");
    return this.#writer;
  }

  #attempt<T>(sink: Sink, work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      this.#isBroken = true;
      sink.report(
        "output-unwritable",
        `${this.#out}: ${(error as Error).message}`,
      );
      this.#discard();
      return undefined;
    }
  }

  #discard(): void {
    try {
      this.#writer?.discard();
    } catch {
      // A folder that can't be written can't be cleaned either.
    }
  }
}
