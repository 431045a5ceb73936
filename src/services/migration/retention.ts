import { audit } from "../audit.js";
import type { LogLine } from "../service.js";
import type { Store } from "../store/store.js";
import { isFinished } from "./migrations.js";
import {
  idKey,
  type LockRecord,
  type MigrationRecord,
  repositoryKey,
  TABLES,
} from "./records.js";

/** Number of migrations that are read in a transaction. */
const PAGE = 100;

/** Store, log and limit of {@link deleteOldRecords}. */
export interface RetentionContext {
  readonly store: Store;
  readonly log: (line: LogLine) => void;
  /** Time in milliseconds; migrations that ended before are deleted. */
  readonly before: number;
  /** Signal that stops the search. */
  readonly signal: AbortSignal;
}

/**
 * Deletes the records of migrations that ended before a time. A migration that
 * still has an archive, or a lock that its id is needed to remove, is kept.
 */
export async function deleteOldRecords(
  context: RetentionContext,
): Promise<void> {
  const { store, signal } = context;
  for (const { key: org } of await store.list(TABLES.accounts)) {
    let after: string | undefined;
    do {
      if (signal.aborted) return;
      after = await deletePage(context, org, after);
    } while (after !== undefined);
  }
}

/**
 * Deletes old records of a page. Returns the key after which the next page
 * starts; undefined if the other migrations are too new.
 */
async function deletePage(
  { store, log, before }: RetentionContext,
  org: string,
  after: string | undefined,
): Promise<string | undefined> {
  const range = {
    prefix: `${org}/`,
    limit: PAGE,
    ...(after === undefined ? {} : { after }),
  };
  const page = await store.list<MigrationRecord>(TABLES.migrations, range);
  // Ids are in the order of creation.
  const old = page.filter(({ value }) => value.createdAt < before);
  const candidates = old.filter(
    ({ value }) => isFinished(value) && value.updatedAt < before,
  );
  if (candidates.length > 0)
    for (const { id, state } of await deleteUnused(store, org, candidates))
      audit(log, {
        service: "migration",
        action: "migration.retention.record",
        actor: "retention",
        target: `${org}/${id}`,
        before: state,
      });
  return old.length < PAGE ? undefined : old.at(-1)!.key;
}

/** Returns the deleted records. */
function deleteUnused(
  store: Store,
  org: string,
  candidates: readonly {
    readonly key: string;
    readonly value: MigrationRecord;
  }[],
): Promise<MigrationRecord[]> {
  return store.transaction(async (transaction) => {
    const keys = candidates.map(({ key }) => key);
    const present = await transaction.existing(TABLES.migrations, keys);
    const archives = await transaction.existing(
      TABLES.archives,
      candidates.map(({ value }) => idKey(value.id)),
    );
    const locks = new Map(
      (
        await transaction.list<LockRecord>(TABLES.locks, { prefix: `${org}/` })
      ).map(({ key, value }) => [key, value.migration]),
    );
    const unused = candidates.filter(
      ({ key, value: { id, repositories } }) =>
        present.has(key) &&
        !archives.has(idKey(id)) &&
        !repositories.some(
          (name) => locks.get(repositoryKey(org, name)) === id,
        ),
    );
    for (const { key } of unused) transaction.delete(TABLES.migrations, key);
    return unused.map(({ value }) => value);
  });
}
