import type {
  Migration,
  Repository,
} from "../../../generated/migration/v1/schemas.js";
import type { Store } from "../store/store.js";
import { ownerOf, type Account } from "./owner.js";
import {
  nodeId,
  repositoryKey,
  TABLES,
  type MigrationRecord,
  type RepositoryRecord,
} from "./records.js";
import { listedRepositoryOf, repositoryOf } from "./repository-json.js";

/**
 * Class that converts stored records to migrations and repositories as defined
 * by the API. Each request uses a new instance.
 */
export class MigrationWriter {
  readonly #store: Store;
  readonly #account: Account;
  readonly #origin: string;
  /**
   * Repository records, keyed by name. They are cached because the migrations
   * in a list often contain the same repositories.
   */
  readonly #records = new Map<string, Promise<RepositoryRecord | undefined>>();

  /** @param origin origin of URLs, such as `https://api.example.com` */
  constructor(store: Store, account: Account, origin: string) {
    this.#store = store;
    this.#account = account;
    this.#origin = origin;
  }

  /**
   * Converts a migration. Repositories are included unless the request excludes
   * them.
   */
  async migration(
    record: MigrationRecord,
    exclude: readonly string[] = [],
  ): Promise<Migration> {
    const { id, guid, state, flags, repositories, kind } = record;
    const isListed = kind === "export" && !exclude.includes("repositories");
    const url = `${this.#origin}/orgs/${this.#account.login}/migrations/${id}`;
    return {
      id,
      node_id: nodeId("Migration", id),
      owner: ownerOf(this.#account, this.#origin),
      guid,
      state,
      ...flags,
      ...(isListed
        ? { repositories: await this.#convertAll(repositories, repositoryOf) }
        : {}),
      url,
      created_at: timeOf(record.createdAt),
      updated_at: timeOf(record.updatedAt),
    };
  }

  /** Converts repositories for the list endpoint. */
  repositories(names: readonly string[]): Promise<Repository[]> {
    return this.#convertAll(names, listedRepositoryOf);
  }

  async #convertAll(
    names: readonly string[],
    convert: typeof repositoryOf,
  ): Promise<Repository[]> {
    const owner = ownerOf(this.#account, this.#origin);
    const records = await Promise.all(names.map((name) => this.#record(name)));
    return records
      .filter((record) => record !== undefined)
      .map((record) => convert(record, owner, this.#origin));
  }

  #record(name: string): Promise<RepositoryRecord | undefined> {
    const pending = this.#records.get(name);
    if (pending !== undefined) return pending;
    const org = this.#account.login.toLowerCase();
    const key = repositoryKey(org, name);
    const record = this.#store.get<RepositoryRecord>(TABLES.repositories, key);
    this.#records.set(name, record);
    return record;
  }
}

/**
 * Formats a time as ISO 8601 with the offset `+00:00`, without fractional
 * seconds.
 */
function timeOf(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}+00:00`;
}
