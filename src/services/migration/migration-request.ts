import type { Transaction } from "../store/store.js";
import {
  repositoryKey,
  TABLES,
  type Flags,
  type LockRecord,
} from "./records.js";

/**
 * Error for a migration that can't be started. The reason is reported to the
 * caller.
 */
export class StartError extends Error {
  /**
   * Index of the invalid repository in the request; undefined for other causes
   * of the error.
   */
  readonly index: number | undefined;
  readonly code: "already_exists" | "unprocessable";

  constructor(
    message: string,
    code: "already_exists" | "unprocessable",
    index?: number,
  ) {
    super(message);
    this.name = "RefusedError";
    this.code = code;
    this.index = index;
  }
}

export interface MigrationRequest {
  readonly org: string;
  readonly flags: Flags;
  /** Names of the repositories in lower case. */
  readonly repositories: readonly string[];
}

/**
 * Locks the repositories of a migration in the store.
 *
 * @throws StartError if a repository is already locked
 */
export async function lockRepositories(
  transaction: Transaction,
  { org, repositories }: MigrationRequest,
  migration: number,
): Promise<void> {
  for (const [index, name] of repositories.entries()) {
    const key = repositoryKey(org, name);
    const lock = await transaction.get<LockRecord>(TABLES.locks, key);
    if (lock !== undefined)
      throw new StartError(
        `The repository is locked for migration ${lock.migration}.`,
        "already_exists",
        index,
      );
    transaction.put(TABLES.locks, key, { migration });
  }
}
