import { readdirSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, test, type TestContext } from "vitest";
import pg from "pg";
import { memoryStore } from "../../src/services/store/open.js";
import { postgresStore } from "../../src/services/store/postgres.js";
import { relations } from "../../src/services/store/relations.js";
import type { KeyRange, Store } from "../../src/services/store/store.js";
import { demo } from "../../src/services/marketplace/demo.js";
import { hashOf, idOfHash } from "../../src/services/key-hash.js";
import { tables } from "../../src/services/marketplace/data.js";
import { TABLES } from "../../src/services/migration/records.js";
import { startPostgres, type Postgres } from "../support/postgres.js";

let postgres: Postgres | undefined;
beforeAll(async () => {
  postgres = await startPostgres();
}, 60_000);
afterAll(() => postgres?.stop());

/** Creates an empty database; skips the test where PostgreSQL is not installed. */
async function database(context: TestContext): Promise<string> {
  if (postgres === undefined) return context.skip();
  const name = `test_${Math.random().toString(36).slice(2)}`;
  await sql(postgres.url, `CREATE DATABASE ${name}`);
  const url = new URL(postgres.url);
  url.pathname = `/${name}`;
  return url.href;
}

async function sql(url: string, text: string): Promise<pg.QueryResult> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await client.query(text);
  } finally {
    await client.end();
  }
}

async function open(url: string, context: TestContext): Promise<Store> {
  const store = await postgresStore(url);
  context.onTestFinished(() => store.close());
  return store;
}

const flags = { lock_repositories: true, exclude_metadata: false };
const migration = {
  id: 7,
  guid: "0b8ae2ea",
  org: "acme",
  kind: "export",
  state: "exporting",
  flags,
  repositories: ["acme/alpha", 'quote " \\ {comma,}'],
  createdAt: 1_700_000_000_123,
  updatedAt: 1_700_000_000_456,
  attempts: 1,
};

const chatKey = {
  id: "0123456789abcdef",
  hash: "0123456789abcdef00",
  name: "alice",
  owner: "team",
  limits: {},
  budgets: { tokensPerDay: 5 },
  created: "2026-01-02T03:04:05.678Z",
};

/** Records of tables that the sample data of the marketplace does not have. */
const records: readonly (readonly [string, string, unknown])[] = [
  [TABLES.migrations, "acme/0000000000000007", migration],
  [
    TABLES.migrations,
    "acme/0000000000000008",
    { ...migration, id: 8, reason: "broken\nline \\ \t" },
  ],
  [TABLES.jobs, "acme/0000000000000007", 7],
  [
    TABLES.archives,
    "0000000000000007",
    { org: "acme", guid: "g", size: 2 ** 40, createdAt: 5, file: "7-1.tar.gz" },
  ],
  [
    TABLES.archives,
    "0000000000000008",
    { org: "a", guid: "g", size: 0, createdAt: 5 },
  ],
  [TABLES.locks, "acme/alpha", { migration: 7 }],
  [
    TABLES.repositories,
    "acme/alpha",
    {
      id: 1,
      name: "Alpha",
      description: null,
      defaultBranch: "main",
      pushedAt: null,
      createdAt: 1_600_000_000_000,
      size: 12,
    },
  ],
  [TABLES.accounts, "acme", 3],
  [TABLES.settings, "secret", "\0\ud800"],
  ["chat.keys", "0123456789abcdef", chatKey],
  [
    "chat.keys",
    "f",
    { ...chatKey, id: "f", models: ["a", "b/c"], expires: chatKey.created },
  ],
  ["chat.keys-of", "team/0123456789abcdef", true],
  ["chat.keys-of", "team/f", true],
  [
    "chat.key-uses",
    "f",
    {
      lastUsed: chatKey.created,
      day: "2026-01-02",
      dayTokens: 2 ** 40,
      month: "2026-01",
      monthTokens: 2 ** 41,
    },
  ],
  ...["small", "org/large"].map(
    (model) =>
      [
        "chat.usage",
        `2026-01-02/f/${model}`,
        {
          day: "2026-01-02",
          key: "f",
          model,
          name: "alice",
          owner: "",
          requests: 2,
          estimatedRequests: 1,
          promptTokens: 2 ** 40,
          completionTokens: 0,
        },
      ] as const,
  ),
  // A later version can add members; they must survive an update.
  [
    tables.owners,
    "later",
    { ...ownerOf("later"), isSuspended: true, plan: { tier: 2 } },
  ],
];

function ownerOf(username: string): object {
  return {
    username,
    firstname: "A",
    lastname: "",
    email: "a@b",
    balance: 0.1,
    currency: "EUR",
    profile: { heading: "'quote' \\u0000 \\", description: "é😀" },
    registeredAt: "2019-05-04T08:30:00.001Z",
  };
}

async function fill(store: Store): Promise<void> {
  const now = Date.now;
  const log = (): void => {};
  await demo({ store, now, log, folder: undefined, config: undefined });
  await store.transaction(async (tx) => {
    for (const [table, key, value] of records) tx.put(table, key, value);
    tx.put(tables.purchases, "demo/with/slash", {
      code: "with/slash",
      licenseType: "Regular",
      price: 10.25,
      currency: "USD",
      itemId: 1,
      isDownloaded: false,
      date: "2025-07-31T16:20:00.000Z",
      requestId: "order 1",
      requestHash: "ab",
    });
    tx.put(tables.sales, "demo/order 1", "with/slash");
    tx.put(tables.keyUses, idOfHash(hashOf("test-key")), {
      lastUsedAt: "2026-01-02T03:04:05.678Z",
    });
  });
}

test("tables in PostgreSQL return the same records as a store in memory", async (context) => {
  const store = await open(await database(context), context);
  const memory = memoryStore();
  for (const each of [store, memory]) await fill(each);
  for (const table of [...Object.keys(relations), TABLES.settings]) {
    const expected = await memory.list(table);
    expect(expected, table).not.toEqual([]);
    expect(await store.list(table), table).toEqual(expected);
    const keys = expected.map(({ key }) => key);
    for (const { key, value } of expected)
      expect(await store.get(table, key)).toEqual(value);
    const wanted = [...keys.slice(1), "demo/none", "none", "0000000000000999"];
    expect(await store.existing(table, wanted)).toEqual(
      await memory.existing(table, wanted),
    );
    expect(await store.count(table)).toBe(keys.length);
    const ranges: KeyRange[] = keys.flatMap((after) => [
      { after, limit: 3 },
      { after, isReverse: true, offset: 1 },
    ]);
    for (const range of ranges)
      expect(await store.list(table, range)).toEqual(
        await memory.list(table, range),
      );
  }
  const range = { prefix: "demo/", isReverse: true, limit: 2 };
  for (const table of [tables.items, tables.purchases, tables.keysByOwner]) {
    const expected = await memory.list(table, range);
    expect(await store.list(table, range)).toEqual(expected);
    expect(await store.count(table, "demo/")).toBe(
      await memory.count(table, "demo/"),
    );
  }
});

test("characters that PostgreSQL can't store are replaced", async (context) => {
  const store = await open(await database(context), context);
  const profile = { heading: "a\0b\ud800c", "\0": "\\u0000" };
  const many = Array.from({ length: 1200 }, (_, index) => `many${index}`);
  await store.transaction(async (tx) => {
    for (const name of ["one", ...many])
      tx.put(tables.owners, name, {
        ...ownerOf(name),
        firstname: "\0\ud800\\ud800\n\t\\N",
        profile,
      });
  });
  for (const name of ["one", "many7"])
    expect(await store.get(tables.owners, name)).toEqual({
      ...ownerOf(name),
      firstname: "\ufffd\ufffd\\ud800\n\t\\N",
      profile: { heading: "a\ufffdb\ufffdc", "\ufffd": "\\u0000" },
    });
});

test("keys that no row can have are absent", async (context) => {
  const store = await open(await database(context), context);
  await fill(store);
  for (const key of ["demo/\0", "demo/\ud800", "demo", "demo/x", "/", ""]) {
    expect(await store.get(tables.items, key)).toBeUndefined();
    expect(await store.get(tables.purchases, key)).toBeUndefined();
    expect(await store.existing(tables.items, [key])).toEqual(new Set());
  }
  await expect(store.list(tables.items, { prefix: "de" })).rejects.toThrow(
    "not a prefix",
  );
});

test("ids of concurrent transactions on two connections differ", async (context) => {
  const url = await database(context);
  const stores = [await open(url, context), await open(url, context)];
  const ids = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      stores[index % 2]!.transaction((tx) => tx.nextId("migration")),
    ),
  );
  expect(new Set(ids).size).toBe(40);
});

test("a purchase of a missing item is refused by the database", async (context) => {
  const store = await open(await database(context), context);
  await fill(store);
  const orphan = store.transaction(async (tx) => {
    const stored = await tx.get<object>(tables.purchases, "demo/code-1");
    tx.put(tables.purchases, "demo/orphan", { ...stored, itemId: 999 });
  });
  await expect(orphan).rejects.toThrow("foreign key");
  expect(await store.get(tables.purchases, "demo/orphan")).toBeUndefined();
});

test("two processes create the tables at the same time", async (context) => {
  const url = await database(context);
  await Promise.all(Array.from({ length: 5 }, () => open(url, context)));
  const { rows } = await sql(
    url,
    "SELECT name FROM gen_schema_versions ORDER BY id",
  );
  const files = readdirSync("migrations").sort();
  expect(rows).toEqual(files.map((file) => ({ name: path.parse(file).name })));
});

test("a database of a newer version is refused", async (context) => {
  const url = await database(context);
  await open(url, context);
  await sql(
    url,
    "INSERT INTO gen_schema_versions (name, run_on) VALUES ('9999_later', now())",
  );
  await expect(postgresStore(url)).rejects.toThrow(/newer version.*9999_later/);
});

test("statements of servers of older versions fail", async (context) => {
  const url = await database(context);
  await open(url, context);
  for (const statement of [
    "SELECT value FROM gen_store WHERE tbl = 'a' AND key = 'b'::bytea",
    "SELECT count(*) FROM gen_store WHERE tbl = 'a'",
    "INSERT INTO gen_store (tbl, key, value) VALUES ('a', 'b', 'c') ON CONFLICT (tbl, key) DO NOTHING",
    "DELETE FROM gen_store WHERE tbl = 'a'",
  ])
    await expect(sql(url, statement), statement).rejects.toThrow();
});
