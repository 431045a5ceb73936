import { lstat, open, readdir } from "node:fs/promises";
import { constants } from "node:fs";
import path from "node:path";
import { RepositoryError } from "./repository-files.js";
import { readPlain } from "./file-start.js";

/** References of a repository, as files of another one. */
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

/** Bytes of `packed-refs` that are read: a million references. */
const PACKED = 128 * 1024 * 1024;

/** References of their own files at most, and levels of folders. */
const LOOSE = 200_000;
const LEVELS = 64;

const ID = /^(?:[\da-f]{40}|[\da-f]{64})$/;

/** A name that is a path below `refs/`, with nothing that git does not allow there. */
const NAME =
  /^refs(?:\/(?!\.)(?:(?!\.\.|@\{|\.lock(?:\/|$))[^\0-\x20\x7f\ufffd~^:?*[\\/])+)+$/;

/**
 * Reads the references of a bare repository without git, and without following links.
 *
 * @throws RepositoryError for a link, or for what is no reference
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
    if (loose.size + symbolic.size > LOOSE) throw tooMany();
  });
  // Behind the others: what is packed meanwhile is in one of them.
  const packed = await readFile(path.join(repository, "packed-refs"));
  const ids = new Map([...readPacked(packed), ...loose]);
  for (const name of symbolic.keys()) ids.delete(name);
  return {
    head: headOf(await readPlain(path.join(repository, "HEAD"))),
    packed: [...ids].map(([name, id]) => `${id} ${name}\n`).join(""),
    symbolic: [...symbolic].map(([name, target]) => ({ name, target })),
  };
}

function headOf(text: string = ""): string {
  const target = targetOf(text);
  if (target !== undefined) return `ref: ${target}\n`;
  return ID.test(text.trim()) ? text : "ref: refs/heads/main\n";
}

/** The name that a symbolic reference has; undefined where it is none. */
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
    // Comments, and what annotated tags point to, which git finds again.
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
  take: (name: string, text: string) => void,
): Promise<void> {
  if (level > LEVELS) throw tooMany();
  const folder = path.join(repository, name);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const inside = `${name}/${entry.name}`;
    if (entry.isDirectory())
      await readLoose(repository, inside, level + 1, take);
    else if (!entry.isFile())
      throw new RepositoryError(`${shown(inside)} must not be a link.`);
    else if (!entry.name.endsWith(".lock")) {
      const text = await readPlain(path.join(repository, inside));
      // It may have been deleted or packed meanwhile.
      if (text !== undefined && text !== "") take(checkName(inside), text);
    }
  }
}

/** A whole file that may be long; empty where there is none. */
async function readFile(file: string): Promise<string> {
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;
  const found = await lstat(file).catch(() => undefined);
  if (found === undefined) return "";
  if (!found.isFile() || found.size > PACKED)
    throw new RepositoryError(
      `packed-refs must be a file of at most ${PACKED} bytes.`,
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
  throw new RepositoryError(`${shown(name)} is not a name of a reference.`);
}

function checkId(id: string, name: string): string {
  if (ID.test(id)) return id;
  throw new RepositoryError(`${shown(name)} must have the id of an object.`);
}

function shown(name: string): string {
  return JSON.stringify(name.slice(0, 100));
}

function tooMany(): RepositoryError {
  return new RepositoryError("It has too many references.");
}
