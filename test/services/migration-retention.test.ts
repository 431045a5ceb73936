import { readdirSync } from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import { start } from "../../src/services/migration/index.js";
import { Migrations } from "../../src/services/migration/migrations.js";
import { deleteOldRecords } from "../../src/services/migration/retention.js";
import { listen } from "../../src/services/host.js";
import type { LogLine } from "../../src/services/service.js";
import { memoryStore } from "../../src/services/store/open.js";
import {
  call,
  configOf,
  download,
  FLAGS,
  makeRepository,
  migrate,
  serve,
  temporary,
} from "./migration-support.js";

const { folder, remove } = temporary();
afterAll(remove);

describe("old records", () => {
  /** Creates migrations that ended at these times. */
  async function setUp(times: readonly number[]) {
    const store = memoryStore();
    let now = 0;
    const migrations = new Migrations(store, async () => now);
    await store.transaction(async (transaction) =>
      transaction.put("migration-accounts", "acme", 1),
    );
    for (now of times) {
      const request = { org: "acme", flags: FLAGS, repositories: [] };
      const { id } = await migrations.start(request, 1e6);
      const key = `acme/${String(id).padStart(16, "0")}`;
      await migrations.fail((await migrations.begin(key))!, "reason");
    }
    const lines: LogLine[] = [];
    const clean = (before: number, signal = new AbortController().signal) =>
      deleteOldRecords({
        store,
        before,
        signal,
        log: (line) => lines.push(line),
      });
    const ids = async (): Promise<number[]> =>
      (await migrations.page("acme", 0, 1e6)).rows.map(({ id }) => id);
    return { store, migrations, lines, clean, ids };
  }

  test("are deleted with an audit event, in pages", async () => {
    const times = Array.from({ length: 350 }, (_, index) => index);
    const { clean, ids, lines } = await setUp(times);
    await clean(0);
    expect((await ids()).length).toBe(350);
    await clean(340);
    expect(await ids()).toEqual([
      350, 349, 348, 347, 346, 345, 344, 343, 342, 341,
    ]);
    expect(lines.length).toBe(340);
    expect(lines[0]).toEqual({
      service: "migration",
      event: "audit",
      action: "migration.retention.record",
      actor: "retention",
      target: "acme/1",
      before: "failed",
    });
  });

  test("are kept while they are unfinished, locked or have an archive", async () => {
    const { store, migrations, clean, ids } = await setUp([1, 2, 3]);
    const repositories = ["alpha"];
    const flags = { ...FLAGS, lock_repositories: true };
    const begin = async (id: number) =>
      (await migrations.begin(`acme/${String(id).padStart(16, "0")}`))!;
    await migrations.start({ org: "acme", flags: FLAGS, repositories }, 10);
    await migrations.start({ org: "acme", flags, repositories }, 10);
    await migrations.fail(await begin(5), "reason");
    await migrations.start({ org: "acme", flags: FLAGS, repositories }, 10);
    await migrations.finish(await begin(6), 10);
    await clean(1000);
    expect(await ids()).toEqual([6, 5, 4]);
    await store.transaction(async (transaction) => {
      transaction.delete("migration-locks", "acme/alpha");
      transaction.delete("migration-archives", "0000000000000006");
    });
    await clean(1000);
    expect(await ids()).toEqual([4]);
  });

  test("are not searched further when the service stops", async () => {
    const times = Array.from({ length: 150 }, (_, index) => index);
    const { clean, ids } = await setUp(times);
    await clean(1000, AbortSignal.abort());
    expect((await ids()).length).toBe(150);
  });
});

test("archives and records are deleted by the settings", async () => {
  const root = path.join(folder, "root");
  const data = path.join(folder, "data");
  makeRepository(root, "acme", "alpha");
  const lines: LogLine[] = [];
  let ahead = 0;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const service = await start({
    store: memoryStore(),
    now: () => Date.now() + ahead,
    log: (line) => lines.push(line),
    folder: data,
    config: configOf(root, { retention: { archives: "1h", records: "2h" } }),
  });
  const host = await listen([service]);
  vi.useRealTimers();
  const { id } = await migrate(host, { repositories: ["alpha"] });
  expect(readdirSync(path.join(data, "archives")).length).toBe(1);
  const audits = (): unknown[] =>
    lines
      .filter(({ actor }) => actor === "retention")
      .map(({ action, target }) => [action, target]);
  // The clock passes the retention; a request finds the archive expired.
  ahead = 3_600_001;
  const target = `/orgs/acme/migrations/${id}`;
  expect((await call(host, "GET", `${target}/archive`)).status).toBe(404);
  expect((await call(host, "GET", target)).json.state).toBe("exported");
  expect(readdirSync(path.join(data, "archives"))).toEqual([]);
  expect(audits()).toEqual([["migration.retention.archive", `acme/${id}`]]);
  await host.close();
});

test("archives and URLs expire by the clock of the store", async () => {
  const root = path.join(folder, "clocks");
  makeRepository(root, "acme", "alpha");
  const store = { ...memoryStore(), time: async () => Date.now() };
  const retention = { archives: "1h" };
  const host = await serve(root, undefined, { retention }, store);
  const { id } = await migrate(host, { repositories: ["alpha"] });
  for (const ahead of [0, 7_200_000, -7_200_000]) {
    host.ahead = ahead;
    expect((await download(host, id)).length).toBeGreaterThan(100);
  }
  await host.close();
});

test("the service searches for expired archives and records by itself", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const root = path.join(folder, "root");
  const store = memoryStore();
  const lines: LogLine[] = [];
  let ahead = 0;
  const service = await start({
    store,
    now: () => Date.now() + ahead,
    log: (line) => lines.push(line),
    folder: undefined,
    config: configOf(root, { retention: { archives: "1h", records: "2h" } }),
  });
  const migrations = new Migrations(store, async () => Date.now());
  const request = { org: "acme", flags: FLAGS, repositories: [] };
  await migrations.start(request, 10);
  const begun = (await migrations.begin("acme/0000000000000001"))!;
  await migrations.finish(begun, 10);
  const sweep = async (hours: number): Promise<unknown[]> => {
    ahead = hours * 3_600_000 + 1000;
    lines.length = 0;
    await vi.advanceTimersByTimeAsync(60_000);
    await new Promise((resolve) => setImmediate(resolve));
    await vi.waitFor(async () => {
      await new Promise((resolve) => setImmediate(resolve));
      if (lines.length === 0) throw new Error("no audit event");
    });
    return lines.map(({ action }) => action);
  };
  expect(await sweep(1)).toEqual(["migration.retention.archive"]);
  expect(await sweep(2)).toEqual(["migration.retention.record"]);
  expect(await store.count("migration-migrations")).toBe(0);
  vi.useRealTimers();
  await service.close();
});
