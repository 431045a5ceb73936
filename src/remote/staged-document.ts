import path from "node:path";
import { lstatSync, renameSync, rmSync } from "node:fs";
import { makeFolder } from "../platform/folders.js";
import { clearLeftovers, replaceFile } from "../platform/replace-file.js";
import { readStored } from "./stored-document.js";

/**
 * Path of the new version of a document until its lock entry is written. It is
 * in the folder of the document, so that renaming it is atomic.
 */
function stagedFile(file: string): string {
  return `${file}.next`;
}

/** Writes the new version of a document. Throws file system errors. */
export function stage(file: string, bytes: Buffer): void {
  makeFolder(path.dirname(file));
  clearLeftovers(file);
  replaceFile(stagedFile(file), bytes, { followsLinks: false });
}

/** Replaces a document with its new version. Throws file system errors. */
export function commitStaged(file: string): void {
  renameSync(stagedFile(file), file);
}

/** Deletes the new version of a document, if one exists. */
export function discardStaged(file: string): void {
  rmSync(stagedFile(file), { force: true });
}

/**
 * Returns the digest of the new version that a killed process left; undefined if
 * there is none, or if it can't be read.
 */
export function stagedDigest(file: string): string | undefined {
  const staged = stagedFile(file);
  try {
    return lstatSync(staged, { throwIfNoEntry: false })?.isFile() === true
      ? readStored(staged)?.digest
      : undefined;
  } catch {
    return undefined;
  }
}
