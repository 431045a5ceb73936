import { lstat, open, readdir } from "node:fs/promises";
import { constants } from "node:fs";
import path from "node:path";
import { RepositoryError } from "./repository-files.js";
import { readFileStart } from "./file-start.js";

/**
 * References of a repository, in the form of files for a temporary Git
 * directory.
 */
export interface CopiedReferences {
  /** Content of `HEAD`. */
  readonly head: string;
  /** Content of `packed-refs`. */
  readonly packed: string;
  readonly symbolic: readonly {
    readonly name: string;
    readonly target: string;
  }[];
}

/**
 * Maximum size of `packed-refs` in bytes, enough for about a million
 * references.
 */
const MAX_PACKED_BYTES = 128 * 1024 * 1024;

/**
 * Maximum number of references that have a file of their own. Repositories with
 * more are rejected.
 */
const MAX_LOOSE = 200_000;

/** Maximum nesting depth of folders in `refs`. */
const MAX_LEVELS = 64;

const ID = /^(?:[\da-f]{40}|[\da-f]{64})$/;

/** Pattern for the reference names below `refs/` that git allows. */
const NAME =
  /^refs(?:\/(?!\.)(?:(?!\.\.|@\{|\.lock(?:\/|$))[^\0-\x20\x7f\ufffd~^:?*[\\/])+)+$/;

/**
 * Reads the references of a bare repository without git and without following
 * links.
 *
 * @throws RepositoryError for a link or an invalid reference
 */
export async function readReferences(
  repository: string,
): Promise<CopiedReferences> {
  const loose = new Map<string, string>();
  const symbolic = new Map<string, string>();
  await readLoose(repository, "refs", 0, (name, text) => {
    const target = targetOf(text);
    if (target !== undefined) symbolic.set(name, target);
    else loose.set(name, checkId(text.trim(), name));
    if (loose.size + symbolic.size > MAX_LOOSE) throw tooMany();
  });
  // `packed-refs` must be read after the loose references. Otherwise,
  // references that git moves to `packed-refs` in between would be missed.
  const packed = await readPackedFile(path.join(repository, "packed-refs"));
  const ids = new Map([...readPacked(packed), ...loose]);
  for (const name of symbolic.keys()) ids.delete(name);
  return {
    head: headOf(await readFileStart(path.join(repository, "HEAD"))),
    packed: [...ids].map(([name, id]) => `${id} ${name}\n`).join(""),
    symbolic: [...symbolic].map(([name, target]) => ({ name, target })),
  };
}

function headOf(text: string = ""): string {
  const target = targetOf(text);
  if (target !== undefined) return `ref: ${target}\n`;
  return ID.test(text.trim()) ? text : "ref: refs/heads/main\n";
}

/**
 * Returns the target of a symbolic reference; undefined for other references.
 */
function targetOf(text: string): string | undefined {
  const line = text.endsWith("\n") ? text.slice(0, -1) : text;
  if (!line.startsWith("ref:") || line.includes("\n")) return undefined;
  let start = "ref:".length;
  let end = line.length;
  while (start < end && " \t".includes(line[start]!)) start++;
  while (end > start && " \t\r".includes(line[end - 1]!)) end--;
  return checkName(line.slice(start, end));
}

function readPacked(text: string): Map<string, string> {
  const ids = new Map<string, string>();
  for (const line of text.split("\n")) {
    // Comments are skipped. Lines that start with `^` contain the objects to
    // which annotated tags refer. These lines are skipped too, because git does
    // not need them to find the objects.
    if (line === "" || line.startsWith("#") || line.startsWith("^")) continue;
    const space = line.indexOf(" ");
    const name = checkName(line.slice(space + 1).replace(/\r$/, ""));
    ids.set(name, checkId(line.slice(0, space), name));
  }
  return ids;
}

async function readLoose(
  repository: string,
  name: string,
  level: number,
  onReference: (name: string, text: string) => void,
): Promise<void> {
  if (level > MAX_LEVELS) throw tooMany();
  const folder = path.join(repository, name);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const innerName = `${name}/${entry.name}`;
    if (entry.isDirectory())
      await readLoose(repository, innerName, level + 1, onReference);
    else if (!entry.isFile())
      throw new RepositoryError(`${quoted(innerName)} must not be a link.`);
    else if (!entry.name.endsWith(".lock")) {
      const text = await readFileStart(path.join(repository, innerName));
      // `text` is undefined or empty if, after the file was listed, the file
      // was deleted or its reference was packed.
      if (text !== undefined && text !== "")
        onReference(checkName(innerName), text);
    }
  }
}

/** Reads `packed-refs`; returns an empty string if the file is missing. */
async function readPackedFile(file: string): Promise<string> {
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;
  const stats = await lstat(file).catch(() => undefined);
  if (stats === undefined) return "";
  if (!stats.isFile() || stats.size > MAX_PACKED_BYTES)
    throw new RepositoryError(
      `packed-refs must be a file of at most ${MAX_PACKED_BYTES} bytes.`,
    );
  const handle = await open(file, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  try {
    return await handle.readFile("utf8");
  } finally {
    await handle.close();
  }
}

function checkName(name: string): string {
  if (name.length <= 4096 && NAME.test(name)) return name;
  throw new RepositoryError(`${quoted(name)} is not a valid reference name.`);
}

function checkId(id: string, name: string): string {
  if (ID.test(id)) return id;
  throw new RepositoryError(`${quoted(name)} must contain an object id.`);
}

function quoted(name: string): string {
  return JSON.stringify(name.slice(0, 100));
}

function tooMany(): RepositoryError {
  return new RepositoryError("The repository has too many references.");
}
