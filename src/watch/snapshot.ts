import { realpathSync, statSync } from "node:fs";
import path from "node:path";

/** Files and folders that a run reads, with absolute paths. */
export interface WatchedInputs {
  /** Files whose changes start a run. They may not exist yet. */
  readonly files: readonly string[];
  /**
   * Folders in which files can appear. A new file starts a run only if it is
   * among the inputs when they are listed again.
   */
  readonly folders: readonly string[];
}

/** State of inputs at one point in time. */
export interface Snapshot {
  /**
   * Map from the path of a file or folder to a string that describes its state
   * (`absent` if it is missing).
   */
  readonly states: ReadonlyMap<string, string>;
  /** Existing folders whose entries must be watched. */
  readonly folders: ReadonlySet<string>;
  /**
   * Map from the path of an existing file to its folder after symbolic links
   * are resolved.
   */
  readonly targets: ReadonlyMap<string, string>;
}

/** State of a missing file. */
const ABSENT = "absent";

/**
 * Returns the state of inputs.
 * @param before earlier state. The links of files that have not changed since
 * then are not resolved again, because resolving links takes most of the time.
 */
export function takeSnapshot(
  { files, folders }: WatchedInputs,
  before?: Snapshot,
): Snapshot {
  const states = new Map<string, string>();
  const targets = new Map<string, string>();
  const observed = new Set<string>();
  const parents = new Set<string>();
  for (const file of files) {
    const signature = signatureOf(file);
    states.set(file, signature);
    parents.add(path.dirname(file));
    // The folder of a link's target is watched too, because the target can
    // change without a change in the link's folder.
    if (signature === ABSENT) continue;
    const isSame = before?.states.get(file) === signature;
    const known = isSame ? before?.targets.get(file) : undefined;
    const target = known ?? path.dirname(realPathOf(file));
    targets.set(file, target);
    observed.add(target);
  }
  for (const folder of [...parents, ...folders])
    observed.add(existingFolder(folder));
  return { states, folders: observed, targets };
}

/** Returns the paths whose state differs between two snapshots, sorted. */
export function changedPaths(before: Snapshot, after: Snapshot): string[] {
  const paths = new Set([...before.states.keys(), ...after.states.keys()]);
  return [...paths]
    .filter((file) => before.states.get(file) !== after.states.get(file))
    .sort();
}

/**
 * Tests whether a file was deleted or became empty between two snapshots. Some
 * editors save a file in two steps, and the file can be missing or empty after
 * the first step.
 */
export function isHalfSaved(before: Snapshot, after: Snapshot): boolean {
  for (const [file, signature] of before.states) {
    const now = after.states.get(file) ?? ABSENT;
    if (now !== signature && (now === ABSENT || now.startsWith("0:")))
      return true;
  }
  return false;
}

/**
 * Returns a string with the size, times and inode number of a file. A file that
 * an editor replaced by renaming has another inode number.
 */
function signatureOf(file: string): string {
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats === undefined) return ABSENT;
    return `${stats.size}:${stats.mtimeMs}:${stats.ctimeMs}:${stats.ino}`;
  } catch {
    return ABSENT;
  }
}

/** Returns a folder or, if it does not exist, its nearest existing parent. */
function existingFolder(folder: string): string {
  for (let current = folder; ; current = path.dirname(current)) {
    if (isFolder(current) || path.dirname(current) === current) return current;
  }
}

function isFolder(name: string): boolean {
  try {
    return statSync(name, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}

function realPathOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}
