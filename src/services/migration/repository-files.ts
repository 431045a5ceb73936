import { lstat, readdir } from "node:fs/promises";
import path from "node:path";
import { readPlain } from "./file-start.js";

/** A repository that is not exported or locked, with the reason for its owners. */
export class RepositoryError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "RepositoryError";
  }
}

/** What the service itself found in a repository. */
export interface Inspection {
  /** Bytes of all objects. */
  readonly size: number;
  /** Changes when somebody adds or replaces a file in `objects/info`. */
  readonly mark: string;
}

/** Files of git that bring objects or settings of another repository. */
const FOREIGN: readonly (readonly [string, string])[] = [
  ["commondir", "It belongs to another repository (commondir)."],
  [
    "objects/info/alternates",
    "It borrows objects of another repository (alternates).",
  ],
];

/**
 * Looks at the files of a bare repository, without git. Everything that git would read is
 * within the folder, in files and folders of its own.
 *
 * @throws RepositoryError where something leads elsewhere, or history is missing
 */
export async function inspect(folder: string): Promise<Inspection> {
  await refuseForeign(folder);
  await require(folder, "HEAD", "file");
  await require(folder, "objects", "folder");
  await require(folder, "refs", "folder");
  if ((await kindOf(path.join(folder, "reftable"))) !== "none")
    throw new RepositoryError(
      "Its references are in a format that is not supported (reftable).",
    );
  const shallow = await readPlain(path.join(folder, "shallow"));
  if (shallow !== undefined && shallow.trim() !== "")
    throw new RepositoryError(
      "It is a shallow clone: a part of the history is missing.",
    );
  const size = await sizeOf(path.join(folder, "objects"), "objects", LEVELS);
  return { size, mark: await markOf(folder) };
}

/**
 * Looks for files that make git read another repository.
 *
 * @throws RepositoryError where there is one
 */
export async function refuseForeign(folder: string): Promise<void> {
  for (const [name, reason] of FOREIGN)
    if ((await kindOf(path.join(folder, name))) !== "none")
      throw new RepositoryError(reason);
}

/** Whether a repository is still as it was inspected, after git has read it. */
export async function inspectAgain(
  folder: string,
  before: Inspection,
): Promise<void> {
  const { mark } = await inspect(folder);
  if (mark !== before.mark)
    throw new RepositoryError("It was changed while it was exported.");
}

async function markOf(folder: string): Promise<string> {
  const info = path.join(folder, "objects/info");
  const found = await lstat(info, { bigint: true }).catch(() => undefined);
  return found === undefined ? "" : `${found.ino} ${found.ctimeNs}`;
}

type Kind = "none" | "file" | "folder" | "other";

async function kindOf(file: string): Promise<Kind> {
  const found = await lstat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    throw error;
  });
  if (found === undefined) return "none";
  if (found.isFile()) return "file";
  return found.isDirectory() ? "folder" : "other";
}

async function require(
  folder: string,
  name: string,
  kind: Kind,
): Promise<void> {
  if ((await kindOf(path.join(folder, name))) !== kind)
    throw new RepositoryError(`${name} must be a ${kind}.`);
}

/** Levels of folders below `objects` that git reads. */
const LEVELS = 3;

/** Bytes of the files below a folder of objects. */
async function sizeOf(
  folder: string,
  name: string,
  levels: number,
): Promise<number> {
  let size = 0;
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const inside = `${name}/${entry.name}`;
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) {
      if (levels > 0) size += await sizeOf(file, inside, levels - 1);
    } else if (entry.isFile()) {
      if (entry.name.endsWith(".promisor"))
        throw new RepositoryError(
          "It is a partial clone: objects are missing.",
        );
      size += (await lstat(file).catch(() => undefined))?.size ?? 0;
    } else
      throw new RepositoryError(
        `${inside.slice(0, 200)} must be a file of the repository, not a link.`,
      );
  }
  return size;
}
