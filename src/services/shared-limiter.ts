import type { RateLimiterPostgres } from "rate-limiter-flexible";
import type { Store } from "./store/store.js";

/** Table of the counts; `migrations/` creates it. */
const TABLE = "gen_rate_limits";

/** Numbers above this one are times in milliseconds, others are counts. */
const MIN_TIME = 1e12;

/** Query as rate-limiter-flexible sends it. */
interface LimiterQuery {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Settings of {@link sharedLimiter}. */
export interface SharedLimiterSettings {
  /** Start of the keys in the table, which all limiters share. */
  readonly keyPrefix: string;
  /** Maximum of points per window, for all processes. */
  readonly points: number;
  /** Length of a window in milliseconds. */
  readonly window: number;
  /** Count from which this process refuses without a query. */
  readonly inMemoryBlockOnConsumed?: number;
}

/**
 * Returns a limiter whose counts are in the database, so that all processes
 * count together.
 *
 * @throws StoreError if the database is unavailable
 */
export async function sharedLimiter(
  { rows, time }: Required<Pick<Store, "rows" | "time">>,
  { keyPrefix, points, window, ...more }: SharedLimiterSettings,
): Promise<RateLimiterPostgres> {
  const { RateLimiterPostgres } = await import("rate-limiter-flexible");
  // The library compares times of this process with times that others have
  // stored. The clocks of machines can differ, so its times are converted to
  // those of the database.
  const offset = (await time()) - Date.now();
  return new RateLimiterPostgres({
    storeClient: {
      async query({ text, values }: LimiterQuery) {
        const shifted = values.map((value) =>
          typeof value === "number" && value > MIN_TIME
            ? Math.round(value + offset)
            : value,
        );
        const found = await rows<{ expire: string }>(text, shifted);
        return {
          rowCount: found.length,
          rows: found.map((row) => ({
            ...row,
            expire: Number(row.expire) - offset,
          })),
        };
      },
    },
    storeType: "client",
    tableName: TABLE,
    tableCreated: true,
    keyPrefix,
    points,
    duration: window / 1000,
    ...more,
  });
}
