/** State of a migration; it only moves forward. */
export type State = "pending" | "exporting" | "exported" | "failed";

/** What a migration was asked to do. */
export interface Flags {
  readonly lock_repositories: boolean;
  readonly exclude_metadata: boolean;
  readonly exclude_git_data: boolean;
  readonly exclude_attachments: boolean;
  readonly exclude_releases: boolean;
  readonly exclude_owner_projects: boolean;
  readonly org_metadata_only: boolean;
}

/** A migration as it is stored. Times are milliseconds since 1970. */
export interface MigrationRecord {
  readonly id: number;
  readonly guid: string;
  /** Name of the organization in lower case. */
  readonly org: string;
  /** Imports are only listed, without repositories. */
  readonly kind: "export" | "import";
  readonly state: State;
  readonly flags: Flags;
  /** Names in lower case. */
  readonly repositories: readonly string[];
  readonly createdAt: number;
  readonly updatedAt: number;
  /** How often the export was started. */
  readonly attempts: number;
  /** Why it failed; for operators, callers don't see it. */
  readonly reason?: string;
}

/** An archive that can be downloaded, under the id of its migration. */
export interface ArchiveRecord {
  readonly org: string;
  readonly guid: string;
  /** In bytes. */
  readonly size: number;
  readonly createdAt: number;
  /** Name of its file; absent where an older version of the service made it. */
  readonly file?: string;
}

/** The process that runs an export. Another one takes over when the lease is over. */
export interface LeaseRecord {
  readonly owner: string;
  readonly expires: number;
}

/** Whose lock a repository has. */
export interface LockRecord {
  readonly migration: number;
}

/** A repository as it was seen last. Times are milliseconds since 1970. */
export interface RepositoryRecord {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  readonly defaultBranch: string;
  /** Of the newest commit; null where there is none. */
  readonly pushedAt: number | null;
  readonly createdAt: number;
  /** In kilobytes. */
  readonly size: number;
}

/** Tables of the store. */
export const TABLES = {
  /** {@link MigrationRecord} by `organization/id`. */
  migrations: "migration-migrations",
  /** Those that wait or run, by the same key. */
  jobs: "migration-jobs",
  /** {@link LeaseRecord} of those that run, by the same key. */
  leases: "migration-leases",
  /** {@link ArchiveRecord} by id. */
  archives: "migration-archives",
  /** {@link LockRecord} by `organization/repository`. */
  locks: "migration-locks",
  /** {@link RepositoryRecord} by `organization/repository`. */
  repositories: "migration-repositories",
  /** Ids of organizations by name. */
  accounts: "migration-accounts",
  /** Ids given last, and the secret. */
  settings: "migration-settings",
} as const;

/** Ids as keys: in the order of their numbers. */
export function idKey(id: number): string {
  return String(id).padStart(16, "0");
}

/** Name of the file that one attempt at an export writes. */
export function archiveFile({ id, attempts }: MigrationRecord): string {
  return `${id}-${attempts}.tar.gz`;
}

/** Key of a migration. */
export function migrationKey(org: string, id: number): string {
  return `${org}/${idKey(id)}`;
}

/** Key of a repository. */
export function repositoryKey(org: string, name: string): string {
  return `${org}/${name.toLowerCase()}`;
}

/** The id of an object across all kinds, in the form that clients of this API know. */
export function nodeId(kind: string, id: number): string {
  return Buffer.from(`0${kind.length}:${kind}${id}`).toString("base64");
}
