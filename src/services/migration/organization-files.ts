import { lstat, readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { ArchiveWriter } from "./archive-writer.js";
import { orgFolders } from "./repositories.js";

/*
 * Data that is not in git is stored in files next to the repositories. Links
 * are ignored, because their targets can be outside of the root folder.
 */

/** Maximum size of projects.json in bytes. */
const MAX_PROJECTS_BYTES = 16 * 1024 * 1024;

/**
 * Returns the projects of an organization from `projects.json` in its folder;
 * an empty list if the file is missing.
 *
 * @throws Error if the file is too large or is not JSON
 */
export async function projectsOf(root: string, org: string): Promise<unknown> {
  const [folder] = await orgFolders(root, org);
  if (folder === undefined) return [];
  const file = path.join(folder, "projects.json");
  const stats = await statIfExists(file);
  if (stats?.isFile() !== true) return [];
  if (stats.size > MAX_PROJECTS_BYTES)
    throw new Error(
      `projects.json is larger than ${MAX_PROJECTS_BYTES} bytes.`,
    );
  try {
    return JSON.parse(await readFile(file, "utf8")) as unknown;
  } catch {
    throw new Error("projects.json of the organization is not valid JSON.");
  }
}

/**
 * Adds the files of a folder and its subfolders to an archive. A missing folder
 * is ignored.
 */
export async function archiveFolder(
  folder: string,
  name: string,
  writer: ArchiveWriter,
): Promise<void> {
  if (!(await isFolder(folder))) return;
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const file = path.join(folder, entry.name);
    const innerName = `${name}/${entry.name}`;
    if (entry.isDirectory()) await archiveFolder(file, innerName, writer);
    else if (entry.isFile()) await writer.file(innerName, file);
  }
}

/** Tests whether a path is a folder. A link to a folder does not count. */
export async function isFolder(folder: string): Promise<boolean> {
  return (await statIfExists(folder))?.isDirectory() === true;
}

/**
 * Returns the stats of a path; undefined if the path does not exist. Rethrows
 * other errors.
 */
function statIfExists(
  file: string,
): Promise<Awaited<ReturnType<typeof lstat>> | undefined> {
  return lstat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
}
