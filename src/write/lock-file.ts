import { randomInt } from "node:crypto";
import { lstatSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { linkOrCopy } from "../platform/link-or-copy.js";
import { removeQuietly } from "../platform/remove-quietly.js";

/** Name of the lock file in the staging folder. */
export const LOCK = "owner";

/** Pattern for the names of lock files that are not complete or no longer valid. */
const OTHER_LOCK = /^owner-\d+$/;

/**
 * Minimum age in milliseconds of an empty lock file that a killed run left. A
 * younger one can belong to a run that has just created it, on a file system
 * without hard links.
 */
const EMPTY_AGE = 2_000;

/** Returns the names of the lock files among the entries of a staging folder. */
export function locksIn(names: readonly string[]): readonly string[] {
  return names.includes(LOCK)
    ? [LOCK]
    : names.filter((name) => OTHER_LOCK.test(name));
}

/** Tests whether an entry of a staging folder is a lock file. */
export function isLockFile(name: string): boolean {
  return name === LOCK || OTHER_LOCK.test(name);
}

/**
 * Creates the lock file. It gets its name when it is complete, so that other runs
 * never read an incomplete file.
 * @throws Error with the code EEXIST if there is a lock file
 */
export function createLock(staging: string, text: string): void {
  const temporary = otherName(staging);
  const lock = path.join(staging, LOCK);
  try {
    writeFileSync(temporary, text, { flag: "wx" });
    linkOrCopy(temporary, lock);
  } finally {
    removeQuietly(temporary);
  }
}

/**
 * Renames the lock file of a killed run, so that exactly one run can create a new
 * one. The renamed file remains until the staging folder is cleared: if this run
 * is killed too, it shows that the folder belongs to this user.
 * @param isExpired tests a lock file. It is called again for the renamed file,
 * because another run can have replaced the lock meanwhile.
 * @throws Error with the code EEXIST if another run has locked the folder
 */
export function retireLock(
  staging: string,
  isExpired: (name: string) => boolean,
): void {
  const lock = path.join(staging, LOCK);
  if (lstatSync(lock, { throwIfNoEntry: false }) === undefined) return;
  if (!isExpired(LOCK)) throw lockExists();
  const other = otherName(staging);
  renameSync(lock, other);
  if (isExpired(path.basename(other))) return;
  linkOrCopy(other, lock);
  removeQuietly(other);
  throw lockExists();
}

/** Tests whether an empty lock file can belong to a run that has just created it. */
export function isRecent({ mtimeMs }: { readonly mtimeMs: number }): boolean {
  return Math.abs(Date.now() - mtimeMs) < EMPTY_AGE;
}

function otherName(staging: string): string {
  return path.join(staging, `${LOCK}-${randomInt(2 ** 31)}`);
}

function lockExists(): Error {
  return Object.assign(new Error("the lock file exists"), { code: "EEXIST" });
}
