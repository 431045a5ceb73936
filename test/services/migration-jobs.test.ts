import { describe, expect, test, vi } from "vitest";
import { embeddedJobs } from "../../src/services/jobs/embedded.js";
import { exportJob } from "../../src/services/migration/export-job.js";
import { Migrations } from "../../src/services/migration/migrations.js";
import type { MigrationRecord } from "../../src/services/migration/records.js";
import type { LogLine } from "../../src/services/service.js";
import { memoryStore } from "../../src/services/store/open.js";
import { StoreError, type Store } from "../../src/services/store/store.js";
import { FLAGS } from "./migration-support.js";

/** Export that ends on request of the test. */
interface Export {
  readonly record: MigrationRecord;
  readonly end: (size: number) => void;
  readonly fail: (error: Error) => void;
}

function setUp(
  settings: { exports?: number; attempts?: number; store?: Store } = {},
) {
  const store = settings.store ?? memoryStore();
  const migrations = new Migrations(store, async () => 1000);
  const running: Export[] = [];
  const discarded: number[] = [];
  const lines: LogLine[] = [];
  const run = exportJob({
    migrations,
    run: (record, signal) =>
      new Promise<number>((end, fail) => {
        running.push({ record, end, fail });
        signal.addEventListener("abort", () => fail(new Error("stopped")));
      }),
    discard: async ({ attempts }) => void discarded.push(attempts),
    log: (line) => lines.push(line),
    attempts: settings.attempts ?? 3,
  });
  /** Starts a process with all unfinished migrations, as the service does. */
  const open = async () => {
    const jobs = embeddedJobs({
      service: "test",
      run,
      concurrency: settings.exports ?? 2,
    });
    for (const key of await jobs.missing(await migrations.unfinished()))
      await jobs.add({ key, kind: "" });
    return jobs;
  };
  const add = (org = "acme"): Promise<MigrationRecord> =>
    migrations.start({ org, flags: FLAGS, repositories: [] }, 100);
  return { migrations, running, discarded, lines, run, open, add, store };
}

/** Waits until all pending callbacks have run. */
const settle = (): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, 5));

describe("jobs of the embedded store", () => {
  test("run a limited number at a time, oldest first, for all organizations", async () => {
    const { running, open, add, migrations } = setUp();
    for (const org of ["b", "a", "c", "a"]) await add(org);
    const jobs = await open();
    await settle();
    expect(running.map(({ record }) => record.id)).toEqual([1, 2]);
    expect(jobs.running).toBe(2);
    expect((await migrations.find("c", 3))!.state).toBe("pending");
    // A job that is waiting or running is not added again.
    expect(await jobs.missing(await migrations.unfinished())).toEqual([]);
    for (const key of await migrations.unfinished())
      await jobs.add({ key, kind: "" });
    running[1]!.end(10);
    await settle();
    expect(running.map(({ record }) => record.id)).toEqual([1, 2, 3]);
    expect((await migrations.find("a", 2))!.state).toBe("exported");
    expect((await migrations.find("b", 1))!.state).toBe("exporting");
    await jobs.close();
  });

  test("record the reason of a failure and continue", async () => {
    const { running, open, add, migrations, lines, store } = setUp({
      exports: 1,
    });
    await add();
    await add();
    const jobs = await open();
    await settle();
    running[0]!.fail(new Error("No space."));
    await settle();
    expect(await migrations.find("acme", 1)).toMatchObject({
      state: "failed",
      reason: "No space.",
    });
    expect(lines).toContainEqual({
      service: "migration",
      event: "export failed",
      migration: "acme/0000000000000001",
      reason: "No space.",
    });
    running[1]!.end(5);
    await settle();
    expect((await migrations.find("acme", 2))!.state).toBe("exported");
    expect(await migrations.unfinished()).toEqual([]);
    expect(await store.list("migration-archives")).toMatchObject([
      { value: { size: 5, createdAt: 1000 } },
    ]);
    await jobs.close();
  });

  test("stop with the service without counting the start", async () => {
    const { running, open, add, migrations } = setUp({ attempts: 1 });
    await add();
    for (let round = 0; round < 3; round++) {
      const jobs = await open();
      await settle();
      await jobs.close();
      await jobs.add({ key: "acme/0000000000000001", kind: "" });
      await settle();
    }
    expect(running.length).toBe(3);
    expect(await migrations.find("acme", 1)).toMatchObject({
      state: "exporting",
      attempts: 0,
    });
  });

  test("are missing after an unexpected error, and run again once", async () => {
    let runs = 0;
    const jobs = embeddedJobs({
      service: "test",
      concurrency: 1,
      run: async () => {
        if (++runs === 1) throw new Error("broken");
      },
    });
    const job = { key: "a", kind: "" };
    await jobs.add(job);
    await settle();
    expect([runs, jobs.running]).toEqual([1, 0]);
    expect(await jobs.missing(["a", "b"])).toEqual(["a", "b"]);
    await jobs.add(job);
    await jobs.add(job);
    await settle();
    expect(runs).toBe(2);
    await jobs.close();
  });
});

describe("an export", () => {
  const key = "acme/0000000000000001";
  const { signal } = new AbortController();

  test("that was interrupted too often fails", async () => {
    const { running, run, add, migrations } = setUp({ attempts: 2 });
    await add();
    await migrations.begin(key);
    await migrations.begin(key);
    await run(key, signal);
    expect(running).toEqual([]);
    expect(await migrations.find("acme", 1)).toMatchObject({
      state: "failed",
      reason: "The export was started 2 times and was interrupted each time.",
    });
  });

  test("never changes a finished migration", async () => {
    const { add, migrations, store } = setUp();
    await add();
    const start = (await migrations.begin(key))!;
    await migrations.finish(start, 5);
    expect(await migrations.fail(start, "late")).toBe(false);
    expect(await migrations.finish(start, 9)).toBe(false);
    expect(await migrations.begin(key)).toBeUndefined();
    expect((await migrations.find("acme", 1))!.state).toBe("exported");
    expect(await store.list("migration-archives")).toMatchObject([
      { value: { size: 5 } },
    ]);
  });

  test("that was started again can't publish its result", async () => {
    const { add, run, running, discarded, lines, migrations, store } = setUp();
    await add();
    // The first process is frozen while it exports; another one takes over.
    const first = run(key, signal);
    await settle();
    const second = run(key, signal);
    await settle();
    running[0]!.end(1);
    await first;
    expect((await migrations.find("acme", 1))!.state).toBe("exporting");
    expect(discarded).toEqual([1]);
    running[1]!.end(2);
    await second;
    expect(discarded).toEqual([1]);
    expect(await store.list("migration-archives")).toMatchObject([
      { value: { size: 2, file: "1-2.tar.gz" } },
    ]);
    expect(lines.map(({ event }) => event)).toEqual([
      "export started",
      "export started",
      "export rejected",
      "exported",
    ]);
  });

  test("that was started again can't fail the migration", async () => {
    const { add, run, running, migrations } = setUp();
    await add();
    const first = run(key, signal);
    await settle();
    const second = run(key, signal);
    await settle();
    running[0]!.fail(new Error("cut off"));
    await first;
    expect((await migrations.find("acme", 1))!.state).toBe("exporting");
    running[1]!.end(2);
    await second;
    expect((await migrations.find("acme", 1))!.state).toBe("exported");
  });

  test("waits with its result until the store is available again", async () => {
    const base = memoryStore();
    let isDown = false;
    const store: Store = {
      ...base,
      transaction: (change) =>
        isDown
          ? Promise.reject(new StoreError("unavailable", "down"))
          : base.transaction(change),
    };
    const { add, run, running, migrations } = setUp({ store });
    await add();
    const done = run(key, signal);
    await settle();
    isDown = true;
    running[0]!.end(7);
    await settle();
    isDown = false;
    await done;
    expect(running.length).toBe(1);
    expect((await migrations.find("acme", 1))!.state).toBe("exported");
  });

  test("logs its progress at most every 10 seconds", async () => {
    vi.useFakeTimers();
    const { add, migrations } = setUp();
    await add();
    const lines: LogLine[] = [];
    const run = exportJob({
      migrations,
      attempts: 3,
      discard: async () => {},
      log: (line) => lines.push(line),
      run: (_, __, progress) =>
        new Promise((resolve) => {
          progress.bytes = 100;
          setTimeout(() => {
            progress.bytes = 5000;
            progress.repositories = 1;
          }, 15_000);
          setTimeout(() => resolve(6000), 25_000);
        }),
    });
    const done = run(key, signal);
    await vi.advanceTimersByTimeAsync(60_000);
    await done;
    vi.useRealTimers();
    expect(
      lines.map(({ event, bytes, repositories }) => [
        event,
        bytes,
        repositories,
      ]),
    ).toEqual([
      ["export started", undefined, undefined],
      ["export progress", 100, 0],
      ["export progress", 5000, 1],
      ["exported", 6000, undefined],
    ]);
  });
});
