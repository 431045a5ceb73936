import { randomUUID } from "node:crypto";
import { link, lstat, mkdir, readdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { replaceFile } from "../../platform/replace-file.js";
import type { Store } from "../store/store.js";
import { readFileStart } from "./file-start.js";
import { gitAsUser, GitError, type GitLimits } from "./git.js";
import {
  type LockRecord,
  migrationKey,
  type MigrationRecord,
  repositoryKey,
  TABLES,
} from "./records.js";
import { type BareRepository, listRepositories } from "./repositories.js";
import { checkSelfContained, RepositoryError } from "./repository-files.js";

/**
 * Locks of repositories. The store contains the locks; the marker files in the
 * repositories are updated from the store. Updates of the same repository run
 * one after the other.
 */
export class Locks {
  readonly #store: Store;
  readonly #root: string;
  readonly #limits: GitLimits;
  readonly #pending = new Map<string, Promise<void>>();

  constructor(store: Store, root: string, limits: GitLimits) {
    this.#store = store;
    this.#root = root;
    this.#limits = limits;
  }

  /**
   * Prepares a repository for locking.
   *
   * @throws RepositoryError if pushes do not run the hooks in the repository's
   *   folder
   */
  async prepare({ folder }: BareRepository): Promise<void> {
    await installHook(folder, this.#limits);
  }

  /**
   * Removes the lock of a migration from a repository.
   *
   * @returns false if the migration has not locked the repository
   */
  async unlock(org: string, migration: number, name: string): Promise<boolean> {
    const key = repositoryKey(org, name);
    const isFound = await this.#store.transaction(async (transaction) => {
      const lock = await transaction.get<LockRecord>(TABLES.locks, key);
      const owner = migrationKey(org, migration);
      const found = await transaction.get<MigrationRecord>(
        TABLES.migrations,
        owner,
      );
      if (lock?.migration !== migration || found === undefined) return false;
      transaction.delete(TABLES.locks, key);
      return true;
    });
    if (!isFound) return false;
    const found = await listRepositories(this.#root, org);
    await this.follow(org, found.get(name.toLowerCase()));
    return true;
  }

  /** Updates the marker file of a repository from the store. */
  follow(org: string, repository: BareRepository | undefined): Promise<void> {
    if (repository === undefined) return Promise.resolve();
    const key = repositoryKey(org, repository.name);
    const before = this.#pending.get(key) ?? Promise.resolve();
    const change = before
      .catch(() => {})
      .then(() => this.#set(key, repository));
    this.#pending.set(key, change);
    const forget = (): void => {
      if (this.#pending.get(key) === change) this.#pending.delete(key);
    };
    change.then(forget, forget);
    return change;
  }

  /**
   * Updates the marker file until it matches the store, because another process
   * can change the lock in parallel.
   */
  async #set(key: string, { folder }: BareRepository): Promise<void> {
    const read = (): Promise<LockRecord | undefined> =>
      this.#store.get<LockRecord>(TABLES.locks, key);
    let lock = await read();
    for (;;) {
      if (lock !== undefined) await installHook(folder, this.#limits);
      await setMarker(folder, lock?.migration);
      const now = await read();
      if (now?.migration === lock?.migration) return;
      lock = now;
    }
  }

  /** Updates the marker files of a migration's repositories from the store. */
  async followAll({ org, repositories }: MigrationRecord): Promise<void> {
    const repositoriesByName = await listRepositories(this.#root, org);
    for (const name of repositories)
      await this.follow(org, repositoriesByName.get(name));
  }

  /**
   * Updates the marker files of all repositories of an organization after a
   * restart.
   */
  async reconcile(org: string): Promise<void> {
    const locks = await this.#store.list(TABLES.locks, { prefix: `${org}/` });
    const locked = new Set(locks.map(({ key }) => key));
    for (const repository of (
      await listRepositories(this.#root, org)
    ).values()) {
      const isLocked = locked.has(repositoryKey(org, repository.name));
      if (isLocked || (await hasMarker(repository.folder)))
        await this.follow(org, repository).catch(ignoreRepositoryError);
    }
  }
}

/**
 * Ignores a RepositoryError, because the next export reports it. Rethrows other
 * errors.
 */
export function ignoreRepositoryError(error: unknown): void {
  if (!(error instanceof RepositoryError)) throw error;
}

/** Name of the marker file in the folder of a locked repository. */
const MARKER = "migration-lock";

/** Comment that identifies the service's own hook script. */
const HOOK_MARK =
  "# Rejects pushes while the repository is locked for a migration.";

/**
 * Name to which an existing hook is renamed. The service's hook runs the
 * renamed hook.
 */
const CHAINED = "pre-receive.chained";

/**
 * Script of the hook that rejects pushes while the marker file exists. Git runs
 * the script in the repository's folder. The script passes its input and
 * arguments to the previous hook.
 */
const HOOK = `#!/bin/sh
${HOOK_MARK}
if [ -e "\${GIT_DIR:-.}/${MARKER}" ]; then
  echo "The repository is locked for a migration." >&2
  exit 1
fi
next="$(dirname -- "$0")/${CHAINED}"
if [ -x "$next" ]; then
  exec "$next" "$@"
fi
exit 0
`;

/**
 * Installs the hook, unless it is already installed. An existing hook is
 * replaced atomically.
 *
 * @throws RepositoryError if pushes do not run hooks in the repository's folder
 */
export async function installHook(
  repository: string,
  limits: GitLimits,
): Promise<void> {
  const hooks = await hooksFolder(repository, limits);
  const hook = path.join(hooks, "pre-receive");
  const current = await readFileStart(hook);
  if (current === HOOK && (await isExecutable(hook))) return;
  const isOtherHook = current !== undefined && !current.includes(HOOK_MARK);
  if (isOtherHook) await chainHook(hook, path.join(hooks, CHAINED));
  replaceFile(hook, HOOK, { mode: 0o755, followsLinks: false });
}

/**
 * Creates a hard link to an existing hook, so that the service's hook can run
 * it. The existing hook remains active until the service's hook replaces it.
 */
async function chainHook(hook: string, chained: string): Promise<void> {
  const fresh = `${chained}.${randomUUID()}`;
  await link(hook, fresh);
  // If the linked file is the service's own hook, another process has installed
  // it in the meantime. The link is then removed, because the hook would call
  // itself.
  if ((await readFileStart(fresh))?.includes(HOOK_MARK) !== false)
    await rm(fresh);
  else await rename(fresh, chained);
}

async function isExecutable(hook: string): Promise<boolean> {
  return ((await lstat(hook)).mode & 0o111) === 0o111;
}

/**
 * Returns the folder whose hooks git runs on a push, according to the settings
 * of the repository, the user and the system. The folder must be inside the
 * repository: otherwise the lock could be bypassed, and the service would write
 * outside of the repository.
 *
 * @throws RepositoryError if the folder is not inside the repository
 */
async function hooksFolder(
  repository: string,
  limits: GitLimits,
): Promise<string> {
  await checkSelfContained(repository);
  const output = await gitAsUser(
    repository,
    ["rev-parse", "--git-path", "hooks"],
    limits,
  ).catch((error: unknown) => {
    if (!(error instanceof GitError)) throw error;
    throw new RepositoryError("Git can't read the settings of the repository.");
  });
  const folder = path.resolve(repository, output.replace(/\n$/, ""));
  const inside = path.relative(repository, folder);
  const parts = inside.split(path.sep);
  if (inside === "" || parts[0] === ".." || path.isAbsolute(inside))
    throw new RepositoryError(
      "The repository can't be locked: the hooks folder (core.hooksPath) must be inside the repository.",
    );
  if (RESERVED_FOLDERS.has(parts[0]!))
    throw new RepositoryError(
      "The repository can't be locked: core.hooksPath is a folder that git uses for its own data.",
    );
  for (let depth = 1; depth <= parts.length; depth++)
    await ensureFolder(path.join(repository, ...parts.slice(0, depth)));
  return folder;
}

/**
 * Folders that git uses for its own data. Hooks must not be created in them.
 */
const RESERVED_FOLDERS = new Set([
  "objects",
  "refs",
  "info",
  "logs",
  "worktrees",
]);

/** Creates a folder unless it exists. @throws RepositoryError for a link */
async function ensureFolder(folder: string): Promise<void> {
  await mkdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  if (!(await lstat(folder)).isDirectory())
    throw new RepositoryError(
      "The repository can't be locked: its hooks folder must not be a link.",
    );
}

/**
 * Writes the marker file of a migration, or removes the file if `migration` is
 * undefined.
 */
async function setMarker(
  repository: string,
  migration: number | undefined,
): Promise<void> {
  const marker = path.join(repository, MARKER);
  if (migration === undefined) await rm(marker, { force: true });
  else
    replaceFile(marker, `${JSON.stringify({ migration })}\n`, {
      followsLinks: false,
    });
}

/** Tests whether a repository has a marker file. */
async function hasMarker(repository: string): Promise<boolean> {
  return (await readdir(repository)).includes(MARKER);
}
