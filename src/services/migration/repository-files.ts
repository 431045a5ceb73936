import { lstat, readdir } from "node:fs/promises";
import path from "node:path";
import { readFileStart } from "./file-start.js";

/** Error with the reason why a repository can't be exported or locked. */
export class RepositoryError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "RepositoryError";
  }
}

/** Result of inspecting a repository. */
export interface Inspection {
  /** Total size of all objects in bytes. */
  readonly size: number;
  /**
   * State of the folder `objects/info`. The value changes when a file in this
   * folder is added or replaced.
   */
  readonly infoVersion: string;
}

/**
 * Files that make git use objects or settings of another repository, with the
 * error message for each file.
 */
const FOREIGN: readonly (readonly [string, string])[] = [
  [
    "commondir",
    "The folder belongs to a different repository (it contains a file named commondir).",
  ],
  [
    "objects/info/alternates",
    "The repository uses objects of another repository (alternates).",
  ],
];

/**
 * Checks the files of a bare repository without running git: all files that git
 * reads must be regular files in the repository's folder.
 *
 * @throws RepositoryError if a file is outside of the folder or history is
 *   missing
 */
export async function inspectRepository(folder: string): Promise<Inspection> {
  await checkSelfContained(folder);
  await requireEntry(folder, "HEAD", "file");
  await requireEntry(folder, "objects", "folder");
  await requireEntry(folder, "refs", "folder");
  if ((await entryKindOf(path.join(folder, "reftable"))) !== "none")
    throw new RepositoryError(
      "The references of the repository are in a format that is not supported (reftable).",
    );
  const shallow = await readFileStart(path.join(folder, "shallow"));
  if (shallow !== undefined && shallow.trim() !== "")
    throw new RepositoryError(
      "The repository is a shallow clone: part of the history is missing.",
    );
  const size = await sizeOf(
    path.join(folder, "objects"),
    "objects",
    OBJECT_LEVELS,
  );
  return { size, infoVersion: await infoVersionOf(folder) };
}

/**
 * Checks that a repository contains no files that make git read another
 * repository.
 *
 * @throws RepositoryError if such a file exists
 */
export async function checkSelfContained(folder: string): Promise<void> {
  for (const [name, reason] of FOREIGN)
    if ((await entryKindOf(path.join(folder, name))) !== "none")
      throw new RepositoryError(reason);
}

/**
 * Inspects a repository again after git has read it.
 *
 * @throws RepositoryError if the repository was changed since the first
 *   inspection
 */
export async function checkUnchanged(
  folder: string,
  before: Inspection,
): Promise<void> {
  const { infoVersion } = await inspectRepository(folder);
  if (infoVersion !== before.infoVersion)
    throw new RepositoryError(
      "The repository was changed while it was exported.",
    );
}

async function infoVersionOf(folder: string): Promise<string> {
  const info = path.join(folder, "objects/info");
  const stats = await lstat(info, { bigint: true }).catch(() => undefined);
  return stats === undefined ? "" : `${stats.ino} ${stats.ctimeNs}`;
}

type EntryKind = "none" | "file" | "folder" | "other";

async function entryKindOf(file: string): Promise<EntryKind> {
  const stats = await lstat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    throw error;
  });
  if (stats === undefined) return "none";
  if (stats.isFile()) return "file";
  return stats.isDirectory() ? "folder" : "other";
}

async function requireEntry(
  folder: string,
  name: string,
  kind: EntryKind,
): Promise<void> {
  if ((await entryKindOf(path.join(folder, name))) !== kind)
    throw new RepositoryError(`${name} must be a ${kind}.`);
}

/** Number of folder levels below `objects` that git reads. */
const OBJECT_LEVELS = 3;

/**
 * Returns the total size in bytes of the files below a folder of Git objects.
 */
async function sizeOf(
  folder: string,
  name: string,
  levels: number,
): Promise<number> {
  let size = 0;
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const innerName = `${name}/${entry.name}`;
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) {
      if (levels > 0) size += await sizeOf(file, innerName, levels - 1);
    } else if (entry.isFile()) {
      if (entry.name.endsWith(".promisor"))
        throw new RepositoryError(
          "The repository is a partial clone: objects are missing.",
        );
      size += (await lstat(file).catch(() => undefined))?.size ?? 0;
    } else
      throw new RepositoryError(
        `${innerName.slice(0, 200)} must be a file of the repository, not a link.`,
      );
  }
  return size;
}
