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
 * Fills a prepared folder with all that stays: our unchanged files, and
 * whatever others put there, as hard links, so that nothing moves or changes.
 * @param replaced paths (as `relative/…`) that do not stay
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
    } else if (!replaced.has(name)) link(entry, source, target);
  }
}

/**
 * Moves what others put into a folder after it was carried over, or could not
 * be linked, from the old folder to the new one. What was linked is there.
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

/** A folder that became a link meanwhile leads elsewhere. */
function refuseLink(folder: string): void {
  if (!lstatSync(folder).isDirectory())
    throw new Error(`${folder} must be a folder, but is a link`);
}

function isSame(a: string, b: string): boolean {
  const [first, second] = [a, b].map((file) =>
    lstatSync(file, { bigint: true, throwIfNoEntry: false }),
  );
  return first?.ino === second?.ino && first?.dev === second?.dev;
}

/** A second name; of links, too, where the system does not follow them then (POSIX link). */
function link(entry: Dirent, source: string, target: string): void {
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
 * For file systems without hard links; the time is what build tools look at.
 * Large files are left to `sweep`, which renames them.
 */
function copy(source: string, target: string): void {
  const { atime, mtime, size } = lstatSync(source);
  if (size > MAX_PLAIN_BYTES) return;
  copyFileSync(source, target, constants.COPYFILE_EXCL);
  utimesSync(target, atime, mtime);
}

/** Removes folders that held nothing but what goes; empty ones of others stay. */
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
