import type { Store } from "../store/store.js";
import type { GitLimits } from "./git.js";
import { RepositoryError } from "./repository-files.js";
import { hasMarker, installHook, setMarker } from "./lock.js";
import { migrationKey, repositoryKey, TABLES } from "./records.js";
import type { LockRecord, MigrationRecord } from "./records.js";
import { listRepositories, type Found } from "./repositories.js";

/**
 * Locks of repositories. The store is the truth; markers in the repositories
 * follow it, one change of a repository after the other.
 */
export class Locks {
  readonly #store: Store;
  readonly #root: string;
  readonly #limits: GitLimits;
  readonly #last = new Map<string, Promise<void>>();

  constructor(store: Store, root: string, limits: GitLimits) {
    this.#store = store;
    this.#root = root;
    this.#limits = limits;
  }

  /**
   * Makes a repository able to refuse pushes; it does not yet.
   *
   * @throws RepositoryError where pushes don't run its hooks
   */
  async prepare({ folder }: Found): Promise<void> {
    await installHook(folder, this.#limits);
  }

  /**
   * Takes the lock of a migration from a repository.
   *
   * @returns false where the migration has none there
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

  /** Makes a repository's marker what the store says. */
  follow(org: string, found: Found | undefined): Promise<void> {
    if (found === undefined) return Promise.resolve();
    const key = repositoryKey(org, found.name);
    const before = this.#last.get(key) ?? Promise.resolve();
    const change = before.catch(() => {}).then(() => this.#set(key, found));
    this.#last.set(key, change);
    const forget = (): void => {
      if (this.#last.get(key) === change) this.#last.delete(key);
    };
    change.then(forget, forget);
    return change;
  }

  /** Another process may change the lock meanwhile: what is written has to be what the store says afterwards. */
  async #set(key: string, { folder }: Found): Promise<void> {
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

  /** Makes the markers of a migration's repositories what the store says. */
  async followAll({ org, repositories }: MigrationRecord): Promise<void> {
    const found = await listRepositories(this.#root, org);
    for (const name of repositories) await this.follow(org, found.get(name));
  }

  /** The same for all repositories of an organization, after a restart. */
  async reconcile(org: string): Promise<void> {
    const locks = await this.#store.list(TABLES.locks, { prefix: `${org}/` });
    const locked = new Set(locks.map(({ key }) => key));
    for (const found of (await listRepositories(this.#root, org)).values()) {
      const isLocked = locked.has(repositoryKey(org, found.name));
      if (isLocked || (await hasMarker(found.folder)))
        await this.follow(org, found).catch(unlessRefused);
    }
  }
}

/** A repository that leads elsewhere can't be locked any more, which its next export reports. */
export function unlessRefused(error: unknown): void {
  if (!(error instanceof RepositoryError)) throw error;
}
