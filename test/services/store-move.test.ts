import { afterAll, beforeAll, expect, test, type TestContext } from "vitest";
import pg from "pg";
import { moveRecords } from "../../src/services/store/move.js";
import { levelStore } from "../../src/services/store/level.js";
import { memoryStore } from "../../src/services/store/open.js";
import { postgresStore } from "../../src/services/store/postgres.js";
import type { Store } from "../../src/services/store/store.js";
import { demo } from "../../src/services/marketplace/demo.js";
import { hashOf, idOfHash } from "../../src/services/key-hash.js";
import { tables } from "../../src/services/marketplace/data.js";
import { TABLES } from "../../src/services/migration/records.js";
import { temporaryFolder } from "../support/paths.js";
import { startPostgres, type Postgres } from "../support/postgres.js";
import path from "node:path";

let postgres: Postgres | undefined;
beforeAll(async () => {
  postgres = await startPostgres();
}, 60_000);
afterAll(() => postgres?.stop());

/** Creates an empty database; skips the test where PostgreSQL is not installed. */
async function database(context: TestContext): Promise<string> {
  if (postgres === undefined) return context.skip();
  const name = `test_${Math.random().toString(36).slice(2)}`;
  await run(postgres.url, (client) => client.query(`CREATE DATABASE ${name}`));
  const url = new URL(postgres.url);
  url.pathname = `/${name}`;
  return url.href;
}

async function run<T>(
  url: string,
  use: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

/** Adds sample data, a record of settings, and ids of migrations up to 5. */
async function fill(store: Store): Promise<void> {
  const log = (): void => {};
  await demo({ store, now: Date.now, log, folder: undefined, config: {} });
  await store.transaction(async (tx) => {
    tx.put(TABLES.settings, "secret", "s");
    const key = "demo/code-1";
    const purchase = (await tx.get(tables.purchases, key)) as object;
    const sale = { requestId: "1", requestHash: "ab" };
    tx.put(tables.purchases, key, { ...purchase, ...sale });
    tx.put(tables.sales, "demo/1", "code-1");
    tx.put(tables.keyUses, idOfHash(hashOf("test-key")), {
      lastUsedAt: "2026-01-02T03:04:05.678Z",
    });
    for (let id = 1; id <= 5; id++)
      expect(await tx.nextId("migration")).toBe(id);
  });
}

async function expectMoved(url: string, source: Store): Promise<void> {
  const store = await postgresStore(url);
  for (const table of Object.values(tables))
    expect(await store.list(table), table).toEqual(await source.list(table));
  expect(await store.list(TABLES.settings)).toEqual([
    { key: "secret", value: "s" },
  ]);
  expect(await store.transaction((tx) => tx.nextId("migration"))).toBe(6);
  await store.close();
}

/** Writes the records of a store as version 0.1 did. */
async function writeOldTable(url: string, source: Store): Promise<void> {
  await run(url, async (client) => {
    await client.query(
      'CREATE TABLE gen_store (tbl text COLLATE "C" NOT NULL, key bytea NOT NULL, value text NOT NULL, PRIMARY KEY (tbl, key))',
    );
    for (const table of await source.tables())
      for (const { key, value } of await source.list(table))
        await client.query("INSERT INTO gen_store VALUES ($1, $2, $3)", [
          table,
          Buffer.from(key),
          JSON.stringify(value),
        ]);
  });
}

test("moves a data folder to a database, once", async (context) => {
  const url = await database(context);
  const data = temporaryFolder();
  const source = await levelStore(path.join(data, "store"));
  await fill(source);
  expect([...(await source.tables())].sort()).toEqual(
    [...Object.values(tables), TABLES.settings].sort(),
  );
  await source.close();
  expect(await moveRecords({ data, url })).toBeGreaterThan(15);
  await expect(moveRecords({ data, url })).rejects.toThrow("already contains");
  const again = await levelStore(path.join(data, "store"));
  await expectMoved(url, again);
  await again.close();
});

test("moves the table of an older version, whose servers then fail", async (context) => {
  const url = await database(context);
  const source = memoryStore();
  await fill(source);
  await writeOldTable(url, source);
  await expect(postgresStore(url)).rejects.toThrow("gen store move");
  await moveRecords({ data: undefined, url });
  await expectMoved(url, source);
  await run(url, async (client) => {
    const read = client.query("SELECT value FROM gen_store WHERE tbl = 'a'");
    await expect(read).rejects.toThrow("update this installation");
    const { rows } = await client.query(
      "SELECT to_regclass('gen_store_old') AS old",
    );
    expect(rows).toEqual([{ old: null }]);
  });
  await expect(moveRecords({ data: undefined, url })).rejects.toThrow(
    "no data of an older version",
  );
});

test("an interrupted move loses nothing and can be repeated", async (context) => {
  const url = await database(context);
  const source = memoryStore();
  await fill(source);
  await writeOldTable(url, source);
  const broken =
    "INSERT INTO gen_store VALUES ('marketplace.items', 'bad', '{}')";
  await run(url, (client) => client.query(broken));
  await expect(moveRecords({ data: undefined, url })).rejects.toThrow();
  await expect(postgresStore(url)).rejects.toThrow("gen store move");
  await run(url, (client) =>
    client.query("DELETE FROM gen_store_old WHERE key = 'bad'"),
  );
  await moveRecords({ data: undefined, url });
  await expectMoved(url, source);
});
