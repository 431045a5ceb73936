import { lstat, readdir } from "node:fs/promises";
import path from "node:path";
import type { Store } from "../store/store.js";
import { git, type GitLimits } from "./git.js";
import type { GitFolder } from "./git-folder.js";
import { readPlain } from "./file-start.js";
import { repositoryKey, TABLES, type RepositoryRecord } from "./records.js";
import { nextId } from "./settings.js";

/** A bare repository on disk. */
export interface Found {
  /** As the folder has it, without `.git`. */
  readonly name: string;
  readonly folder: string;
}

/** Names of repositories: no slash, no dot or dash in front, no control character. */
export const REPOSITORY = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$/;

/**
 * All bare repositories of an organization, by name in lower case. Links are
 * passed over: they could lead out of the root.
 */
export async function listRepositories(
  root: string,
  org: string,
): Promise<ReadonlyMap<string, Found>> {
  const found = new Map<string, Found>();
  for (const folder of await orgFolders(root, org)) {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const name = entry.name.replace(/\.git$/, "");
      if (!entry.isDirectory() || name === entry.name) continue;
      if (!REPOSITORY.test(name) || found.has(name.toLowerCase())) continue;
      found.set(name.toLowerCase(), {
        name,
        folder: path.join(folder, entry.name),
      });
    }
  }
  return found;
}

/** The folders whose name is that of the organization, whatever its case. */
export async function orgFolders(root: string, org: string): Promise<string[]> {
  const entries = await readdir(root, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory() && entry.name.toLowerCase() === org)
    .map((entry) => path.join(root, entry.name))
    .sort();
}

type Facts = Omit<RepositoryRecord, "id">;

/**
 * Looks at a repository.
 *
 * @param ours what git reads in its place
 * @throws GitError where git can't read it
 */
export async function lookAt(
  { name, folder }: Found,
  { folder: ours, size }: GitFolder,
  limits: GitLimits,
): Promise<Facts> {
  const newest = ["--count=1", "--sort=-committerdate"];
  const [head, date, description, stats] = await Promise.all([
    readPlain(path.join(folder, "HEAD")),
    git(
      ours,
      [
        "for-each-ref",
        ...newest,
        "--format=%(committerdate:unix)",
        "--",
        "refs/heads",
      ],
      limits,
    ),
    readPlain(path.join(folder, "description")),
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

function descriptionOf(text: string): string | null {
  const line = text.trim();
  const isGiven = line !== "" && !line.startsWith("Unnamed repository;");
  return isGiven ? line.slice(0, 1000) : null;
}

/** Stores what is known of repositories now; ids stay what they were. */
export async function remember(
  store: Store,
  org: string,
  seen: readonly Facts[],
): Promise<void> {
  await store.transaction(async (transaction) => {
    for (const facts of seen) {
      const key = repositoryKey(org, facts.name);
      const known = await transaction.get<RepositoryRecord>(
        TABLES.repositories,
        key,
      );
      const id = known?.id ?? (await nextId(transaction, "repository"));
      const createdAt = known?.createdAt ?? facts.createdAt;
      transaction.put(TABLES.repositories, key, { ...facts, id, createdAt });
    }
  });
}
