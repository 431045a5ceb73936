import { lstatSync, renameSync } from "node:fs";
import path from "node:path";
import { makeFolder, removeIfEmpty } from "../platform/folders.js";
import { finishStep, writeJournal, type Step } from "./journal.js";
import { refuseLinks } from "./path-inspector.js";
import { clearStaging, lockStaging } from "./staging.js";
import { MANIFEST, type ManifestGroup } from "./manifest.js";
import { StagingNames, writeNew, type StagedGroup } from "./stage-group.js";
import { deferSignals } from "./defer-signals.js";

/**
 * Writes planned changes to the output folder. A killed run leaves either the
 * old or the new output of each API. All files are prepared in the staging
 * folder. Then two renames replace the folder of each API, because Node.js
 * can't exchange two folders atomically. If a run is killed between the two
 * renames, the next run restores the folder.
 */
export class OutputWriter {
  readonly #out: string;
  readonly names = new StagingNames();
  #steps: Step[] = [];
  /**
   * Paths of the files that this run creates. The run fails if another program
   * creates one of these files first.
   */
  #created: string[] = [];
  /**
   * True while a failure would leave the output in a state from which the next
   * run must recover.
   */
  #needsRecovery = false;
  #isCommitted = false;
  /** True if this run has released the lock. Another run can hold it now. */
  #isUnlocked = false;
  /** Folders to remove if this run writes nothing into them, parents first. */
  #newFolders: readonly string[];

  /** @throws LockedError if another run is writing to the folder */
  constructor(out: string) {
    this.#out = out;
    this.#newFolders = lockStaging(out);
  }

  /**
   * Adds prepared changes to those that will be written.
   * @param after new manifest entry of the API or runtime
   */
  add(
    folder: string,
    { step, created }: StagedGroup,
    after: ManifestGroup | undefined,
  ): void {
    this.#steps.push({
      folder,
      ...step,
      ...(after === undefined ? {} : { after }),
    });
    this.#created.push(...created);
  }

  /** Discards the prepared changes to an API or runtime. */
  unstage(folder: string): void {
    this.#steps = this.#steps.filter((step) => step.folder !== folder);
    this.#created = this.#created.filter(
      (file) => !file.startsWith(`${folder}/`),
    );
  }

  /** True if all changes were written. Later errors only leave prepared files. */
  get isCommitted(): boolean {
    return this.#isCommitted;
  }

  /** True if no changes have been prepared. */
  get isEmpty(): boolean {
    return this.#steps.length === 0;
  }

  /**
   * Executes all prepared changes, replaces the manifest, and removes the
   * staging folder. On failure, undoes all replacements and throws the error.
   */
  commit(manifest: string): void {
    const prepared = this.names.next("manifest");
    writeNew(path.join(this.#out, prepared), Buffer.from(manifest));
    this.#refuseNewFiles();
    writeJournal(this.#out, this.#steps);
    deferSignals(() => {
      // If undoing the replacements also fails, the next run needs the journal
      // and the old folders for its recovery.
      this.#needsRecovery = true;
      this.#replaceAll(prepared);
      this.#isCommitted = true;
      for (const step of this.#steps) finishStep(this.#out, step);
      this.#needsRecovery = false;
      this.#newFolders = [];
    });
    this.discard();
  }

  /** Removes all prepared files, and new folders without files; unlocks the folder. */
  discard(): void {
    if (this.#needsRecovery || this.#isUnlocked) return;
    clearStaging(this.#out);
    this.#isUnlocked = true;
    removeIfEmpty(this.#newFolders);
  }

  #replaceAll(manifest: string): void {
    const begun: Step[] = [];
    try {
      for (const step of this.#steps) {
        begun.unshift(step);
        this.#replace(step);
      }
      this.#move(manifest, MANIFEST);
    } catch (error) {
      for (const step of begun) this.#undo(step);
      this.#needsRecovery = false;
      throw error;
    }
  }

  /** Throws if another program created a file after the plan was made. */
  #refuseNewFiles(): void {
    const folders = new Map<string, boolean>();
    const existing = this.#created.find(
      (file) => this.#folderExists(file, folders) && this.#exists(file),
    );
    if (existing !== undefined)
      throw new Error(
        `${existing} was created by another program during the run`,
      );
  }

  /**
   * Replaces a folder or file with two renames. No other code may run between
   * them.
   */
  #replace({ to, from, backup }: Step): void {
    refuseLinks(this.#out, to);
    const created = makeFolder(path.dirname(path.join(this.#out, to)));
    this.#newFolders = [...this.#newFolders, ...created];
    const hasBackup = this.#exists(backup);
    if (!hasBackup && this.#exists(to)) this.#move(to, backup);
    if (from !== undefined) this.#move(from, to);
  }

  /** Undoes a replacement that was completed, interrupted or not started. */
  #undo({ to, from, backup }: Step): void {
    if (from !== undefined && !this.#exists(from)) this.#move(to, from);
    if (this.#exists(backup)) this.#move(backup, to);
  }

  #move(from: string, to: string): void {
    renameSync(path.join(this.#out, from), path.join(this.#out, to));
  }

  /** Tests whether the folder of a file exists, once for each folder. */
  #folderExists(file: string, known: Map<string, boolean>): boolean {
    const folder = file.slice(0, Math.max(0, file.lastIndexOf("/")));
    let exists = known.get(folder);
    if (exists === undefined)
      known.set(folder, (exists = this.#exists(folder)));
    return exists;
  }

  #exists(relative: string): boolean {
    const file = `${this.#out}/${relative}`;
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  }
}
