import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { git, type GitLimits } from "./git.js";
import { inspect, inspectAgain, RepositoryError } from "./repository-files.js";
import { readPlain } from "./file-start.js";
import { readReferences } from "./loose-references.js";

/** A repository as git gets it. */
export interface GitFolder {
  /** Folder of git, made by the service. */
  readonly folder: string;
  /** Bytes of the repository's objects. */
  readonly size: number;
}

/**
 * Runs a function with a git folder of the service's own: references are copied, objects
 * are read where they are. Git never sees the repository's settings, hooks, grafts and
 * attributes, and writes nothing into it.
 *
 * @param scratch folder for the git folder
 * @throws RepositoryError where the repository leads elsewhere
 */
export async function withGitFolder<T>(
  repository: string,
  scratch: string,
  limits: GitLimits,
  run: (found: GitFolder) => Promise<T>,
): Promise<T> {
  const before = await inspect(repository);
  const folder = await mkdtemp(path.join(scratch, "git-"));
  try {
    await fill(folder, repository, limits);
    const result = await run({ folder, size: before.size });
    await inspectAgain(repository, before);
    return result;
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function fill(
  folder: string,
  repository: string,
  limits: GitLimits,
): Promise<void> {
  const format = await objectFormat(repository, folder, limits);
  const { head, packed, symbolic } = await readReferences(repository);
  const objects = path.resolve(repository, "objects");
  if (/[\n"]/.test(objects))
    throw new RepositoryError(
      "Its path must not contain quotes or line breaks.",
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

/** Extensions that change what is on disk, but not what can be read of it. */
const HARMLESS = new Set([
  "noop",
  "preciousobjects",
  "worktreeconfig",
  "relativeworktrees",
]);

/**
 * The hash function of a repository, from a copy of its settings that git only lists.
 *
 * @throws RepositoryError for an extension that is not supported
 */
async function objectFormat(
  repository: string,
  scratch: string,
  limits: GitLimits,
): Promise<string> {
  const text = await readPlain(path.join(repository, "config"));
  if (text === undefined || !/extensions|promisor/i.test(text)) return "sha1";
  const copy = path.join(scratch, "config.copy");
  await writeFile(copy, text);
  const args = ["--file", copy, "--no-includes", "--null", "--list"];
  const list = await git(scratch, ["config", ...args], limits).catch(() => {
    throw new RepositoryError("Its config can't be read.");
  });
  await rm(copy);
  let format = "sha1";
  for (const entry of list.split("\0")) {
    const [name = "", value = ""] = entry.split("\n", 2);
    if (/^remote\..*\.promisor$/s.test(name) && value !== "false")
      throw new RepositoryError("It is a partial clone: objects are missing.");
    const extension = /^extensions\.(.*)$/s.exec(name)?.[1];
    if (extension === undefined || HARMLESS.has(extension)) continue;
    if (extension === "partialclone")
      throw new RepositoryError("It is a partial clone: objects are missing.");
    if (extension === "refstorage" && value === "files") continue;
    if (extension !== "objectformat" || !/^sha(1|256)$/.test(value))
      throw new RepositoryError(
        `Its format is not supported (extensions.${extension.slice(0, 50)}).`,
      );
    format = value;
  }
  return format;
}
