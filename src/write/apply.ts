import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  copyFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { STAGING, writeJournal, type Swap } from "./journal.js";
import { MANIFEST } from "./manifest.js";
import { isChange, type GroupPlan, type PlannedFile } from "./plan.js";

/**
 * Applies plans so that a run killed at any moment leaves, for each API, the
 * old output or the new one. Everything is prepared in a folder beside the
 * output first; then each API's folder is exchanged as a whole. What others
 * put there is carried over as hard links, so that it never moves or changes.
 */
export class Writer {
  readonly #out: string;
  readonly #swaps: Swap[] = [];
  readonly #claimed: string[] = [];
  readonly #deletions: string[] = [];
  #count = 0;

  constructor(out: string) {
    this.#out = out;
  }

  /** Prepares a group's folder. Throws what the file system throws; the output is as before. */
  stage({ folder, files }: GroupPlan): void {
    const changes = files.filter(isChange);
    if (changes.length === 0) return;
    this.#claimed.push(
      ...changes
        .filter(({ action }) => action !== "delete")
        .map((file) => file.path),
    );
    const [only] = changes;
    if (
      changes.length === 1 &&
      existsSync(path.dirname(path.join(this.#out, only!.path)))
    )
      this.#stageFile(only!);
    else this.#stageFolder(folder, files);
  }

  /** Puts everything in place, the manifest last, and cleans up. */
  commit(manifest: string): void {
    const stagedManifest = this.#prepare("manifest");
    writeFileSync(path.join(this.#out, stagedManifest), manifest);
    writeJournal(this.#out, { swaps: this.#swaps, claimed: this.#claimed });
    for (const swap of this.#swaps) this.#exchange(swap);
    for (const file of this.#deletions) unlinkSync(path.join(this.#out, file));
    renameSync(
      path.join(this.#out, stagedManifest),
      path.join(this.#out, MANIFEST),
    );
    this.#removeEmptyFolders();
    this.discard();
  }

  /** Removes what was prepared; the output is as it was. */
  discard(): void {
    rmSync(path.join(this.#out, STAGING), { recursive: true, force: true });
  }

  #stageFile(file: PlannedFile): void {
    if (file.action === "delete") {
      this.#deletions.push(file.path);
      return;
    }
    const from = this.#prepare("file");
    writeFileSync(path.join(this.#out, from), file.text!);
    this.#swaps.push({ from, to: file.path, backup: "" });
  }

  #stageFolder(folder: string, files: readonly PlannedFile[]): void {
    const from = this.#prepare("new");
    const target = path.join(this.#out, from);
    mkdirSync(target);
    const replaced = new Set(files.filter(isChange).map((file) => file.path));
    carryOver(path.join(this.#out, folder), target, folder, replaced);
    const folders = new Set<string>();
    for (const file of files) {
      if (file.action !== "create" && file.action !== "update") continue;
      const name = path.join(target, file.path.slice(folder.length + 1));
      const parent = path.dirname(name);
      if (!folders.has(parent)) mkdirSync(parent, { recursive: true });
      folders.add(parent);
      writeFileSync(name, file.text!);
    }
    this.#swaps.push({ from, to: folder, backup: this.#prepare("old") });
  }

  #prepare(kind: string): string {
    if (this.#count === 0)
      mkdirSync(path.join(this.#out, STAGING), { recursive: true });
    return `${STAGING}/${kind}-${this.#count++}`;
  }

  /** Two renames with nothing between them; a file needs only one. */
  #exchange({ from, to, backup }: Swap): void {
    const target = path.join(this.#out, to);
    mkdirSync(path.dirname(target), { recursive: true });
    if (backup !== "" && existsSync(target))
      renameSync(target, path.join(this.#out, backup));
    renameSync(path.join(this.#out, from), target);
  }

  /** Folders that deletions left empty, up to --out. */
  #removeEmptyFolders(): void {
    const folders = new Set([
      ...this.#deletions.map((file) => path.dirname(file)),
      ...this.#swaps.filter(({ backup }) => backup !== "").map(({ to }) => to),
    ]);
    for (const folder of folders) {
      for (
        let current = folder;
        current !== "." && current !== "";
        current = path.dirname(current)
      ) {
        if (!removeIfEmpty(path.join(this.#out, current))) break;
      }
    }
  }
}

function removeIfEmpty(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch {
    return false;
  }
}

/** Hard links to all that stays: our unchanged files, and whatever others put there. */
function carryOver(
  from: string,
  to: string,
  relative: string,
  replaced: ReadonlySet<string>,
): void {
  if (!existsSync(from)) return;
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const name = `${relative}/${entry.name}`;
    const source = path.join(from, entry.name);
    const target = path.join(to, entry.name);
    if (entry.isDirectory()) {
      mkdirSync(target, { mode: lstatSync(source).mode });
      carryOver(source, target, name, replaced);
      removeIfEmptied(source, target);
    } else if (entry.isSymbolicLink())
      symlinkSync(readlinkSync(source), target);
    else if (!replaced.has(name)) link(source, target);
  }
}

/** A folder that only held files which go is not carried over. */
function removeIfEmptied(source: string, target: string): void {
  if (readdirSync(source).length > 0) removeIfEmpty(target);
}

function link(source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch {
    copyFileSync(source, target);
  }
}
