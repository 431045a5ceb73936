import {
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  rmdirSync,
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
import {
  createLock,
  isLockFile,
  isRecent,
  LOCK,
  locksIn,
  retireLock,
} from "./lock-file.js";
import { entryExists } from "../platform/paths.js";

/**
 * Name of the folder in the output for prepared files. It is removed at the end
 * of a run.
 */
export const STAGING = ".gen-staging";

const JOURNAL = "journal.json";

/**
 * Pattern for the names of prepared files and folders. Files with other names
 * were not created by a run.
 */
export const PREPARED =
  /^(?:journal\.json(?:\.new)?|owner|(?:owner|new|old|manifest)-\d+)$/;

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
  if (names.length === 0) return { state: "empty" };
  const states = locksIn(names).map((name) => readLock(out, name, names));
  const found = states.find(isHeld) ?? states.find((one) => one !== undefined);
  return found ?? { state: "foreign" };
}

/** Returns the state that a lock file shows; undefined if it is not valid. */
function readLock(
  out: string,
  name: string,
  names: readonly string[],
): StagingState | undefined {
  const file = path.join(out, STAGING, name);
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  // If the lock file is empty, a run was killed after it created the file and
  // before it wrote its content.
  if (stats.isFile() && stats.size === 0 && names.every(isLockFile))
    return { state: "empty" };
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

/** Tests for the states of a staging folder whose run is still running. */
function isHeld(
  staging: StagingState | undefined,
): staging is Extract<StagingState, { readonly owner: Owner }> {
  return (
    staging?.state === "others" ||
    (staging?.state === "own" && staging.isLocked)
  );
}

/**
 * Throws LockedError if the run that created the staging folder is still
 * running.
 */
export function assertUnlocked(staging: StagingState): void {
  if (isHeld(staging))
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
  const staging = path.join(out, STAGING);
  let created: readonly string[] = [];
  try {
    created = makeFolder(out);
    makeStaging(out);
    createLock(staging, ownerText(out));
    return created;
  } catch (error) {
    const canRetry = attempts > 1 && isRemoved(out, error);
    removeIfEmpty([...created, staging]);
    if (canRetry) return [...created, ...lockStaging(out, attempts - 1)];
    throw asLocked(out, error);
  }
}

/** Tests whether an error can be due to a folder that another run removed. */
function isRemoved(out: string, error: unknown): boolean {
  return hasCode(error, "ENOENT") || !entryExists(out);
}

/**
 * Locks a staging folder that a killed run of this user left. `clearStaging`
 * releases the lock.
 * @throws LockedError if another run has locked the folder
 */
export function takeOverStaging(out: string): void {
  try {
    retireOwnLock(out);
    createLock(path.join(out, STAGING), ownerText(out));
  } catch (error) {
    throw asLocked(out, error);
  }
}

/** Releases a lock without removing prepared files, so that the next run recovers. */
export function releaseStaging(out: string): void {
  rmSync(path.join(out, STAGING, LOCK), { force: true });
}

/** Creates the staging folder, or uses one that has at most an empty lock file. */
function makeStaging(out: string): void {
  try {
    mkdirSync(path.join(out, STAGING));
  } catch (error) {
    if (inspectStaging(out).state !== "empty") throw error;
    retireOwnLock(out);
  }
}

/** Renames the lock file if its run has ended. */
function retireOwnLock(out: string): void {
  const staging = path.join(out, STAGING);
  retireLock(staging, (name) => {
    const stats = lstatSync(path.join(staging, name));
    if (stats.size === 0) return !isRecent(stats);
    const found = readLock(out, name, [name]);
    return found?.state === "own" && !found.isLocked;
  });
}

/** Returns a LockedError for the errors that another run causes. */
function asLocked(out: string, error: unknown): unknown {
  // EEXIST can also mean that `out` is a file or a link to nothing.
  const { path: name = path.join(out, STAGING) } =
    error as NodeJS.ErrnoException;
  const isChanged = hasCode(error, "EEXIST") || hasCode(error, "ENOENT");
  return isChanged && name.startsWith(path.join(out, STAGING))
    ? new LockedError("another run is writing to the output folder")
    : error;
}

function hasCode(error: unknown, code: string): boolean {
  return (error as NodeJS.ErrnoException).code === code;
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
    (name) => PREPARED.test(name) && name !== JOURNAL && name !== LOCK,
  );
  for (const name of [JOURNAL, ...contents, LOCK])
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
