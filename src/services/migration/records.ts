/**
 * State of a migration. It changes from `pending` to `exporting`, and then to
 * `exported` or `failed`.
 */
export type State = "pending" | "exporting" | "exported" | "failed";

/** Options of a migration. */
export interface Flags {
  readonly lock_repositories: boolean;
  readonly exclude_metadata: boolean;
  readonly exclude_git_data: boolean;
  readonly exclude_attachments: boolean;
  readonly exclude_releases: boolean;
  readonly exclude_owner_projects: boolean;
  readonly org_metadata_only: boolean;
}

/** Migration as it is stored. Times are in milliseconds since 1970. */
export interface MigrationRecord {
  readonly id: number;
  readonly guid: string;
  /** Name of the organization in lower case. */
  readonly org: string;
  /**
   * Kind of the migration. Lists of migrations omit the repositories of
   * imports.
   */
  readonly kind: "export" | "import";
  readonly state: State;
  readonly flags: Flags;
  /** Names of the repositories in lower case. */
  readonly repositories: readonly string[];
  readonly createdAt: number;
  readonly updatedAt: number;
  /**
   * Number of times that the export was started, without starts that ended
   * because the service was closed. It identifies the current start: the result
   * of an earlier one is rejected.
   */
  readonly attempts: number;
  /**
   * Reason for a failure, for operators. It is not visible to callers of the
   * API.
   */
  readonly reason?: string;
}

/** Archive of a migration. Its key is the id of the migration. */
export interface ArchiveRecord {
  readonly org: string;
  readonly guid: string;
  /** Size of the archive in bytes. */
  readonly size: number;
  readonly createdAt: number;
  /**
   * Name of the file; absent in records that older versions of the service
   * wrote.
   */
  readonly file?: string;
}

/**
 * Lock of a repository. It contains the id of the migration that locked the
 * repository.
 */
export interface LockRecord {
  readonly migration: number;
}

/**
 * Properties of a repository when it was last read. Times are in milliseconds
 * since 1970.
 */
export interface RepositoryRecord {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  readonly defaultBranch: string;
  /** Time of the newest commit; null if the repository has no commits. */
  readonly pushedAt: number | null;
  readonly createdAt: number;
  /** Size of the repository in kilobytes. */
  readonly size: number;
}

/**
 * Tables of the store. The comments describe the values and the keys of each
 * table.
 */
export const TABLES = {
  /** Values of type {@link MigrationRecord}, keyed by `organization/id`. */
  migrations: "migration-migrations",
  /** Ids of pending and running migrations, keyed by `organization/id`. */
  jobs: "migration-jobs",
  /** Values of type {@link ArchiveRecord}, keyed by id. */
  archives: "migration-archives",
  /** Values of type {@link LockRecord}, keyed by `organization/repository`. */
  locks: "migration-locks",
  /** Values of type {@link RepositoryRecord}, keyed by `organization/repository`. */
  repositories: "migration-repositories",
  /** Ids of organizations, keyed by name. */
  accounts: "migration-accounts",
  /**
   * Last assigned ids, identifier of the archive folder, and secret for signing
   * URLs.
   */
  settings: "migration-settings",
} as const;

/**
 * Returns an id as a key. The id is padded with zeros, so that keys are sorted
 * in the order of ids.
 */
export function idKey(id: number): string {
  return String(id).padStart(16, "0");
}

/**
 * Returns the file name of a migration's archive. The name is different for
 * each attempt.
 */
export function archiveFile({ id, attempts }: MigrationRecord): string {
  return `${id}-${attempts}.tar.gz`;
}

export function migrationKey(org: string, id: number): string {
  return `${org}/${idKey(id)}`;
}

export function repositoryKey(org: string, name: string): string {
  return `${org}/${name.toLowerCase()}`;
}

/**
 * Returns the global id of an object in the format that clients of this API
 * expect.
 */
export function nodeId(kind: string, id: number): string {
  return Buffer.from(`0${kind.length}:${kind}${id}`).toString("base64");
}
