import { ApiError } from "../../../generated/runtime/server/index.js";
import { StoreError, type StoreReader, type Store } from "./store.js";

/** Operations of a store, which can fail independently of each other. */
export type StoreOperations = "reads" | "writes";

/**
 * Function that is called with the reason when operations of the store fail, and
 * with undefined when they work again.
 */
export type StoreReport = (
  operations: StoreOperations,
  failure: string | undefined,
) => void;

/**
 * Wraps a store for a service. Failures of the store become 503 errors without
 * details. The first failure and the first success after it are reported,
 * separately for reads and writes: on a full disk, only writes fail.
 */
export function guardedStore(store: Store, report: StoreReport): Store {
  const failed = new Set<StoreOperations>();
  const guarded = async <T>(
    result: Promise<T>,
    operations: StoreOperations = "reads",
  ): Promise<T> => {
    try {
      const value = await result;
      if (failed.delete(operations)) report(operations, undefined);
      return value;
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      if (!failed.has(operations)) {
        failed.add(operations);
        report(operations, error.message);
      }
      throw new ApiError(503, "The service's store is unavailable.", {
        headers: { "retry-after": "5" },
        cause: error,
      });
    }
  };
  const reader: StoreReader = {
    get: (table, key) => guarded(store.get(table, key)),
    list: (table, range) => guarded(store.list(table, range)),
    count: (table, prefix) => guarded(store.count(table, prefix)),
    existing: (table, keys) => guarded(store.existing(table, keys)),
  };
  return {
    ...reader,
    isShared: store.isShared,
    pool: store.pool,
    transaction: (run) => guarded(store.transaction(run), "writes"),
    tables: () => guarded(store.tables()),
    ...(store.rows === undefined
      ? {}
      : {
          rows: <T extends object>(text: string, values: unknown[]) =>
            guarded(store.rows!<T>(text, values)),
        }),
    ...(store.time === undefined ? {} : { time: () => guarded(store.time!()) }),
    close: () => store.close(),
  };
}
