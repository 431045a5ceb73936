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

/** Where the service keeps its files. Several processes may share it. */
export interface Folders {
  /** For drafts of this process. */
  readonly work: string;
  /** Identifies the folder to the processes that share a store. */
  readonly id: string;
  /** Path of an archive's file. */
  archive(file: string): string;
  /**
   * Shows other processes that this one is alive, and removes what nobody needs: drafts of
   * processes that are gone, archives that are not in the store.
   *
   * @param known names of the archives in the store, read before
   * @param age milliseconds that a file has to be old; -Infinity where there is no other process
   */
  tend(known: ReadonlySet<string>, age: number): Promise<void>;
  /** Removes the drafts; everything if the service has no folder of its own. */
  close(): Promise<void>;
}

/**
 * Makes the folders.
 *
 * @param folder where the service may keep files; a temporary one if absent
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
    async tend(known, age) {
      await mkdir(work, { recursive: true });
      // A new file gives the folder a new time, by the clock of the file system.
      const alive = path.join(work, "alive");
      await rm(alive, { force: true });
      await writeFile(alive, "");
      const old = (await stat(alive)).mtimeMs - age;
      await removeOld(drafts, old, (name) => name === path.basename(work));
      await removeOld(archives, old, (name) => known.has(name));
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
    // What is gone was removed by another process.
    const found = await stat(file).catch(() => undefined);
    if (found === undefined || found.mtimeMs > time) continue;
    await rm(file, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** File that names the folder, whatever path each process knows it by. */
export const FOLDER_ID = "folder-id";

async function idOf(base: string): Promise<string> {
  const file = path.join(base, FOLDER_ID);
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, `${randomUUID()}\n`);
  // The first of several processes wins.
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  await rm(draft);
  return (await readFile(file, "utf8")).trim();
}
