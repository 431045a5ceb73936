import { randomUUID } from "node:crypto";
import {
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

/** Folders of the service. Several processes can share them. */
export interface Folders {
  /** Folder for temporary files of this process. */
  readonly work: string;
  /**
   * Identifier of the folder. Processes that share a store use it to check that
   * they also share the folder.
   */
  readonly id: string;
  archive(file: string): string;
  /**
   * Updates the file that shows that this process is running, and removes
   * unused files: temporary files of processes that have ended, and archives
   * that are not in the store.
   *
   * @param knownNames names of the archives in the store, read before this call
   * @param age minimum age of removed files in milliseconds. The value
   *   -Infinity removes files of any age, which is allowed if no other process
   *   uses the folder
   */
  cleanUp(knownNames: ReadonlySet<string>, age: number): Promise<void>;
  /**
   * Removes the temporary files, and the archives if the folder is temporary.
   */
  close(): Promise<void>;
}

/**
 * Creates the folders.
 *
 * @param folder folder of the service; if undefined, a temporary folder is
 * created
 */
export async function openFolders(
  folder: string | undefined,
): Promise<Folders> {
  const base = folder ?? (await mkdtemp(path.join(tmpdir(), "migration-")));
  const drafts = path.join(base, "work");
  const archives = path.join(base, "archives");
  const work = path.join(drafts, randomUUID());
  await mkdir(work, { recursive: true });
  await mkdir(archives, { recursive: true });
  return {
    work,
    id: await idOf(base),
    archive: (file) => path.join(archives, path.basename(file)),
    async cleanUp(knownNames, age) {
      await mkdir(work, { recursive: true });
      // A new file updates the mtime of the folder. The mtime shows other
      // processes that this process is running. The mtime of the new file is
      // used as the current time, because the clock of the file system can
      // differ from the local clock.
      const alive = path.join(work, "alive");
      await rm(alive, { force: true });
      await writeFile(alive, "");
      const threshold = (await stat(alive)).mtimeMs - age;
      await removeOld(
        drafts,
        threshold,
        (name) => name === path.basename(work),
      );
      await removeOld(archives, threshold, (name) => knownNames.has(name));
    },
    async close() {
      await rm(folder === undefined ? base : work, {
        recursive: true,
        force: true,
        maxRetries: 3,
      });
    },
  };
}

async function removeOld(
  folder: string,
  time: number,
  isNeeded: (name: string) => boolean,
): Promise<void> {
  for (const name of await readdir(folder)) {
    if (isNeeded(name)) continue;
    const file = path.join(folder, name);
    // `stats` is undefined if another process has removed the file.
    const stats = await stat(file).catch(() => undefined);
    if (stats === undefined || stats.mtimeMs > time) continue;
    await rm(file, { recursive: true, force: true, maxRetries: 5 });
  }
}

/**
 * Name of the file that contains the identifier of the folder. The path of the
 * folder can't identify it, because processes can mount the folder at different
 * paths.
 */
export const FOLDER_ID = "folder-id";

async function idOf(base: string): Promise<string> {
  const file = path.join(base, FOLDER_ID);
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, `${randomUUID()}\n`);
  // If several processes create the file at the same time, the first file
  // remains and all processes read it.
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  await rm(draft);
  return (await readFile(file, "utf8")).trim();
}
