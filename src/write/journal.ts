import { lstatSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { isObject } from "../diagnostics/json.js";
import { readPlainFile } from "../platform/plain-file.js";
import { sealValue, verifySealed } from "../platform/seal.js";
import { moveRemaining } from "./link-remaining.js";
import { removeEmptyFolders } from "./folder-entries.js";
import { refuseLinks } from "./path-inspector.js";
import {
  isGroup,
  isGroupFolder,
  isInside,
  MANIFEST,
  manifestText,
  type Manifest,
  type ManifestGroup,
} from "./manifest.js";
import {
  clearStaging,
  inspectStaging,
  releaseStaging,
  PREPARED,
  setAside,
  takeOverStaging,
  STAGING,
} from "./staging.js";
import { entryExists } from "../platform/paths.js";

const JOURNAL = `${STAGING}/journal.json`;

/** Step of a run: replaces or deletes a folder or file in the output. */
export interface Step {
  /** Folder of the API or runtime to which the step belongs. */
  readonly folder: string;
  /** Folder or file to replace, relative to `--out`. */
  readonly to: string;
  /** Path of the prepared replacement; absent for a deletion. */
  readonly from?: string;
  /** Path to which the old version is moved until the run ends. */
  readonly backup: string;
  /** Generated files below `to` that the step replaces or deletes. */
  readonly replaced: readonly string[];
  /**
   * Manifest entry of the folder after the step; absent if the folder is
   * deleted.
   */
  readonly after?: ManifestGroup;
}

/**
 * Writes the planned steps of a run, so that the next run can recover if this
 * run is killed.
 */
export function writeJournal(out: string, steps: readonly Step[]): void {
  const file = path.join(out, JOURNAL);
  writeFileSync(`${file}.new`, sealValue("journal", out, { steps }), {
    flag: "wx",
  });
  renameSync(`${file}.new`, file);
}

/** Returns the manifest that `recover` would write. Changes no files. */
export function predictRecovery(out: string, manifest: Manifest): Manifest {
  const steps = readJournal(out);
  return Array.isArray(steps) ? merge(out, manifest, steps) : manifest;
}

/**
 * Recovers from a killed run of this user and returns the resulting manifest.
 * Restores folders that were moved but not replaced, moves files of other
 * programs into the replaced folders, and removes prepared files. Throws file
 * system errors. If the journal does not have the signature of this user, the
 * journal is ignored and the staging folder is renamed, so that no file is
 * lost.
 * @param onForeign called with the new name of the staging folder
 */
export function recover(
  out: string,
  manifest: Manifest,
  onForeign: (name: string) => void,
): Manifest {
  const { state } = inspectStaging(out);
  if (state === "absent" || state === "empty") return manifest;
  if (state !== "own" || readJournal(out) === "foreign") {
    onForeign(setAside(out));
    return manifest;
  }
  const recovered = recoverLocked(out, manifest);
  if (inspectStaging(out).state === "foreign") onForeign(setAside(out));
  return recovered;
}

/** Locks the staging folder, and recovers from its journal. */
function recoverLocked(out: string, manifest: Manifest): Manifest {
  takeOverStaging(out);
  try {
    const steps = readJournal(out);
    const recovered = Array.isArray(steps)
      ? applyJournal(out, manifest, steps)
      : manifest;
    clearStaging(out);
    return recovered;
  } catch (error) {
    releaseStaging(out);
    throw error;
  }
}

function applyJournal(
  out: string,
  manifest: Manifest,
  steps: readonly Step[],
): Manifest {
  for (const step of steps) restore(out, step);
  const merged = merge(out, manifest, steps);
  for (const step of steps) finishStep(out, step);
  const temporary = path.join(out, `${STAGING}/manifest-0`);
  rmSync(temporary, { force: true });
  writeFileSync(temporary, manifestText(merged), { flag: "wx" });
  renameSync(temporary, path.join(out, MANIFEST));
  return merged;
}

/**
 * Restores the old version if the run was killed between the two renames of a
 * step.
 */
function restore(out: string, { to, from, backup }: Step): void {
  const [target, old] = [path.join(out, to), path.join(out, backup)];
  const isBetween =
    from !== undefined &&
    entryExists(path.join(out, from)) &&
    !entryExists(target);
  if (isBetween && entryExists(old)) renameSync(old, target);
}

/**
 * Completes a step after its renames: moves the remaining files, which other
 * programs created, to the new folder and removes empty folders.
 */
export function finishStep(out: string, step: Step): void {
  if (!isDone(out, step)) return;
  const backup = path.join(out, step.backup);
  const isFolder = lstatSync(backup, { throwIfNoEntry: false })?.isDirectory();
  if (isFolder === true)
    moveRemaining(
      backup,
      path.join(out, step.to),
      step.to,
      new Set(step.replaced.map((name) => `${step.to}/${name}`)),
    );
  removeEmptyFolders(out, step.from === undefined ? step.to : "");
}

function isDone(out: string, { to, from }: Step): boolean {
  return !entryExists(path.join(out, from ?? to));
}

function merge(out: string, manifest: Manifest, steps: readonly Step[]) {
  const groups: Record<string, ManifestGroup> = { ...manifest.groups };
  for (const step of steps.filter((candidate) => isDone(out, candidate))) {
    if (step.after === undefined) delete groups[step.folder];
    else groups[step.folder] = step.after;
  }
  return { ...manifest, groups };
}

/**
 * Returns the steps that a killed run did not complete. Returns undefined if
 * there are none or if the staging folder belongs to another user, and
 * `foreign` if the journal is not valid or was not signed with this user's key.
 */
function readJournal(out: string): readonly Step[] | undefined | "foreign" {
  if (inspectStaging(out).state !== "own") return undefined;
  const file = path.join(out, JOURNAL);
  if (!entryExists(file)) return undefined;
  const text = readPlainFile(file)?.toString() ?? "";
  const value = verifySealed("journal", out, text);
  if (!isObject(value) || !Array.isArray(value["steps"])) return "foreign";
  const steps: readonly unknown[] = value["steps"];
  return steps.every((step) => isStep(step) && isReachable(out, step))
    ? (steps as Step[])
    : "foreign";
}

/**
 * Returns true if none of the parent folders in a step's path is a link. Links
 * could have been created after the journal was written.
 */
function isReachable(out: string, { to }: Step): boolean {
  try {
    refuseLinks(out, to);
    return true;
  } catch {
    return false;
  }
}

/**
 * Tests whether a value is a valid step, because another version of this
 * package may have written the journal.
 */
function isStep(value: unknown): value is Step {
  if (!isObject(value)) return false;
  const { folder, to, from, backup, replaced, after } = value;
  return (
    typeof folder === "string" &&
    isGroupFolder(folder) &&
    isPath(to) &&
    (to === folder || to.startsWith(`${folder}/`)) &&
    (from === undefined || isStaged(from)) &&
    isStaged(backup) &&
    Array.isArray(replaced) &&
    replaced.every(isPath) &&
    (after === undefined || isGroup(after))
  );
}

function isPath(value: unknown): value is string {
  return typeof value === "string" && isInside(value);
}

function isStaged(value: unknown): boolean {
  return (
    isPath(value) &&
    value.startsWith(`${STAGING}/`) &&
    PREPARED.test(value.slice(STAGING.length + 1))
  );
}
