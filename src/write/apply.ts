import {
  lstatSync,
  readdirSync,
  renameSync,
  rmdirSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { carryOver, prune } from "./carry-over.js";
import { makeFolder } from "../platform/folders.js";
import { linkOrCopy } from "../platform/link-or-copy.js";
import { makeLike } from "./folder-entries.js";
import { complete, writeJournal, type Step } from "./journal.js";
import { refuseLinks } from "./inspect.js";
import { clearStaging, lock, STAGING } from "./staging.js";
import { MANIFEST, type ManifestGroup } from "./manifest.js";
import { isChange, type GroupPlan, type PlannedFile } from "./plan.js";
import { uninterrupted } from "./signals.js";

/**
 * Applies plans so that a run killed at any moment leaves, for each API, the
 * old output or the new one. Everything is prepared in a folder beside the
 * output first; then each API's folder is exchanged as a whole, by two renames
 * (the operating system's exchange in one is out of Node's reach): a run that
 * is killed exactly between them leaves the folder to the next run, which puts
 * it back.
 */
export class Writer {
  readonly #out: string;
  #steps: Step[] = [];
  /** Files that must not be there when their folder is exchanged. */
  #created: string[] = [];
  #count = 0;
  /** Whether the next run has to mend what this one could not. */
  #isStuck = false;

  /** Throws LockedError where another run is writing. */
  constructor(out: string) {
    this.#out = out;
    lock(out);
  }

  /**
   * Prepares a group. Throws what the file system throws; the output is as before.
   * @param after what the manifest is to say of the group
   */
  stage({ folder, files }: GroupPlan, after: ManifestGroup | undefined): void {
    const changes = files.filter(isChange);
    refuseLinks(this.#out, `${folder}/`);
    const [only] = changes;
    const step =
      changes.length === 1 && this.#isThere(path.dirname(only!.path))
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

  /** Forgets a group that was prepared; it stays as it is. */
  unstage(folder: string): void {
    this.#steps = this.#steps.filter((step) => step.folder !== folder);
    this.#created = this.#created.filter(
      (file) => !file.startsWith(`${folder}/`),
    );
  }

  /** Whether nothing was prepared. */
  get isEmpty(): boolean {
    return this.#steps.length === 0;
  }

  /**
   * Puts everything in place, the manifest last, and cleans up. Where that
   * fails, everything goes back to where it was, and the error is thrown.
   */
  commit(manifest: string): void {
    const prepared = this.#prepare("manifest");
    writeNew(path.join(this.#out, prepared), manifest);
    this.#refuseLatecomers();
    writeJournal(this.#out, this.#steps);
    uninterrupted(() => {
      // Where this fails halfway, the journal and the old folders have to stay.
      this.#isStuck = true;
      this.#exchangeAll(prepared);
      for (const step of this.#steps) complete(this.#out, step);
      this.#isStuck = false;
    });
    this.discard();
  }

  /** Removes what was prepared. */
  discard(): void {
    if (!this.#isStuck) clearStaging(this.#out);
  }

  #exchangeAll(manifest: string): void {
    const begun: Step[] = [];
    try {
      for (const step of this.#steps) {
        begun.unshift(step);
        this.#exchange(step);
      }
      this.#move(manifest, MANIFEST);
    } catch (error) {
      for (const step of begun) this.#undo(step);
      this.#isStuck = false;
      throw error;
    }
  }

  /** One file is exchanged by one rename. */
  #stageFile(file: PlannedFile): Omit<Step, "folder"> {
    const backup = this.#prepare("old");
    if (file.action === "delete")
      return { to: file.path, backup, replaced: [] };
    const from = this.#prepare("new");
    writeNew(path.join(this.#out, from), file.text!);
    if (file.action === "update") this.#keep(file.path, backup);
    return { to: file.path, from, backup, replaced: [] };
  }

  /** A second name for a file that is about to be replaced, for the way back. */
  #keep(file: string, backup: string): void {
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
    makeLike(path.join(this.#out, folder), target);
    carryOver(path.join(this.#out, folder), target, folder, new Set(changed));
    writeTexts(folder, files, target);
    prune(path.join(this.#out, folder), target);
    const step = {
      to: folder,
      backup: this.#prepare("old"),
      replaced: changed.map((name) => name.slice(folder.length + 1)),
    };
    return isEmptied(target) ? step : { ...step, from };
  }

  #prepare(kind: "new" | "old" | "manifest"): string {
    return `${STAGING}/${kind}-${this.#count++}`;
  }

  /** A file that appeared after the plan was made is not ours to replace. */
  #refuseLatecomers(): void {
    const late = this.#created.find((file) => this.#isThere(file));
    if (late !== undefined) throw new Error(`${late} appeared meanwhile`);
  }

  /** Nothing may stand between the two renames. */
  #exchange({ to, from, backup }: Step): void {
    refuseLinks(this.#out, to);
    makeFolder(path.dirname(path.join(this.#out, to)));
    const isKept = this.#isThere(backup);
    if (!isKept && this.#isThere(to)) this.#move(to, backup);
    if (from !== undefined) this.#move(from, to);
  }

  /** The reverse of an exchange that was done, begun, or not begun. */
  #undo({ to, from, backup }: Step): void {
    if (from !== undefined && !this.#isThere(from)) this.#move(to, from);
    if (this.#isThere(backup)) this.#move(backup, to);
  }

  #move(from: string, to: string): void {
    renameSync(path.join(this.#out, from), path.join(this.#out, to));
  }

  #isThere(relative: string): boolean {
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

/** Never writes through what is there. */
function writeNew(file: string, text: string): void {
  writeFileSync(file, text, { flag: "wx" });
}

/** Whether nothing is left, so that the folder itself can go. */
function isEmptied(target: string): boolean {
  if (readdirSync(target).length > 0) return false;
  rmdirSync(target);
  return true;
}
