import { expect, onTestFinished, test } from "vitest";
import { migrationKey, TABLES } from "../../src/services/migration/records.js";
import { postgresStore } from "../../src/services/store/postgres.js";
import { startPgBouncer } from "../support/pgbouncer.js";
import { startPostgres } from "../support/postgres.js";

test("a store works through PgBouncer in transaction mode", async () => {
  const postgres = await startPostgres();
  if (postgres === undefined) throw new Error("PostgreSQL is not installed");
  onTestFinished(() => postgres.stop());
  const url = await startPgBouncer(postgres.url, 2);
  const stores = await Promise.all([
    postgresStore(`${url}?statement_timeout=2000`),
    postgresStore(url),
  ]);
  const increments = stores.flatMap((store) =>
    Array.from({ length: 20 }, () =>
      store.transaction(async (transaction) => {
        const count = (await transaction.get<number>("t", "count")) ?? 0;
        transaction.put("t", "count", count + 1);
      }),
    ),
  );
  await Promise.all(increments);
  expect(await stores[1].get("t", "count")).toBe(40);
  expect(await stores[0].time!()).toBeCloseTo(Date.now(), -5);
  // More rows than fit into one statement, which are sent with COPY.
  await stores[0].transaction(async (tx) => {
    for (let id = 1; id <= 1500; id++)
      tx.put(TABLES.jobs, migrationKey("acme", id), id);
  });
  const reads = await Promise.all(
    Array.from({ length: 200 }, (_, at) =>
      stores[at % 2]!.get(TABLES.jobs, migrationKey("acme", at + 1)),
    ),
  );
  expect(reads).toEqual(Array.from({ length: 200 }, (_, at) => at + 1));
  for (const store of stores) await store.close();
});
