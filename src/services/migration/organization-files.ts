import { lstat, readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { ArchiveWriter } from "./archive-writer.js";
import { orgFolders } from "./repositories.js";

/*
 * What git does not keep stands beside the repositories. Links are passed over:
 * they could lead out of the root.
 */

/** Bytes of projects.json, which is read as a whole. */
const PROJECTS = 16 * 1024 * 1024;

/**
 * Projects of an organization: the file `projects.json` of its folder, or none.
 *
 * @throws Error for a file that is no JSON, or too long
 */
export async function projectsOf(root: string, org: string): Promise<unknown> {
  const [folder] = await orgFolders(root, org);
  if (folder === undefined) return [];
  const file = path.join(folder, "projects.json");
  const found = await lookFor(file);
  if (found?.isFile() !== true) return [];
  if (found.size > PROJECTS)
    throw new Error(`projects.json has more than ${PROJECTS} bytes.`);
  try {
    return JSON.parse(await readFile(file, "utf8")) as unknown;
  } catch {
    throw new Error("projects.json of the organization is no JSON.");
  }
}

/** Puts the files of a folder, and of those within, in an archive; nothing where there is none. */
export async function addFolder(
  folder: string,
  name: string,
  writer: ArchiveWriter,
): Promise<void> {
  if (!(await isFolder(folder))) return;
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const file = path.join(folder, entry.name);
    const inside = `${name}/${entry.name}`;
    if (entry.isDirectory()) await addFolder(file, inside, writer);
    else if (entry.isFile()) await writer.file(inside, file);
  }
}

/** Whether there is a folder at a path, and not a link to one. */
export async function isFolder(folder: string): Promise<boolean> {
  return (await lookFor(folder))?.isDirectory() === true;
}

/** What is at a path; undefined for nothing. What can't be looked at is an error. */
function lookFor(
  file: string,
): Promise<Awaited<ReturnType<typeof lstat>> | undefined> {
  return lstat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
}
