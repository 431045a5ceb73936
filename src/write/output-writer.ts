import {
  lstatSync,
  readdirSync,
  renameSync,
  rmdirSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { linkRemaining, removeEmptiedFolders } from "./link-remaining.js";
import { makeFolder } from "../platform/folders.js";
import { linkOrCopy } from "../platform/link-or-copy.js";
import { makeFolderLike } from "./folder-entries.js";
import { finishStep, writeJournal, type Step } from "./journal.js";
import { refuseLinks } from "./path-inspector.js";
import { clearStaging, lock, STAGING } from "./staging.js";
import { MANIFEST, type ManifestGroup } from "./manifest.js";
import { isChange, type GroupPlan, type PlannedFile } from "./plan.js";
import { deferSignals } from "./defer-signals.js";

/**
 * Applies plans so that a killed run leaves either the old or the new output of
 * each API. All files are prepared in the staging folder. Then two renames
 * replace the folder of each API, since Node.js has no atomic exchange. If a
 * run is killed between the two renames, the next run restores the folder.
 */
export class OutputWriter {
  readonly #out: string;
  #steps: Step[] = [];
  /**
   * Files that this run creates. The run fails if another program creates one
   * of them first.
   */
  #created: string[] = [];
  #count = 0;
  /** True if the next run must recover from a failure of this one. */
  #needsRecovery = false;

  /** Throws LockedError if another run is writing into the folder. */
  constructor(out: string) {
    this.#out = out;
    lock(out);
  }

  /**
   * Prepares the files of a group without changing the output. Throws errors of
   * the file system.
   * @param after entry of the group in the new manifest
   */
  stage({ folder, files }: GroupPlan, after: ManifestGroup | undefined): void {
    const changes = files.filter(isChange);
    refuseLinks(this.#out, `${folder}/`);
    const [only] = changes;
    const step =
      changes.length === 1 && this.#exists(path.dirname(only!.path))
        ? this.#stageFile(only!)
        : this.#stageFolder(folder, files);
    this.#steps.push({
      folder,
      ...step,
      ...(after === undefined ? {} : { after }),
    });
    for (const file of changes) {
      if (file.action === "create") this.#created.push(file.path);
    }
  }

  /** Discards a prepared group. */
  unstage(folder: string): void {
    this.#steps = this.#steps.filter((step) => step.folder !== folder);
    this.#created = this.#created.filter(
      (file) => !file.startsWith(`${folder}/`),
    );
  }

  /** True if no group is prepared. */
  get isEmpty(): boolean {
    return this.#steps.length === 0;
  }

  /**
   * Replaces all prepared groups, then the manifest, and removes the staging
   * folder. On failure, undoes all replacements and throws the error.
   */
  commit(manifest: string): void {
    const prepared = this.#prepare("manifest");
    writeNew(path.join(this.#out, prepared), manifest);
    this.#refuseNewFiles();
    writeJournal(this.#out, this.#steps);
    deferSignals(() => {
      // If undoing fails as well, the next run needs the journal and the old
      // folders to recover.
      this.#needsRecovery = true;
      this.#replaceAll(prepared);
      for (const step of this.#steps) finishStep(this.#out, step);
      this.#needsRecovery = false;
    });
    this.discard();
  }

  /** Removes prepared files. */
  discard(): void {
    if (!this.#needsRecovery) clearStaging(this.#out);
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

  /** Prepares a single file, which is replaced by one rename. */
  #stageFile(file: PlannedFile): Omit<Step, "folder"> {
    const backup = this.#prepare("old");
    if (file.action === "delete")
      return { to: file.path, backup, replaced: [] };
    const from = this.#prepare("new");
    writeNew(path.join(this.#out, from), file.text!);
    if (file.action === "update") this.#backUp(file.path, backup);
    return { to: file.path, from, backup, replaced: [] };
  }

  /**
   * Creates a link to a file that will be replaced, so that the step can be
   * undone.
   */
  #backUp(file: string, backup: string): void {
    const [source, target] = [file, backup].map((name) =>
      path.join(this.#out, name),
    ) as [string, string];
    linkOrCopy(source, target);
  }

  #stageFolder(
    folder: string,
    files: readonly PlannedFile[],
  ): Omit<Step, "folder"> {
    const from = this.#prepare("new");
    const target = path.join(this.#out, from);
    const changed = files.filter(isChange).map((file) => file.path);
    makeFolderLike(path.join(this.#out, folder), target);
    linkRemaining(
      path.join(this.#out, folder),
      target,
      folder,
      new Set(changed),
    );
    writeTexts(folder, files, target);
    removeEmptiedFolders(path.join(this.#out, folder), target);
    const step = {
      to: folder,
      backup: this.#prepare("old"),
      replaced: changed.map((name) => name.slice(folder.length + 1)),
    };
    return removeIfEmpty(target) ? step : { ...step, from };
  }

  #prepare(kind: "new" | "old" | "manifest"): string {
    return `${STAGING}/${kind}-${this.#count++}`;
  }

  /** Throws if another program created a file after the plan was made. */
  #refuseNewFiles(): void {
    const existing = this.#created.find((file) => this.#exists(file));
    if (existing !== undefined)
      throw new Error(`${existing} was created during the run`);
  }

  /**
   * Replaces a folder or file. No other code may run between the two renames.
   */
  #replace({ to, from, backup }: Step): void {
    refuseLinks(this.#out, to);
    makeFolder(path.dirname(path.join(this.#out, to)));
    const hasBackup = this.#exists(backup);
    if (!hasBackup && this.#exists(to)) this.#move(to, backup);
    if (from !== undefined) this.#move(from, to);
  }

  /** Undoes a replacement that is complete, incomplete or not started. */
  #undo({ to, from, backup }: Step): void {
    if (from !== undefined && !this.#exists(from)) this.#move(to, from);
    if (this.#exists(backup)) this.#move(backup, to);
  }

  #move(from: string, to: string): void {
    renameSync(path.join(this.#out, from), path.join(this.#out, to));
  }

  #exists(relative: string): boolean {
    const file = path.join(this.#out, relative);
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  }
}

function writeTexts(
  folder: string,
  files: readonly PlannedFile[],
  target: string,
): void {
  const folders = new Set<string>();
  for (const file of files) {
    if (file.action !== "create" && file.action !== "update") continue;
    const name = path.join(target, file.path.slice(folder.length + 1));
    const parent = path.dirname(name);
    if (!folders.has(parent)) makeFolder(parent);
    folders.add(parent);
    writeNew(name, file.text!);
  }
}

/**
 * Writes a new file. Throws if the path exists, so that links are not followed.
 */
function writeNew(file: string, text: string): void {
  writeFileSync(file, text, { flag: "wx" });
}

/** Removes a folder if it is empty; returns whether it was removed. */
function removeIfEmpty(target: string): boolean {
  if (readdirSync(target).length > 0) return false;
  rmdirSync(target);
  return true;
}
