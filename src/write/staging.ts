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
import { claimedIn, unsealed } from "../platform/seal.js";
import { makeFolder } from "../platform/folders.js";
import {
  isProvenRunning,
  isRunning,
  ownerText,
  parseOwner,
  type Owner,
} from "./lock.js";

/** Folder in the output in which a run prepares; gone after it. */
export const STAGING = ".gen-staging";

const OWNER = "owner";
const JOURNAL = "journal.json";

/** Names of what a run prepares; anything else in the folder is not ours. */
export const PREPARED =
  /^(?:journal\.json(?:\.new)?|owner|(?:new|old|manifest)-\d+)$/;

/** Largest text of a lock, in bytes. */
const OWNER_BYTES = 4096;

/** Another run is writing into the same folder. */
export class LockedError extends Error {}

/**
 * State of the staging folder. A repository can bring one along: it counts
 * where its lock is sealed by this user (`own`), or names a live process of
 * another user (`others`), and it is `foreign` where not.
 */
export type Staging =
  | { readonly state: "absent" | "empty" | "foreign" }
  | { readonly state: "own"; readonly owner: Owner; readonly isLocked: boolean }
  | { readonly state: "others"; readonly owner: Owner };

/** Looks at the staging folder; changes nothing. */
export function lookAtStaging(out: string): Staging {
  const staging = path.join(out, STAGING);
  const stats = lstatSync(staging, { throwIfNoEntry: false });
  if (stats === undefined) return { state: "absent" };
  if (!stats.isDirectory()) return { state: "foreign" };
  const names = readdirSync(staging);
  if (names.length === 0) return { state: "empty" };
  return readOwner(out, names) ?? { state: "foreign" };
}

function readOwner(out: string, names: readonly string[]): Staging | undefined {
  const file = path.join(out, STAGING, OWNER);
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  // A run was killed when it had made the file, and had not written it.
  const isBegun = stats.isFile() && stats.size === 0 && names.length === 1;
  if (isBegun) return { state: "empty" };
  const text = readPlainFile(file, OWNER_BYTES)?.toString() ?? "";
  const owner = parseOwner(unsealed("lock", out, text));
  const age = Math.abs(Date.now() - stats.mtimeMs);
  if (owner !== undefined)
    return { state: "own", owner, isLocked: isRunning(owner, age) };
  const claimed = parseOwner(claimedIn(text));
  return claimed !== undefined && isProvenRunning(claimed)
    ? { state: "others", owner: claimed }
    : undefined;
}

/** Throws LockedError while the run that made the staging folder is alive. */
export function refuseLocked(staging: Staging): void {
  const isLocked =
    staging.state === "others" || (staging.state === "own" && staging.isLocked);
  if (isLocked)
    throw new LockedError(
      `another run (process ${staging.owner.pid}) is writing there`,
    );
}

/** Makes the staging folder this run's own. Throws LockedError where it is another's. */
export function lock(out: string): void {
  makeFolder(out);
  const staging = path.join(out, STAGING);
  if (lookAtStaging(out).state === "empty")
    rmSync(staging, { recursive: true, force: true });
  try {
    mkdirSync(staging);
    writeFileSync(path.join(staging, OWNER), ownerText(out), { flag: "wx" });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" || (code === "ENOENT" && isThere(out)))
      throw new LockedError("another run is writing there");
    throw error;
  }
}

function isThere(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
}

/** Names in the staging folder. */
export function namesInStaging(out: string): string[] {
  return readdirSync(path.join(out, STAGING));
}

/** Removes what a run prepared, its journal first: without it nothing was begun. */
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
    // Somebody else's files are in it: the next run sets them aside.
  }
}

/**
 * Renames a staging folder, or whatever has its name, that is not this user's,
 * so that it neither steers nor blocks a run. Returns the new name.
 */
export function setAside(out: string): string {
  for (let number = 1; ; number++) {
    const name = `${STAGING}.aside-${number}`;
    if (isThere(path.join(out, name))) continue;
    renameSync(path.join(out, STAGING), path.join(out, name));
    return name;
  }
}
