import {
  constants,
  copyFileSync,
  linkSync,
  lstatSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  utimesSync,
  type Dirent,
} from "node:fs";
import path from "node:path";
import { MAX_PLAIN_BYTES } from "../platform/plain-file.js";
import { makeFolder } from "../platform/folders.js";
import { entriesOf, makeFolderLike } from "./folder-entries.js";

/**
 * Links the remaining files of a folder into its prepared replacement:
 * unchanged generated files, and files that other programs created. Hard links
 * do not change the original files.
 * @param relative path of the folder, in the form of the paths in `replaced`
 * @param replaced paths of files that must not be linked
 */
export function linkRemaining(
  from: string,
  to: string,
  relative: string,
  replaced: ReadonlySet<string>,
): void {
  for (const entry of entriesOf(from)) {
    const name = `${relative}/${entry.name}`;
    const source = path.join(from, entry.name);
    const target = path.join(to, entry.name);
    if (entry.isDirectory()) {
      makeFolderLike(source, target);
      linkRemaining(source, target, name, replaced);
    } else if (!replaced.has(name)) linkEntry(entry, source, target);
  }
}

/**
 * Moves all files that are still missing in the new folder from the old folder
 * to the new one: files that other programs created during the run, and files
 * that can't be linked.
 */
export function moveRemaining(
  from: string,
  to: string,
  relative: string,
  replaced: ReadonlySet<string>,
): void {
  for (const entry of entriesOf(from)) {
    const name = `${relative}/${entry.name}`;
    const source = path.join(from, entry.name);
    const target = path.join(to, entry.name);
    if (entry.isDirectory()) moveRemaining(source, target, name, replaced);
    else if (!replaced.has(name) && !isSame(source, target)) {
      makeFolder(to);
      refuseLink(to);
      renameSync(source, target);
    }
  }
}

/** Throws if a folder was replaced by a link during the run. */
function refuseLink(folder: string): void {
  if (!lstatSync(folder).isDirectory())
    throw new Error(`${folder} must be a folder, found a link`);
}

function isSame(a: string, b: string): boolean {
  const [first, second] = [a, b].map((file) =>
    lstatSync(file, { bigint: true, throwIfNoEntry: false }),
  );
  return first?.ino === second?.ino && first?.dev === second?.dev;
}

/**
 * Links a directory entry (a file or a symbolic link) to a new path. Only Linux
 * supports hard links to symbolic links, so symbolic links are copied on other
 * systems.
 */
function linkEntry(entry: Dirent, source: string, target: string): void {
  try {
    if (entry.isSymbolicLink() && process.platform !== "linux")
      symlinkSync(readlinkSync(source), target);
    else linkSync(source, target);
  } catch (error) {
    if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else if (entry.isFile()) copy(source, target);
    else throw error;
  }
}

/**
 * Copies a file on file systems without hard links. The modification time is
 * preserved, because build tools compare it. Large files are not copied;
 * `moveRemaining` renames them.
 */
function copy(source: string, target: string): void {
  const { atime, mtime, size } = lstatSync(source);
  if (size > MAX_PLAIN_BYTES) return;
  copyFileSync(source, target, constants.COPYFILE_EXCL);
  utimesSync(target, atime, mtime);
}

/**
 * Removes folders that became empty through deletions. Folders that were
 * already empty are not removed.
 */
export function removeEmptiedFolders(from: string, to: string): void {
  for (const entry of entriesOf(from)) {
    if (!entry.isDirectory()) continue;
    const source = path.join(from, entry.name);
    const target = path.join(to, entry.name);
    removeEmptiedFolders(source, target);
    const isEmptied =
      entriesOf(source).length > 0 && entriesOf(target).length === 0;
    if (isEmptied) rmdirSync(target);
  }
}
