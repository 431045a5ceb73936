import { statSync } from "node:fs";
import type { Sink } from "../diagnostics/sink.js";
import { OutputWriter } from "./output-writer.js";
import { predictRecovery, recover } from "./journal.js";
import {
  EMPTY_MANIFEST,
  MANIFEST,
  manifestText,
  readManifest,
  type Manifest,
  type ManifestGroup,
} from "./manifest.js";
import { hash } from "../platform/hash.js";
import type { OutputFile } from "../platform/output-file.js";
import type { PlannedFile } from "./plan.js";
import { prepareGroup, type PreparedGroup } from "./prepare-group.js";
import { inspectStaging, assertUnlocked, STAGING } from "./staging.js";

/**
 * Output folder of a run. The first file system error is reported. After an
 * error, further changes are ignored.
 */
export class OutputFolder {
  readonly #out: string;
  readonly #isReadOnly: boolean;
  /** Manifest before the run, after recovery from an interrupted run. */
  readonly before: Manifest;
  /**
   * Canonical text of the existing manifest; undefined if the manifest is
   * damaged.
   */
  #text: string | undefined = manifestText(EMPTY_MANIFEST);
  #writer: OutputWriter | undefined;
  #isBroken = false;
  /** True if another run changed the output after this run had read it. */
  #isOutdated = false;

  /**
   * @param isReadOnly true to leave all files unchanged, even if an interrupted
   * run must be recovered
   */
  constructor(out: string, isReadOnly: boolean, sink: Sink) {
    this.#out = out;
    this.#isReadOnly = isReadOnly;
    this.before = this.#attempt(sink, () => this.#open(sink)) ?? EMPTY_MANIFEST;
  }

  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** True if the prepared changes were written. */
  get isCommitted(): boolean {
    return this.#writer?.isCommitted === true;
  }

  /**
   * Prepares the changes to an API or runtime. Returns undefined on failure.
   * @param files new files; an empty list deletes the output of the API or
   * runtime
   */
  prepare(
    folder: string,
    files: readonly OutputFile[],
    force: boolean,
    sink: Sink,
  ): PreparedGroup | undefined {
    const options = {
      out: this.#out,
      force,
      isReadOnly: this.#isReadOnly,
      before: this.before.groups,
    };
    return this.#attempt(sink, () =>
      prepareGroup(folder, files, options, () => this.#begin().names),
    );
  }

  /**
   * Locks the folder, so that other threads can prepare changes in its staging
   * folder. Returns false on failure.
   */
  open(sink: Sink): boolean {
    if (this.#isReadOnly) return true;
    return this.#attempt(sink, () => this.#begin()) !== undefined;
  }

  /**
   * Adds prepared changes to those that will be written.
   * @param after new manifest entry of the API or runtime
   */
  add({ plan, staged }: PreparedGroup, after: ManifestGroup | undefined): void {
    if (staged !== undefined) this.#writer!.add(plan.folder, staged, after);
  }

  /** Reports an error of another thread that prepared changes. */
  fail(message: string, sink: Sink): void {
    this.#attempt(sink, () => {
      throw new Error(message);
    });
  }

  /** Deletes the prepared files of an API or runtime. */
  unstage(folder: string): void {
    this.#writer?.unstage(folder);
  }

  /**
   * Plans the update of the manifest. Returns undefined if the manifest does
   * not change.
   */
  planManifest(
    groups: ReadonlyMap<string, ManifestGroup>,
  ): PlannedFile | undefined {
    const text = textOf(groups);
    if (this.#isBroken || text === this.#text) return undefined;
    const isAbsent = this.#text === manifestText(EMPTY_MANIFEST);
    const action = isAbsent ? "create" : "update";
    return { path: MANIFEST, action, hash: hash(text) };
  }

  /** Writes the prepared changes and the manifest if there are any changes. */
  commit(groups: ReadonlyMap<string, ManifestGroup>, sink: Sink): void {
    if (this.#isReadOnly || this.#isBroken) return;
    const text = textOf(groups);
    if ((this.#writer?.isEmpty ?? true) && text === this.#text) this.discard();
    else this.#attempt(sink, () => this.#begin().commit(text));
  }

  #open(sink: Sink): Manifest {
    const stats = statSync(this.#out, { throwIfNoEntry: false });
    if (stats === undefined) return EMPTY_MANIFEST;
    if (!stats.isDirectory())
      throw new Error("the output path must be a folder");
    const manifest = this.#read();
    if (this.#text === undefined)
      sink.report(
        "manifest-invalid",
        `the manifest in ${this.#out} is not valid; it is ignored`,
      );
    return this.#isReadOnly
      ? this.#predict(manifest, sink)
      : this.#recover(manifest, sink);
  }

  #read(): Manifest {
    const manifest = readManifest(this.#out);
    this.#text = manifest === undefined ? undefined : manifestText(manifest);
    return manifest ?? EMPTY_MANIFEST;
  }

  /** Returns the manifest that `recover` would write. Changes no files. */
  #predict(manifest: Manifest, sink: Sink): Manifest {
    const isForeign = inspectStaging(this.#out).state === "foreign";
    if (isForeign)
      this.#reportForeign(
        "the next run without --check or --dry-run will rename it",
        sink,
      );
    return predictRecovery(this.#out, manifest);
  }

  #recover(manifest: Manifest, sink: Sink): Manifest {
    assertUnlocked(inspectStaging(this.#out));
    const recovered = recover(this.#out, manifest, (name) =>
      this.#reportForeign(`it was renamed to ${name}`, sink),
    );
    if (recovered !== manifest) this.#read();
    return recovered;
  }

  #reportForeign(consequence: string, sink: Sink): void {
    sink.report(
      "staging-foreign",
      `${STAGING} in ${this.#out} was not created by this user; ${consequence}`,
    );
  }

  /**
   * Returns the writer of this folder. The first call creates the writer, which
   * locks the folder.
   */
  #begin(): OutputWriter {
    if (this.#writer === undefined) {
      const before = this.#text;
      this.#writer = new OutputWriter(this.#out);
      this.#read();
      this.#isOutdated = this.#text !== before;
    }
    if (this.#isOutdated)
      throw new Error("another run changed the output; run `gen` again");
    return this.#writer;
  }

  #attempt<T>(sink: Sink, action: () => T): T | undefined {
    if (this.#isBroken) return undefined;
    try {
      return action();
    } catch (error) {
      this.#isBroken = true;
      sink.report(
        "output-unwritable",
        `${this.#out}: ${(error as Error).message}`,
      );
      this.discard();
      return undefined;
    }
  }

  /** Removes all prepared files. */
  discard(): void {
    try {
      this.#writer?.discard();
    } catch {
      // The error is ignored, because a failure to write to the folder has
      // already been reported.
    }
  }
}

function textOf(groups: ReadonlyMap<string, ManifestGroup>): string {
  return manifestText({ format: 2, groups: Object.fromEntries(groups) });
}
