import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { git, type GitLimits } from "./git.js";
import {
  inspectRepository,
  checkUnchanged,
  RepositoryError,
} from "./repository-files.js";
import { readFileStart } from "./file-start.js";
import { readReferences } from "./loose-references.js";

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
