import {
  createMigration,
  scopes,
} from "../../../generated/migration/v1/index.js";
import type {
  Migration,
  StartMigrationRequest,
} from "../../../generated/migration/v1/index.js";
import type { ListForOrgParameters } from "../../../generated/migration/v1/resources/migrations.js";

const migration = createMigration({ auth: "token" });

/** The scopes to ask for. */
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
