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
import { isChange, type GroupPlan, type PlannedFile } from "./plan.js";
import { inspectStaging, assertUnlocked, STAGING } from "./staging.js";

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
  /** Canonical text of the manifest on the disk; undefined where it is damaged. */
  #text: string | undefined = manifestText(EMPTY_MANIFEST);
  #writer: OutputWriter | undefined;
  #isBroken = false;

  /** @param isReadOnly only look: nothing is written, mended or cleaned */
  constructor(out: string, isReadOnly: boolean, sink: Sink) {
    this.#out = out;
    this.#isReadOnly = isReadOnly;
    this.before = this.#attempt(sink, () => this.#open(sink)) ?? EMPTY_MANIFEST;
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

  /** Leaves a group as it is, although it was prepared. */
  unstage(folder: string): void {
    this.#writer?.unstage(folder);
  }

  /** What happens to the manifest; undefined where it stays. */
  planManifest(
    groups: ReadonlyMap<string, ManifestGroup>,
  ): PlannedFile | undefined {
    const text = textOf(groups);
    if (this.#isBroken || text === this.#text) return undefined;
    const isAbsent = this.#text === manifestText(EMPTY_MANIFEST);
    const action = isAbsent ? "create" : "update";
    return { path: MANIFEST, action, hash: hash(text) };
  }

  /** Puts in place what was prepared, and the manifest, if it changes. */
  commit(groups: ReadonlyMap<string, ManifestGroup>, sink: Sink): void {
    if (this.#isReadOnly || this.#isBroken) return;
    const text = textOf(groups);
    if ((this.#writer?.isEmpty ?? true) && text === this.#text) this.discard();
    else this.#attempt(sink, () => this.#begin().commit(text));
  }

  #open(sink: Sink): Manifest {
    const stats = statSync(this.#out, { throwIfNoEntry: false });
    if (stats === undefined) return EMPTY_MANIFEST;
    if (!stats.isDirectory()) throw new Error("is not a folder");
    const manifest = this.#read();
    if (this.#text === undefined)
      sink.report(
        "manifest-invalid",
        `the manifest in ${this.#out} is damaged`,
      );
    return this.#isReadOnly
      ? this.#predict(manifest, sink)
      : this.#recover(manifest, sink);
  }

  #read(): Manifest {
    const found = readManifest(this.#out);
    this.#text = found === undefined ? undefined : manifestText(found);
    return found ?? EMPTY_MANIFEST;
  }

  /** What `recover` would do. */
  #predict(manifest: Manifest, sink: Sink): Manifest {
    const isForeign = inspectStaging(this.#out).state === "foreign";
    if (isForeign) this.#reportForeign("a run renames it", sink);
    return predictRecovery(this.#out, manifest);
  }

  #recover(manifest: Manifest, sink: Sink): Manifest {
    assertUnlocked(inspectStaging(this.#out));
    const mended = recover(this.#out, manifest, (name) =>
      this.#reportForeign(`it is called ${name} now`, sink),
    );
    if (mended !== manifest) this.#read();
    return mended;
  }

  #reportForeign(consequence: string, sink: Sink): void {
    sink.report(
      "staging-foreign",
      `${STAGING} in ${this.#out} was not made by a run of this user; ${consequence}`,
    );
  }

  /** The writer; the folder is this run's own from here on. */
  #begin(): OutputWriter {
    if (this.#writer !== undefined) return this.#writer;
    const known = this.#text;
    this.#writer = new OutputWriter(this.#out);
    this.#read();
    if (this.#text !== known)
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
      this.discard();
      return undefined;
    }
  }

  /** Removes what was prepared. */
  discard(): void {
    try {
      this.#writer?.discard();
    } catch {
      // A folder that can't be written can't be cleaned either.
    }
  }
}

function textOf(groups: ReadonlyMap<string, ManifestGroup>): string {
  return manifestText({ format: 2, groups: Object.fromEntries(groups) });
}
