import type { Migration } from "../../../generated/admin/v1/schemas.js";
import type { MigrationsService } from "../../../generated/admin/v1/server.js";
import {
  archiveOf,
  cancelMigration,
  deleteArchive,
  requireMigration,
} from "../migration/administration.js";
import { type MigrationRecord, TABLES } from "../migration/records.js";
import { sharedTime, type StoreReader } from "../store/store.js";
import { auditChange, type AdminContext, type Operator } from "./context.js";
import { pageOf } from "./paging.js";

/** Returns the handlers of migrations. */
export function migrationHandlers(
  context: AdminContext,
): MigrationsService<Operator> {
  const { store } = context;
  return {
    async list({ params }) {
      const { organization, state } = params;
      const { values, ...page } = await pageOf<MigrationRecord>(
        store,
        {
          table: TABLES.migrations,
          isReverse: true,
          ...(organization === undefined
            ? {}
            : { prefix: prefixOf(organization) }),
        },
        params,
      );
      const records = values
        .map(([, record]) => record)
        .filter((record) => state === undefined || record.state === state);
      const migrations = await Promise.all(
        records.map((record) => migrationJson(store, record)),
      );
      return { migrations, ...page };
    },
    async get({ params: { organization, migration_id } }) {
      const record = await requireMigration(store, organization, migration_id);
      return migrationJson(store, record);
    },
    async cancel(call) {
      const { organization, migration_id } = call.params;
      const { before, after } = await cancelMigration(
        store,
        organization,
        migration_id,
        {
          reason: `Cancelled by ${call.auth.name}.`,
          now: await sharedTime(store, context.now),
        },
      );
      auditChange(context, call, {
        target: targetOf(after),
        before: before.state,
        after: after.state,
      });
      return migrationJson(store, after);
    },
    async deleteArchive(call) {
      const { organization, migration_id } = call.params;
      const { guid } = await deleteArchive(store, organization, migration_id);
      const target = `${organization.toLowerCase()}/${migration_id}`;
      auditChange(context, call, { target, before: guid });
    },
  };
}

/** Returns the prefix of an organization's keys. Names have no slash or NUL. */
function prefixOf(organization: string): string {
  return `${organization.toLowerCase().replace(/[/\0]/g, "")}/`;
}

function targetOf({ org, id }: MigrationRecord): string {
  return `${org}/${id}`;
}

async function migrationJson(
  store: StoreReader,
  record: MigrationRecord,
): Promise<Migration> {
  const { org, id, guid, kind, state, repositories, attempts, reason } = record;
  const archive =
    state === "exported" ? await archiveOf(store, record) : undefined;
  return {
    organization: org,
    id,
    guid,
    kind,
    state,
    repositories: [...repositories],
    attempts,
    ...(reason === undefined ? {} : { reason }),
    ...(archive === undefined
      ? {}
      : {
          archive: {
            size: archive.size,
            created_at: new Date(archive.createdAt).toISOString(),
          },
        }),
    created_at: new Date(record.createdAt).toISOString(),
    updated_at: new Date(record.updatedAt).toISOString(),
  };
}
