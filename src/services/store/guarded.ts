import { ApiError } from "../../../generated/runtime/server/index.js";
import { StoreError, type StoreReader, type Store } from "./store.js";

/**
 * Function that is called with the reason when the store fails, and with
 * undefined when the store works again.
 */
export type StoreReport = (failure: string | undefined) => void;

/**
 * Wraps a store for a service. Failures of the store become 503 errors without
 * details. The first failure and the first success after it are reported.
 */
export function guardedStore(store: Store, report: StoreReport): Store {
  let isDown = false;
  const guarded = async <T>(result: Promise<T>): Promise<T> => {
    try {
      const value = await result;
      if (isDown) {
        isDown = false;
        report(undefined);
      }
      return value;
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      if (!isDown) {
        isDown = true;
        report(error.message);
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
  };
  return {
    ...reader,
    isShared: store.isShared,
    transaction: (run) => guarded(store.transaction(run)),
    close: () => store.close(),
  };
}
