import { lstat, readdir } from "node:fs/promises";
import path from "node:path";
import type { Store } from "../store/store.js";
import { git, GitError, type GitLimits } from "./git.js";
import type { GitFolder } from "./git-folder.js";
import { readFileStart } from "./file-start.js";
import { repositoryKey, TABLES, type RepositoryRecord } from "./records.js";

/** Bare repository on disk. */
export interface BareRepository {
  /** Name of the folder without `.git`. */
  readonly name: string;
  readonly folder: string;
}

/**
 * Pattern for repository names: no slashes or control characters, and no leading
 * dot or dash.
 */
export const REPOSITORY_NAME = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$/;

/**
 * Returns all bare repositories of an organization, keyed by name in lower
 * case. Links are ignored, because their targets can be outside of the root
 * folder.
 */
export async function listRepositories(
  root: string,
  org: string,
): Promise<ReadonlyMap<string, BareRepository>> {
  const repositories = new Map<string, BareRepository>();
  for (const folder of await orgFolders(root, org)) {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const name = entry.name.replace(/\.git$/, "");
      if (!entry.isDirectory() || name === entry.name) continue;
      if (!REPOSITORY_NAME.test(name) || repositories.has(name.toLowerCase()))
        continue;
      repositories.set(name.toLowerCase(), {
        name,
        folder: path.join(folder, entry.name),
      });
    }
  }
  return repositories;
}

/**
 * Returns the folders whose names are equal to the name of the organization,
 * ignoring case.
 */
export async function orgFolders(root: string, org: string): Promise<string[]> {
  const entries = await readdir(root, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory() && entry.name.toLowerCase() === org)
    .map((entry) => path.join(root, entry.name))
    .sort();
}

type RepositoryDetails = Omit<RepositoryRecord, "id">;

/**
 * Reads the details of a repository.
 *
 * @param gitFolder copy that git reads instead of the repository
 */
export async function readRepository(
  { name, folder }: BareRepository,
  { folder: gitFolder, size }: GitFolder,
  limits: GitLimits,
): Promise<RepositoryDetails> {
  const newest = ["--count=1", "--sort=-committerdate"];
  const [head, date, description, stats] = await Promise.all([
    readFileStart(path.join(folder, "HEAD")),
    git(
      gitFolder,
      [
        "for-each-ref",
        ...newest,
        "--format=%(committerdate:unix)",
        "--",
        "refs/heads",
      ],
      limits,
    ).catch(withoutDate),
    readFileStart(path.join(folder, "description")),
    lstat(folder),
  ]);
  const seconds = Number.parseInt(date, 10);
  return {
    name,
    description: descriptionOf(description ?? ""),
    defaultBranch: /^ref: refs\/heads\/(.+)$/m.exec(head ?? "")?.[1] ?? "main",
    pushedAt: Number.isNaN(seconds) ? null : seconds * 1000,
    createdAt: Math.floor(stats.birthtimeMs || stats.mtimeMs),
    size: Math.min(Math.floor(size / 1024), 2 ** 31 - 1),
  };
}

/**
 * Replaces the date of a repository whose objects git can't read. Whoever starts
 * a migration gets a migration, which then fails with the reason.
 */
function withoutDate(error: unknown): string {
  if (error instanceof GitError) return "";
  throw error;
}

function descriptionOf(text: string): string | null {
  const line = text.trim();
  const hasDescription = line !== "" && !line.startsWith("Unnamed repository;");
  return hasDescription ? line.slice(0, 1000) : null;
}

/**
 * Stores the details of repositories. A repository without an id is assigned
 * one; existing ids are not changed.
 */
export async function storeRepositories(
  store: Store,
  org: string,
  repositories: readonly RepositoryDetails[],
): Promise<void> {
  await store.transaction(async (transaction) => {
    for (const details of repositories) {
      const key = repositoryKey(org, details.name);
      const stored = await transaction.get<RepositoryRecord>(
        TABLES.repositories,
        key,
      );
      const id = stored?.id ?? (await transaction.nextId("repository"));
      const createdAt = stored?.createdAt ?? details.createdAt;
      transaction.put(TABLES.repositories, key, { ...details, id, createdAt });
    }
  });
}
