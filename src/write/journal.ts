import { lstatSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { isObject } from "../diagnostics/json.js";
import { readPlainFile } from "../platform/plain-file.js";
import { sealed, unsealed } from "../platform/seal.js";
import { sweep } from "./carry-over.js";
import { removeEmptyFolders } from "./folder-entries.js";
import { refuseLinks } from "./inspect.js";
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
  lookAtStaging,
  PREPARED,
  setAside,
  STAGING,
} from "./staging.js";

const JOURNAL = `${STAGING}/journal.json`;

/** One change of the output: a folder or file is exchanged, or goes. */
export interface Step {
  /** The group that the step brings up to date. */
  readonly folder: string;
  /** What is exchanged, relative to --out. */
  readonly to: string;
  /** What was prepared to stand there; absent where `to` only goes. */
  readonly from?: string;
  /** Where the old one waits until the run is done. */
  readonly backup: string;
  /** Files of ours below `to` that the step replaces or removes. */
  readonly replaced: readonly string[];
  /** What the manifest says of the group after the step. */
  readonly after?: ManifestGroup;
}

/** Writes down what is about to happen, before it does. */
export function writeJournal(out: string, steps: readonly Step[]): void {
  const file = path.join(out, JOURNAL);
  writeFileSync(`${file}.new`, sealed("journal", out, { steps }), {
    flag: "wx",
  });
  renameSync(`${file}.new`, file);
}

/** What the manifest would say if the run that was killed had said it. */
export function interrupted(out: string, manifest: Manifest): Manifest {
  const steps = readJournal(out);
  return Array.isArray(steps) ? merge(out, manifest, steps) : manifest;
}

/**
 * Mends what a killed run of this user left, and returns the manifest that
 * fits: what stood between two renames comes back, what others put into an
 * exchanged folder meanwhile goes to the new one, what was prepared goes.
 * Throws where it can't. A journal without this user's seal is not obeyed: the
 * staging folder gets another name, so that nothing in it is lost.
 * @param onForeign called with the new name
 */
export function recover(
  out: string,
  manifest: Manifest,
  onForeign: (name: string) => void,
): Manifest {
  const { state } = lookAtStaging(out);
  if (state === "absent" || state === "empty") return manifest;
  const steps = state === "own" ? readJournal(out) : "foreign";
  if (steps === "foreign") {
    onForeign(setAside(out));
    return manifest;
  }
  const mended = steps === undefined ? manifest : mend(out, manifest, steps);
  clearStaging(out);
  if (lookAtStaging(out).state === "foreign") onForeign(setAside(out));
  return mended;
}

function mend(
  out: string,
  manifest: Manifest,
  steps: readonly Step[],
): Manifest {
  for (const step of steps) restore(out, step);
  const merged = merge(out, manifest, steps);
  for (const step of steps) complete(out, step);
  const prepared = path.join(out, `${STAGING}/manifest-0`);
  rmSync(prepared, { force: true });
  writeFileSync(prepared, manifestText(merged), { flag: "wx" });
  renameSync(prepared, path.join(out, MANIFEST));
  return merged;
}

/** The killed moment between two renames: the old one comes back. */
function restore(out: string, { to, from, backup }: Step): void {
  const [target, old] = [path.join(out, to), path.join(out, backup)];
  const isBetween =
    from !== undefined && isThere(path.join(out, from)) && !isThere(target);
  if (isBetween && isThere(old)) renameSync(old, target);
}

/** What follows a step that is done: nothing of others is lost, no folder is left empty. */
export function complete(out: string, step: Step): void {
  if (!isDone(out, step)) return;
  const backup = path.join(out, step.backup);
  const isFolder = lstatSync(backup, { throwIfNoEntry: false })?.isDirectory();
  if (isFolder === true)
    sweep(
      backup,
      path.join(out, step.to),
      step.to,
      new Set(step.replaced.map((name) => `${step.to}/${name}`)),
    );
  removeEmptyFolders(out, step.from === undefined ? step.to : "");
}

function isDone(out: string, { to, from }: Step): boolean {
  return !isThere(path.join(out, from ?? to));
}

function merge(out: string, manifest: Manifest, steps: readonly Step[]) {
  const groups: Record<string, ManifestGroup> = { ...manifest.groups };
  for (const step of steps.filter((found) => isDone(out, found))) {
    if (step.after === undefined) delete groups[step.folder];
    else groups[step.folder] = step.after;
  }
  return { ...manifest, groups };
}

function isThere(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
}

/**
 * The steps of the run that was killed; undefined where it had begun none, or
 * the staging folder is not this user's; `foreign` for a journal that is not.
 */
function readJournal(out: string): readonly Step[] | undefined | "foreign" {
  if (lookAtStaging(out).state !== "own") return undefined;
  const file = path.join(out, JOURNAL);
  if (!isThere(file)) return undefined;
  const text = readPlainFile(file)?.toString() ?? "";
  const value = unsealed("journal", out, text);
  if (!isObject(value) || !Array.isArray(value["steps"])) return "foreign";
  const steps: readonly unknown[] = value["steps"];
  return steps.every((step) => isStep(step) && isReachable(out, step))
    ? (steps as Step[])
    : "foreign";
}

/** Links that appeared since are not followed. */
function isReachable(out: string, { to }: Step): boolean {
  try {
    refuseLinks(out, to);
    return true;
  } catch {
    return false;
  }
}

/** A sealed journal can still be that of another version. */
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
