import {
  closeSync,
  openSync,
  readdirSync,
  rmdirSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { encodedParts } from "../platform/encoded-parts.js";
import { makeFolder } from "../platform/folders.js";
import { linkOrCopy } from "../platform/link-or-copy.js";
import { makeFolderLike } from "./folder-entries.js";
import type { Step } from "./journal.js";
import { linkRemaining, removeEmptiedFolders } from "./link-remaining.js";
import { refuseLinks } from "./path-inspector.js";
import { isChange, type GroupPlan, type PlannedFile } from "./plan.js";
import { STAGING } from "./staging.js";
import { entryExists } from "../platform/paths.js";

/** Changes to an API or runtime whose new files are in the staging folder. */
export interface StagedGroup {
  /** Step that replaces the old files with the prepared files. */
  readonly step: Omit<Step, "folder" | "after">;
  /** Files that the step creates. They must not exist before. */
  readonly created: readonly string[];
}

/**
 * Maximum number of threads that prepare changes. Each thread increments the
 * numbers in its file names by this value, so that no two threads use the same
 * name.
 */
export const MAX_THREADS = 8;

/**
 * Generator of unused names in the staging folder. Several threads can prepare
 * changes concurrently if each thread has a different number.
 */
export class StagingNames {
  #next: number;

  /** @param thread number of the thread, below MAX_THREADS; 0 is the main thread */
  constructor(thread = 0) {
    this.#next = thread;
  }

  /** Returns the next name, as a path relative to `--out`. */
  next(kind: "new" | "old" | "manifest"): string {
    const name = `${STAGING}/${kind}-${this.#next}`;
    this.#next += MAX_THREADS;
    return name;
  }
}

/**
 * Prepares the files of an API or runtime without changing the output. The
 * staging folder must exist. Throws file system errors.
 */
export function stageGroup(
  out: string,
  { folder, files }: GroupPlan,
  names: StagingNames,
): StagedGroup {
  const changes = files.filter(isChange);
  refuseLinks(out, `${folder}/`);
  const [only] = changes;
  const isSingle =
    changes.length === 1 &&
    entryExists(path.join(out, path.dirname(only!.path)));
  const step = isSingle
    ? stageFile(out, only!, names)
    : stageFolder(out, folder, files, names);
  const created = changes
    .filter(({ action }) => action === "create")
    .map((file) => file.path);
  return { step, created };
}

/** Prepares a single file, which will be replaced by one rename. */
function stageFile(
  out: string,
  file: PlannedFile,
  names: StagingNames,
): StagedGroup["step"] {
  const backup = names.next("old");
  if (file.action === "delete") return { to: file.path, backup, replaced: [] };
  const from = names.next("new");
  writeNew(path.join(out, from), file.content!);
  // A link or copy of the old file is kept, so that the replacement can be
  // undone.
  if (file.action === "update")
    linkOrCopy(path.join(out, file.path), path.join(out, backup));
  return { to: file.path, from, backup, replaced: [] };
}

function stageFolder(
  out: string,
  folder: string,
  files: readonly PlannedFile[],
  names: StagingNames,
): StagedGroup["step"] {
  const from = names.next("new");
  const source = path.join(out, folder);
  const target = path.join(out, from);
  const changed = files.filter(isChange).map((file) => file.path);
  const isReplaced = makeFolderLike(source, target);
  if (isReplaced) linkRemaining(source, target, folder, new Set(changed));
  writeContents(folder, files, target);
  if (isReplaced) removeEmptiedFolders(source, target);
  const step = {
    to: folder,
    backup: names.next("old"),
    replaced: changed.map((name) => name.slice(folder.length + 1)),
  };
  const isRemoved = isReplaced && removeIfEmpty(target);
  return isRemoved ? step : { ...step, from };
}

function writeContents(
  folder: string,
  files: readonly PlannedFile[],
  target: string,
): void {
  const folders = new Set([target]);
  for (const file of files) {
    if (file.action !== "create" && file.action !== "update") continue;
    // The strings are concatenated, because path.join takes as long as writing a
    // file.
    const name = `${target}/${file.path.slice(folder.length + 1)}`;
    const parent = path.dirname(name);
    if (!folders.has(parent)) makeFolder(parent);
    folders.add(parent);
    writeNew(name, file.content!);
  }
}

/**
 * Writes a new file. Throws if the path exists, so that links are not followed.
 */
export function writeNew(file: string, content: string | Uint8Array): void {
  if (content instanceof Uint8Array)
    return writeFileSync(file, content, { flag: "wx" });
  const descriptor = openSync(file, "wx");
  try {
    for (const part of encodedParts(content)) writeFileSync(descriptor, part);
  } finally {
    closeSync(descriptor);
  }
}

/** Removes a folder if it is empty. Returns true if it was removed. */
function removeIfEmpty(target: string): boolean {
  if (readdirSync(target).length > 0) return false;
  rmdirSync(target);
  return true;
}
