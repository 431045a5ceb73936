import type { Store } from "../store/store.js";
import type { GitLimits } from "./git.js";
import { RepositoryError } from "./repository-files.js";
import { hasMarker, installHook, setMarker } from "./lock.js";
import {
  migrationKey,
  repositoryKey,
  TABLES,
  type LockRecord,
  type MigrationRecord,
} from "./records.js";
import { listRepositories, type BareRepository } from "./repositories.js";

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
