import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

/** Where the service keeps its files. */
export interface Folders {
  /** For drafts; emptied at each start. */
  readonly work: string;
  readonly archives: string;
  /** File of a migration's archive. */
  archive(id: number): string;
  /** Removes what must not stay, if the service has no folder of its own. */
  close(): Promise<void>;
}

/**
 * Makes the folders. Drafts of a run before are thrown away, with archives that
 * nobody knows: their deletion, or their export, was interrupted.
 *
 * @param folder where the service may keep files; a temporary one if absent
 */
export async function openFolders(
  folder: string | undefined,
  isKnown: (id: number) => Promise<boolean>,
): Promise<Folders> {
  const base = folder ?? (await mkdtemp(path.join(tmpdir(), "migration-")));
  const work = path.join(base, "work");
  const archives = path.join(base, "archives");
  await rm(work, { recursive: true, force: true, maxRetries: 5 });
  await mkdir(work, { recursive: true });
  await mkdir(archives, { recursive: true });
  for (const name of await readdir(archives))
    if (!(await isKnown(Number.parseInt(name, 10))))
      await rm(path.join(archives, name), { force: true });
  return {
    work,
    archives,
    archive: (id) => path.join(archives, `${id}.tar.gz`),
    close: async () => {
      if (folder === undefined)
        await rm(base, { recursive: true, force: true });
    },
  };
}
