import { randomInt } from "node:crypto";
import {
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  rmdirSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { readPlainFile } from "../platform/plain-file.js";
import { readUnverified, verifySealed } from "../platform/seal.js";
import { makeFolder, removeIfEmpty } from "../platform/folders.js";
import {
  isProvenRunning,
  isRunning,
  ownerText,
  parseOwner,
  type Owner,
} from "./lock.js";
import { entryExists } from "../platform/paths.js";

/**
 * Name of the folder in the output for prepared files. It is removed at the end
 * of a run.
 */
export const STAGING = ".gen-staging";

const OWNER = "owner";
const JOURNAL = "journal.json";

/**
 * Pattern for the names of prepared files and folders. Files with other names
 * were not created by a run.
 */
export const PREPARED =
  /^(?:journal\.json(?:\.new)?|owner|(?:owner|new|old|manifest)-\d+)$/;

/** Pattern for the name of a lock file that is not complete. */
const INCOMPLETE_LOCK = /^owner-\d+$/;

/** Maximum number of attempts to lock a folder while other runs remove it. */
const ATTEMPTS = 5;

/** Maximum size of a lock file in bytes. */
const OWNER_BYTES = 4096;

/** Error that is thrown if another run is writing to the same output folder. */
export class LockedError extends Error {}

/**
 * State of the staging folder. A repository can contain a folder of this name,
 * so its content is accepted only in two states: `own`, with a lock that has
 * the signature of this user, and `others`, with a lock that names a running
 * process. All other folders with content are `foreign`.
 */
export type StagingState =
  | { readonly state: "absent" | "empty" | "foreign" }
  | { readonly state: "own"; readonly owner: Owner; readonly isLocked: boolean }
  | { readonly state: "others"; readonly owner: Owner };

/** Returns the state of the staging folder. */
export function inspectStaging(out: string): StagingState {
  const staging = path.join(out, STAGING);
  const stats = lstatSync(staging, { throwIfNoEntry: false });
  if (stats === undefined) return { state: "absent" };
  if (!stats.isDirectory()) return { state: "foreign" };
  const names = readdirSync(staging);
  if (names.every((name) => INCOMPLETE_LOCK.test(name)))
    return { state: "empty" };
  return readOwner(out, names) ?? { state: "foreign" };
}

function readOwner(
  out: string,
  names: readonly string[],
): StagingState | undefined {
  const file = path.join(out, STAGING, OWNER);
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  // If the lock file is empty, a run was killed after it created the file and
  // before it wrote its content.
  const isEmptyLock = stats.isFile() && stats.size === 0 && names.length === 1;
  if (isEmptyLock) return { state: "empty" };
  const text = readPlainFile(file, OWNER_BYTES)?.toString() ?? "";
  const owner = parseOwner(verifySealed("lock", out, text));
  const age = Math.abs(Date.now() - stats.mtimeMs);
  if (owner !== undefined)
    return { state: "own", owner, isLocked: isRunning(owner, age) };
  const unverified = parseOwner(readUnverified(text));
  return unverified !== undefined && isProvenRunning(unverified)
    ? { state: "others", owner: unverified }
    : undefined;
}

/**
 * Throws LockedError if the run that created the staging folder is still
 * running.
 */
export function assertUnlocked(staging: StagingState): void {
  const isLocked =
    staging.state === "others" || (staging.state === "own" && staging.isLocked);
  if (isLocked)
    throw new LockedError(
      `another run (process ${staging.owner.pid}) is writing to the output folder`,
    );
}

/**
 * Locks the output folder for this run: creates it if it does not exist, and the
 * staging folder with a lock file in it. If the run that has just released the
 * lock removes one of these folders meanwhile, tries again.
 * @returns the output folder and its parents, as far as they were created; parents
 * first
 * @throws LockedError if another run has locked the folder
 */
export function lockStaging(
  out: string,
  attempts: number = ATTEMPTS,
): readonly string[] {
  const created = makeFolder(out);
  try {
    makeStaging(out);
    writeLock(path.join(out, STAGING), ownerText(out));
    return created;
  } catch (error) {
    removeIfEmpty([...created, path.join(out, STAGING)]);
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" && attempts > 1)
      return [...created, ...lockStaging(out, attempts - 1)];
    const isLocked =
      code === "EEXIST" || (code === "ENOENT" && entryExists(out));
    throw isLocked
      ? new LockedError("another run is writing to the output folder")
      : error;
  }
}

/** Creates the staging folder, or removes the rest of a lock from an empty one. */
function makeStaging(out: string): void {
  const staging = path.join(out, STAGING);
  try {
    mkdirSync(staging);
  } catch (error) {
    if (inspectStaging(out).state !== "empty") throw error;
    const lock = path.join(staging, OWNER);
    const stats = lstatSync(lock, { throwIfNoEntry: false });
    if (stats?.size === 0) rmSync(lock, { force: true });
  }
}

/**
 * Writes the lock file. It gets its name when it is complete, so that other runs
 * never read an incomplete file.
 */
function writeLock(staging: string, text: string): void {
  const lock = path.join(staging, OWNER);
  const number = randomInt(2 ** 31);
  const temporary = `${lock}-${number}`;
  try {
    writeFileSync(temporary, text, { flag: "wx" });
    linkOrWrite(temporary, lock, text);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Creates a link to a file, or a copy if the file system has no links. */
function linkOrWrite(file: string, link: string, text: string): void {
  try {
    linkSync(file, link);
  } catch (error) {
    if (isByOtherRun(error)) throw error;
    writeOrRemove(link, text);
  }
}

/** Writes a new file. On failure, removes what it has written. */
function writeOrRemove(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: "wx" });
  } catch (error) {
    if (!isByOtherRun(error)) rmSync(file, { force: true });
    throw error;
  }
}

/** Tests for the errors that changes by another run cause. */
function isByOtherRun(error: unknown): boolean {
  const { code = "" } = error as NodeJS.ErrnoException;
  return code === "EEXIST" || code === "ENOENT";
}

/** Returns the names of the entries of the staging folder. */
export function namesInStaging(out: string): string[] {
  return readdirSync(path.join(out, STAGING));
}

/**
 * Removes prepared files. The journal is removed first, because without it the
 * next run does not try to recover.
 */
export function clearStaging(out: string): void {
  const staging = path.join(out, STAGING);
  const stats = lstatSync(staging, { throwIfNoEntry: false });
  if (stats?.isDirectory() !== true) return;
  const contents = readdirSync(staging).filter(
    (name) => PREPARED.test(name) && name !== JOURNAL && name !== OWNER,
  );
  for (const name of [JOURNAL, ...contents, OWNER])
    rmSync(path.join(staging, name), { recursive: true, force: true });
  try {
    rmdirSync(staging);
  } catch {
    // The folder contains files that were not created by a run. The next run
    // renames the folder.
  }
}

/**
 * Renames a staging folder (or a file with its name) that was not created by
 * this user, so that it can't affect or prevent a run. Returns the new name.
 */
export function setAside(out: string): string {
  for (let number = 1; ; number++) {
    const name = `${STAGING}.aside-${number}`;
    if (entryExists(path.join(out, name))) continue;
    renameSync(path.join(out, STAGING), path.join(out, name));
    return name;
  }
}
