import { constants } from "node:fs";
import {
  lstat,
  mkdir,
  mkdtemp,
  open,
  readdir,
  rm,
  writeFile,
} from "node:fs/promises";
import path from "node:path";
import { readFileStart } from "./file-start.js";
import { git, type GitLimits } from "./git.js";
import {
  checkUnchanged,
  inspectRepository,
  RepositoryError,
} from "./repository-files.js";

/** Temporary Git directory that gives access to the objects of a repository. */
export interface GitFolder {
  /** Path of the Git directory. */
  readonly folder: string;
  /** Total size of the repository's objects in bytes. */
  readonly size: number;
}

/**
 * Runs a function with a temporary Git directory. The directory contains copies
 * of the repository's references and uses the repository's objects as
 * alternates. Git therefore does not use the settings, hooks, grafts and
 * attributes of the repository, and does not write to the repository.
 *
 * @param scratch parent folder of the temporary Git directory
 * @throws RepositoryError if the repository depends on files outside of its
 *   folder
 */
export async function withPrivateGitFolder<T>(
  repository: string,
  scratch: string,
  limits: GitLimits,
  run: (found: GitFolder) => Promise<T>,
): Promise<T> {
  const before = await inspectRepository(repository);
  const folder = await mkdtemp(path.join(scratch, "git-"));
  try {
    await fillGitFolder(folder, repository, limits);
    const result = await run({ folder, size: before.size });
    await checkUnchanged(repository, before);
    return result;
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function fillGitFolder(
  folder: string,
  repository: string,
  limits: GitLimits,
): Promise<void> {
  const format = await objectFormat(repository, folder, limits);
  const { head, packed, symbolic } = await readReferences(repository);
  const objects = path.resolve(repository, "objects");
  if (/[\n"]/.test(objects))
    throw new RepositoryError(
      "The path of the repository must not contain quotes or line breaks.",
    );
  await mkdir(path.join(folder, "objects/info"), { recursive: true });
  await mkdir(path.join(folder, "refs"));
  await writeFile(path.join(folder, "objects/info/alternates"), `${objects}\n`);
  await writeFile(path.join(folder, "config"), configOf(format));
  await writeFile(path.join(folder, "packed-refs"), packed);
  await writeFile(path.join(folder, "HEAD"), head);
  for (const { name, target } of symbolic) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, `ref: ${target}\n`);
  }
}

function configOf(format: string): string {
  const isDefault = format === "sha1";
  return `[core]
\trepositoryformatversion = ${isDefault ? 0 : 1}
\tbare = true
${isDefault ? "" : `[extensions]\n\tobjectformat = ${format}\n`}`;
}

/**
 * Git extensions that can be ignored, because reading does not depend on them.
 */
const IGNORED_EXTENSIONS = new Set([
  "noop",
  "preciousobjects",
  "worktreeconfig",
  "relativeworktrees",
]);

/**
 * Returns the name of the hash function that a repository uses. Git lists the
 * settings from a copy of the repository's config file, so that it does not
 * apply them.
 *
 * @throws RepositoryError for an extension that is not supported
 */
async function objectFormat(
  repository: string,
  scratch: string,
  limits: GitLimits,
): Promise<string> {
  const text = await readFileStart(path.join(repository, "config"));
  if (text === undefined || !/extensions|promisor/i.test(text)) return "sha1";
  const copy = path.join(scratch, "config.copy");
  await writeFile(copy, text);
  const args = ["--file", copy, "--no-includes", "--null", "--list"];
  const list = await git(scratch, ["config", ...args], limits).catch(() => {
    throw new RepositoryError("The config of the repository can't be read.");
  });
  await rm(copy);
  let format = "sha1";
  for (const entry of list.split("\0")) {
    const [name = "", value = ""] = entry.split("\n", 2);
    if (/^remote\..*\.promisor$/s.test(name) && value !== "false")
      throw new RepositoryError(
        "The repository is a partial clone: objects are missing.",
      );
    const extension = /^extensions\.(.*)$/s.exec(name)?.[1];
    if (extension === undefined || IGNORED_EXTENSIONS.has(extension)) continue;
    if (extension === "partialclone")
      throw new RepositoryError(
        "The repository is a partial clone: objects are missing.",
      );
    if (extension === "refstorage" && value === "files") continue;
    if (extension !== "objectformat" || !/^sha(1|256)$/.test(value))
      throw new RepositoryError(
        `The format of the repository is not supported (extensions.${extension.slice(0, 50)}).`,
      );
    format = value;
  }
  return format;
}

/**
 * References of a repository, in the form of files for a temporary Git
 * directory.
 */
interface CopiedReferences {
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
