import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { levelStore } from "../../src/services/store/level.js";
import { memoryStore, openStore } from "../../src/services/store/open.js";
import { postgresStore } from "../../src/services/store/postgres.js";
import type { KeyRange, Store } from "../../src/services/store/store.js";
import { temporaryFolder } from "../support/paths.js";
import { startPostgres, type Postgres } from "../support/postgres.js";

let postgres: Postgres | undefined;
beforeAll(async () => {
  postgres = await startPostgres();
}, 60_000);
afterAll(() => postgres?.stop());

const kinds = ["memory", "level", "postgres"] as const;

/** Opens an empty store, and the same one again; undefined if the kind is not available. */
async function opener(
  kind: (typeof kinds)[number],
): Promise<(() => Promise<Store>) | undefined> {
  if (kind === "memory") {
    const store = memoryStore();
    return async () => store;
  }
  if (kind === "level") {
    const folder = temporaryFolder();
    return () => levelStore(folder);
  }
  if (postgres === undefined) return undefined;
  const { url } = postgres;
  const store = await postgresStore(url);
  await store.transaction(async (tx) => {
    for (const table of ["a", "a!", "b"])
      for (const { key } of await tx.list(table)) tx.delete(table, key);
  });
  await store.close();
  return () => postgresStore(url);
}

describe.each(kinds)("%s", (kind) => {
  /** Runs a test with an empty store. */
  const withStore = (name: string, run: (store: Store) => Promise<void>) =>
    test(name, async (context) => {
      const open = await opener(kind);
      if (open === undefined) return context.skip();
      const store = await open();
      try {
        await run(store);
      } finally {
        await store.close();
      }
    });

  withStore("keeps values of JSON, and nobody shares them", async (store) => {
    const value = { a: [1, null, "\u0000\ud800é😀"], b: { c: true } };
    await store.transaction(async (tx) => tx.put("a", "k\0ey/😀", value));
    value.a.push("later");
    const found = await store.get<typeof value>("a", "k\0ey/😀");
    expect(found).toEqual({ a: [1, null, "\u0000\ud800é😀"], b: { c: true } });
    expect(await store.get("a", "K\0ey/😀")).toBeUndefined();
    expect(await store.get("b", "k\0ey/😀")).toBeUndefined();
  });

  withStore("refuses keys that have no bytes of their own", async (store) => {
    const put = store.transaction(async (tx) => tx.put("a", "\ud800", 1));
    await expect(put).rejects.toThrow(TypeError);
    await store.transaction(async (tx) => tx.put("a", "\ufffd", 1));
    expect(await store.get("a", "\ud800")).toBeUndefined();
  });

  withStore("writes all of a transaction or nothing", async (store) => {
    await store.transaction(async (tx) => tx.put("a", "old", 1));
    const failed = store.transaction(async (tx) => {
      tx.put("a", "new", 1);
      tx.delete("a", "old");
      await tx.list("a");
      throw new Error("no");
    });
    await expect(failed).rejects.toThrow("no");
    expect(await store.list("a")).toEqual([{ key: "old", value: 1 }]);
    expect(await store.transaction(async () => "on")).toBe("on");
  });

  withStore(
    "shows others nothing of a transaction under way",
    async (store) => {
      await store.transaction(async (tx) => {
        tx.put("a", "k", 1);
        expect(await tx.get("a", "k")).toBe(1);
        expect(await store.get("a", "k")).toBeUndefined();
      });
      expect(await store.get("a", "k")).toBe(1);
    },
  );

  const keys = [
    "",
    "a",
    "a/1",
    "a/10",
    "a/2",
    "a0",
    "b",
    "é",
    "\ud7ff",
    "\uffee",
    "😀",
    "\u{10ffff}",
  ];

  withStore("orders keys by their bytes", async (store) => {
    await store.transaction(async (tx) => {
      for (const key of [...keys].reverse()) tx.put("a", key, key);
      tx.put("a!", "other", 1);
      tx.put("b", "other", 1);
    });
    const all = await store.list("a");
    expect(all.map(({ key }) => key)).toEqual(keys);
    expect(all.map(({ value }) => value)).toEqual(keys);
  });

  /** Expected entries of each range, computed independently. */
  const expected = (range: KeyRange): string[] => {
    const { prefix = "", after, limit = 99, offset = 0, isReverse } = range;
    const order = isReverse === true ? [...keys].reverse() : keys;
    const start = order.findIndex((key) => {
      if (after === undefined) return true;
      const sign = Buffer.compare(Buffer.from(key), Buffer.from(after));
      return isReverse === true ? sign < 0 : sign > 0;
    });
    return (start === -1 ? [] : order.slice(start))
      .filter((key) => key.startsWith(prefix))
      .slice(offset, offset + limit);
  };

  const ranges = [
    undefined,
    "",
    "a",
    "a/",
    "é",
    "\ud7ff",
    "x",
    "\u{10ffff}",
  ].flatMap((prefix) =>
    [undefined, "", "a/", "a/10", "a/3", "b", "zz", "\u{10ffff}"].flatMap(
      (after) =>
        [undefined, 0, 2].flatMap((limit) =>
          [undefined, 1].flatMap((offset) =>
            [false, true].map((isReverse) => ({
              ...(prefix === undefined ? {} : { prefix }),
              ...(after === undefined ? {} : { after }),
              ...(limit === undefined ? {} : { limit }),
              ...(offset === undefined ? {} : { offset }),
              isReverse,
            })),
          ),
        ),
    ),
  );

  withStore("lists ranges, in transactions that write too", async (store) => {
    const fill = async (): Promise<void> =>
      store.transaction(async (tx) => {
        for (const key of keys) tx.put("a", key, key);
        tx.put("a", "a/3", 1);
        tx.put("b", "a/4", 1);
      });
    await fill();
    await store.transaction(async (tx) => tx.delete("a", "a/3"));
    for (const range of ranges) {
      const found = (await store.list("a", range)).map(({ key }) => key);
      expect({ range, found }).toEqual({ range, found: expected(range) });
    }
    expect(await store.count("a")).toBe(keys.length);
    expect(await store.count("a", "a/")).toBe(3);
    await store.transaction(async (tx) => {
      for (const { key } of await tx.list("a")) tx.delete("a", key);
      tx.put("a", "a/11", 1);
      for (const key of keys) tx.put("a", key, key);
      tx.delete("a", "a/11");
      tx.delete("a", "never");
      for (const range of ranges) {
        const found = (await tx.list("a", range)).map(({ key }) => key);
        expect({ range, found }).toEqual({ range, found: expected(range) });
      }
      expect(await tx.count("a", "a/")).toBe(3);
    });
  });

  withStore("loses none of many increments", async (store) => {
    const other = kind === "postgres" ? await (await opener(kind))!() : store;
    const increment = (on: Store): Promise<void> =>
      on.transaction(async (tx) => {
        const count = (await tx.get<number>("a", "count")) ?? 0;
        await new Promise((resolve) => setImmediate(resolve));
        tx.put("a", "count", count + 1);
      });
    await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        increment(index % 2 ? store : other),
      ),
    );
    expect(await store.get("a", "count")).toBe(60);
    if (other !== store) await other.close();
  });

  test("keeps its entries when opened again", async (context) => {
    const open = await opener(kind);
    if (open === undefined || kind === "memory") return context.skip();
    const first = await open();
    await first.transaction(async (tx) => tx.put("a", "k", { v: 1 }));
    await first.close();
    const second = await open();
    expect(await second.list("a")).toEqual([{ key: "k", value: { v: 1 } }]);
    await second.close();
  });

  withStore("closes when what is under way has ended", async (store) => {
    let isDone = false;
    const running = store.transaction(async (tx) => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      tx.put("a", "k", 1);
      isDone = true;
    });
    if (kind === "memory") await store.close();
    else await running;
    expect(isDone).toBe(true);
  });
});

test("refuses a folder that another process uses", async () => {
  const folder = temporaryFolder();
  const store = await levelStore(folder);
  await expect(levelStore(folder)).rejects.toMatchObject({ reason: "locked" });
  await store.close();
  await (await levelStore(folder)).close();
});

test("reports an unreachable database as the cause", async () => {
  const open = openStore({ url: "postgresql://nobody@127.0.0.1:1/none" });
  await expect(open).rejects.toMatchObject({
    name: "StoreError",
    message: expect.stringContaining("ECONNREFUSED"),
  });
  await expect(openStore({ url: "mysql://x" })).rejects.toThrow(
    "postgresql://",
  );
});

test("a connection that fails in use fails only its transaction", async (context) => {
  if (postgres === undefined) return context.skip();
  const { url } = postgres;
  const { default: pg } = await import("pg");
  const store = await postgresStore(url);
  const other = new pg.Client(url);
  await other.connect();
  const broken = store.transaction(async (tx) => {
    tx.put("b", "half", 1);
    await tx.get("b", "x");
    await other.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND state = 'idle in transaction'",
    );
    // The notification arrives while no query is running.
    await new Promise((resolve) => setTimeout(resolve, 50));
  });
  await expect(broken).rejects.toThrow();
  expect(await store.get("b", "half")).toBeUndefined();
  await store.transaction(async (tx) => tx.put("b", "whole", 1));
  expect(await store.get("b", "whole")).toBe(1);
  await other.end();
  await store.close();
});
