import { readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { makeFolder, removeIfEmpty } from "../platform/folders.js";
import { entryExists } from "../platform/paths.js";
import { replaceFile, temporaryOf } from "../platform/replace-file.js";
import { refuseLinks } from "./existing-files.js";
import { isChange, type PlannedFile } from "./plan.js";

/**
 * Writes and deletes files below `--out`, which the run has locked. Each file is
 * written to a temporary file beside it, which is renamed, so an existing file is
 * always complete.
 */
export class FileWriter {
  readonly #out: string;
  readonly #written = new Set<PlannedFile>();
  /** Folders into which this run has written. */
  readonly #folders = new Set<string>();
  /** Folders that this run created, parents first. */
  readonly #newFolders: string[];

  /** @param newFolders folders that this run has already created, parents first */
  constructor(out: string, newFolders: readonly string[]) {
    this.#out = out;
    this.#newFolders = [...newFolders];
  }

  /** Planned changes that were made. */
  get written(): ReadonlySet<PlannedFile> {
    return this.#written;
  }

  /**
   * Makes planned changes, deletions last. Throws the first file system error;
   * `written` then contains the changes that were made before.
   */
  apply(files: readonly PlannedFile[]): void {
    const changes = files.filter(isChange);
    for (const file of changes)
      if (file.content !== undefined) {
        if (file.action === "create") this.#refuseExisting(file.path);
        this.write(file.path, file.content);
        this.#written.add(file);
      }
    for (const file of changes)
      if (file.action === "delete") {
        this.#delete(file.path);
        this.#written.add(file);
      }
  }

  /** Replaces or creates a file. */
  write(relative: string, content: string): void {
    const file = path.join(this.#out, relative);
    const folder = path.dirname(file);
    if (!this.#folders.has(folder)) {
      refuseLinks(this.#out, relative);
      this.#newFolders.push(...makeFolder(folder));
      this.#folders.add(folder);
    }
    replaceFile(file, content, { followsLinks: false, isDurable: false });
  }

  /** Removes the folders that this run created, if they are empty. */
  removeNewFolders(): void {
    removeIfEmpty(this.#newFolders);
  }

  /**
   * Removes the temporary files that killed runs left beside files, and folders
   * that are empty then.
   * @param paths files that this run or an earlier one generates
   */
  removeTemporaries(paths: ReadonlySet<string>): void {
    for (const folder of new Set([...paths].map(folderOf))) {
      let isChanged = false;
      for (const name of filesIn(this.#out, folder)) {
        const original = temporaryOf(name);
        if (original === undefined || !paths.has(within(folder, original)))
          continue;
        rmSync(path.join(this.#out, folder, name), { force: true });
        isChanged = true;
      }
      if (isChanged) this.#removeIfEmpty(folder);
    }
  }

  #delete(relative: string): void {
    refuseLinks(this.#out, relative);
    rmSync(path.join(this.#out, relative), { force: true });
    this.#removeIfEmpty(folderOf(relative));
  }

  /** Removes a folder and its parents below `--out` as far as they are empty. */
  #removeIfEmpty(relative: string): void {
    const parts = relative === "" ? [] : relative.split("/");
    removeIfEmpty(
      parts.map((_, index) =>
        path.join(this.#out, ...parts.slice(0, index + 1)),
      ),
    );
  }

  /** Throws if another program created a file after the plan was made. */
  #refuseExisting(relative: string): void {
    if (entryExists(path.join(this.#out, relative)))
      throw new Error(
        `${relative} was created by another program during the run`,
      );
  }
}

function folderOf(relative: string): string {
  return relative.slice(0, Math.max(0, relative.lastIndexOf("/")));
}

function within(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}

/** Returns the names of the regular files in a folder that is not behind a link. */
function filesIn(out: string, folder: string): string[] {
  try {
    refuseLinks(out, within(folder, ""));
    return readdirSync(path.join(out, folder), { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name);
  } catch {
    return [];
  }
}
