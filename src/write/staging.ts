import {
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
import { makeFolder, removeEmptyFolders } from "../platform/folders.js";
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
  /^(?:journal\.json(?:\.new)?|owner|(?:new|old|manifest)-\d+)$/;

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
 * Creates the staging folder for this run, and the output folder if there is
 * none. Throws LockedError if another run has already created it.
 * @returns the folders that were created outside the staging folder, parents first
 */
export function lockStaging(out: string): readonly string[] {
  const created = makeFolder(out);
  const staging = path.join(out, STAGING);
  if (inspectStaging(out).state === "empty")
    rmSync(staging, { recursive: true, force: true });
  try {
    mkdirSync(staging);
    writeLock(staging, ownerText(out));
    return created;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" || (code === "ENOENT" && entryExists(out)))
      throw new LockedError("another run is writing to the output folder");
    removeEmptyFolders(created);
    throw error;
  }
}

/** Writes the lock file. If that fails, removes the staging folder. */
function writeLock(staging: string, text: string): void {
  const file = path.join(staging, OWNER);
  try {
    writeFileSync(file, text, { flag: "wx" });
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    // These error codes mean that another run has replaced the folder.
    if (!["EEXIST", "ENOENT"].includes(code))
      rmSync(staging, { recursive: true, force: true });
    throw error;
  }
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
