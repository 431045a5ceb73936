import {
  createMigration,
  isMigrationError,
  scopes,
} from "../../../generated/migration/v1/index.js";
import type {
  Migration,
  StartMigrationRequest,
} from "../../../generated/migration/v1/index.js";
import type { ListForOrgParameters } from "../../../generated/migration/v1/resources/migrations.js";

const migration = createMigration({ auth: "token" });

/** Scopes to request. */
export const wanted: readonly string[] = [scopes.repo, scopes.adminOrg];

/** Starts a migration; some fields of the body are required, others not. */
export function start(org: string, repositories: string[]): Promise<Migration> {
  const rest: Partial<StartMigrationRequest> = { lock_repositories: true };
  return migration.migrations.startForOrg({
    org,
    requestBody: { ...rest, repositories },
  });
}

/** Repeated parameters take arrays, also of values that are not listed. */
export async function list(parameters: ListForOrgParameters): Promise<number> {
  const migrations = await migration.migrations.listForOrg({
    ...parameters,
    exclude: ["repositories", "something new"] as const,
  });
  return migrations.length;
}

/** A method without a result. */
export async function clean(org: string, migration_id: number): Promise<void> {
  const nothing: void = await migration.migrations.deleteArchiveForOrg({
    org,
    migration_id,
  });
  return nothing;
}

/** Elements and pages of a list with link pagination. */
export async function ids(org: string): Promise<number[]> {
  const found: number[] = [];
  const call = migration.migrations.listForOrg({ org });
  for await (const { id } of call) found.push(id);
  for await (const page of migration.migrations
    .listForOrg({ org, "X-Vendor-Api-Version": "2022-11-28" })
    .pages())
    found.push(...page.map(({ id }) => id));
  for await (const one of migration.migrations.listForOrg({
    org,
    fields: "id",
  })) {
    found.push(one.id);
    // @ts-expect-error not among the fields
    void one.state;
  }
  return found;
}

/** Declared response headers, required or optional. */
export async function headers(org: string): Promise<string[]> {
  const call = migration.migrations.listForOrg({ org });
  const { data, response } = await call.withResponse();
  const link: string | null = response.headers.get("Link");
  const other: string | null = response.headers.get("x-other");
  const archive = migration.migrations.downloadArchiveForOrg({
    org,
    migration_id: data[0]!.id,
  });
  const { response: moved } = await archive.unfollowed();
  const location: string = moved.headers.get("location");
  // @ts-expect-error it may be absent
  const wrong: string = response.headers.get("link");
  return [link ?? "", other ?? "", location, wrong];
}

/** Content behind a redirect, complete and as a stream. */
export async function archive(
  org: string,
  migration_id: number,
): Promise<[number, boolean]> {
  const call = migration.migrations.downloadArchiveForOrg;
  const blob: Blob = await call({ org, migration_id });
  const { stream } = await call({ org, migration_id }).media();
  return [blob.size, stream.locked];
}

/** Errors by status. */
export function explain(error: unknown): string | undefined {
  if (!isMigrationError(error)) return undefined;
  if (error.status === 422) return error.data.errors?.[0]?.code;
  // @ts-expect-error only a 422 has a list
  void error.data.errors;
  return error.problems?.[0]?.field ?? error.data.message;
}

export function mistakes(org: string): unknown[] {
  return [
    // @ts-expect-error the body is required
    migration.migrations.startForOrg({ org }),
    // @ts-expect-error the body's `repositories` is missing
    migration.migrations.startForOrg({ org, requestBody: {} }),
    migration.migrations.startForOrg({
      org,
      // @ts-expect-error null is for PATCH
      requestBody: { repositories: [], exclude: null },
    }),
    // @ts-expect-error an array
    migration.migrations.listForOrg({ org, exclude: "repositories" }),
    // @ts-expect-error no such scope
    scopes.everything,
  ];
}
