import { AdminError } from "../service.js";
import type { Store, StoreReader } from "../store/store.js";
import { isFinished } from "./migrations.js";
import {
  idKey,
  migrationKey,
  TABLES,
  type ArchiveRecord,
  type MigrationRecord,
} from "./records.js";

/**
 * Returns a migration of any organization.
 *
 * @throws AdminError if it does not exist
 */
export async function requireMigration(
  store: StoreReader,
  organization: string,
  id: number,
): Promise<MigrationRecord> {
  const org = organization.toLowerCase();
  const record = Number.isSafeInteger(id)
    ? await store.get<MigrationRecord>(TABLES.migrations, migrationKey(org, id))
    : undefined;
  if (record !== undefined) return record;
  throw new AdminError(`'${org}' has no migration ${id}`, [], 404);
}

/** Returns the archive of a migration; undefined if it has none. */
export function archiveOf(
  store: StoreReader,
  { id }: MigrationRecord,
): Promise<ArchiveRecord | undefined> {
  return store.get<ArchiveRecord>(TABLES.archives, idKey(id));
}

/**
 * Ends an unfinished export. A process that is running it can no longer store
 * its result.
 *
 * @returns the migration before and after the change
 * @throws AdminError if the migration does not exist or is finished
 */
export function cancelMigration(
  store: Store,
  organization: string,
  id: number,
  options: { readonly reason: string; readonly now: number },
): Promise<{
  readonly before: MigrationRecord;
  readonly after: MigrationRecord;
}> {
  return store.transaction(async (tx) => {
    const before = await requireMigration(tx, organization, id);
    if (isFinished(before))
      throw new AdminError(
        `the migration ${id} is finished: its state is ${before.state}`,
        [],
        409,
      );
    const { reason, now } = options;
    const after: MigrationRecord = {
      ...before,
      state: "failed",
      reason,
      updatedAt: now,
    };
    const key = migrationKey(before.org, id);
    tx.put(TABLES.migrations, key, after);
    tx.delete(TABLES.jobs, key);
    return { before, after };
  });
}

/**
 * Deletes the record of an archive, so that it can't be downloaded. The
 * migration service removes files without a record regularly.
 *
 * @throws AdminError if the migration or its archive does not exist
 */
export function deleteArchive(
  store: Store,
  organization: string,
  id: number,
): Promise<ArchiveRecord> {
  return store.transaction(async (tx) => {
    const archive = await archiveOf(
      tx,
      await requireMigration(tx, organization, id),
    );
    if (archive === undefined)
      throw new AdminError(`the migration ${id} has no archive`, [], 404);
    tx.delete(TABLES.archives, idKey(id));
    return archive;
  });
}
