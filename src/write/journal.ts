import {
  lstatSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  rmdirSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { sweep } from "./carry.js";
import { removeEmptyFolders } from "./folders.js";
import {
  isGroup,
  isInside,
  isRecord,
  MANIFEST,
  manifestText,
  type Manifest,
  type ManifestGroup,
} from "./manifest.js";

/** Folder in the output in which a run prepares; gone after it. */
export const STAGING = ".gen-staging";

const JOURNAL = `${STAGING}/journal.json`;

/** Names of what a run prepares; anything else in the folder is not ours. */
const PREPARED = /^(?:journal\.json(?:\.new)?|owner|(?:new|old|manifest)-\d+)$/;

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
  writeFileSync(`${file}.new`, JSON.stringify({ steps }));
  renameSync(`${file}.new`, file);
}

/** What the manifest would say if the run that was killed had said it. */
export function interrupted(out: string, manifest: Manifest): Manifest {
  const steps =
    namesIn(path.join(out, STAGING)).length === 0
      ? undefined
      : readJournal(out);
  return steps === undefined ? manifest : merge(out, manifest, steps);
}

/**
 * Mends what a killed run left, and returns the manifest that fits: what stood
 * between two renames comes back, what others put into an exchanged folder
 * meanwhile goes to the new one, what was prepared goes. Throws where it can't.
 */
export function recover(out: string, manifest: Manifest): Manifest {
  if (namesIn(path.join(out, STAGING)).length === 0) return manifest;
  const steps = readJournal(out);
  if (steps === undefined) {
    refuseOrphans(out);
    clearStaging(out);
    return manifest;
  }
  for (const step of steps) restore(out, step);
  const merged = merge(out, manifest, steps);
  for (const step of steps) complete(out, step);
  const prepared = path.join(out, `${STAGING}/manifest-0`);
  writeFileSync(prepared, manifestText(merged));
  renameSync(prepared, path.join(out, MANIFEST));
  clearStaging(out);
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

/** Removes what a run prepared, its journal first: without it nothing was begun. */
export function clearStaging(out: string): void {
  const staging = path.join(out, STAGING);
  const names = namesIn(staging).filter((name) => PREPARED.test(name));
  for (const name of ["journal.json", ...names.filter(isContent), "owner"])
    rmSync(path.join(staging, name), { recursive: true, force: true });
  try {
    rmdirSync(staging);
  } catch {
    // Somebody else's files are in it: they stay.
  }
}

function isContent(name: string): boolean {
  return name !== "journal.json" && name !== "owner";
}

/** Empty for a file or link of that name: it is somebody else's. */
function namesIn(folder: string): string[] {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  return stats?.isDirectory() === true ? readdirSync(folder) : [];
}

/** Without a journal nobody knows where an old folder belongs: it is not thrown away. */
function refuseOrphans(out: string): void {
  const staging = path.join(out, STAGING);
  const orphan = namesIn(staging).find((name) => name.startsWith("old-"));
  const isDamaged = isThere(path.join(out, JOURNAL));
  if (isDamaged && orphan !== undefined)
    throw new Error(
      `${STAGING}/journal.json is damaged; move back what ${STAGING}/${orphan} holds, and remove ${STAGING}`,
    );
}

function isThere(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
}

/** The steps of the run that was killed; undefined where it had begun none. */
function readJournal(out: string): readonly Step[] | undefined {
  try {
    const value = JSON.parse(
      readFileSync(path.join(out, JOURNAL), "utf8"),
    ) as unknown;
    if (!isRecord(value) || !Array.isArray(value["steps"])) return undefined;
    return value["steps"].every(isStep)
      ? (value["steps"] as Step[])
      : undefined;
  } catch {
    return undefined;
  }
}

/** The journal, too, is a file that anyone can edit. */
function isStep(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const { folder, to, from, backup, replaced, after } = value;
  return (
    isPath(folder) &&
    isPath(to) &&
    to !== STAGING &&
    !to.startsWith(`${STAGING}/`) &&
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
