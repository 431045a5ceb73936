import { randomBytes } from "node:crypto";
import {
  closeSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { makeFolder, removeIfEmpty } from "../platform/folders.js";
import { entryExists } from "../platform/paths.js";
import { removeQuietly } from "../platform/remove-quietly.js";
import { refuseLinks } from "./existing-files.js";
import { isChange, type PlannedFile } from "./plan.js";

/** Pattern for the names of temporary files. */
const TEMPORARY = /^\.gen-[0-9a-f]{16}\.tmp$/;

/**
 * Writes and deletes files below `--out`. Each file is written to a temporary
 * file beside it, which is renamed, so an existing file is always complete.
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
  write(relative: string, content: string | Uint8Array): void {
    const file = path.join(this.#out, relative);
    const folder = path.dirname(file);
    if (!this.#folders.has(folder)) this.#prepare(folder, relative);
    const temporary = path.join(
      folder,
      `.gen-${randomBytes(8).toString("hex")}.tmp`,
    );
    const descriptor = openSync(temporary, "wx");
    try {
      try {
        writeFileSync(descriptor, content);
      } finally {
        closeSync(descriptor);
      }
      renameSync(temporary, file);
    } catch (error) {
      removeQuietly(temporary);
      throw error;
    }
  }

  /** Removes the folders that this run created, if they are empty. */
  removeNewFolders(): void {
    removeIfEmpty(this.#newFolders);
  }

  /**
   * Creates a folder, and removes the temporary files that a killed run left in
   * it. No other run writes here, because this run has locked the output.
   */
  #prepare(folder: string, relative: string): void {
    refuseLinks(this.#out, relative);
    const created = makeFolder(folder);
    this.#newFolders.push(...created);
    this.#folders.add(folder);
    if (created.length > 0) return;
    for (const entry of readdirSync(folder, { withFileTypes: true }))
      if (entry.isFile() && TEMPORARY.test(entry.name))
        removeQuietly(path.join(folder, entry.name));
  }

  #delete(relative: string): void {
    refuseLinks(this.#out, relative);
    rmSync(path.join(this.#out, relative), { force: true });
    const parents: string[] = [];
    for (
      let folder = path.posix.dirname(relative);
      folder !== ".";
      folder = path.posix.dirname(folder)
    )
      parents.unshift(path.join(this.#out, folder));
    removeIfEmpty(parents);
  }

  /** Throws if another program created a file after the plan was made. */
  #refuseExisting(relative: string): void {
    if (entryExists(path.join(this.#out, relative)))
      throw new Error(
        `${relative} was created by another program during the run`,
      );
  }
}
