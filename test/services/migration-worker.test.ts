import { describe, expect, test } from "vitest";
import { Migrations } from "../../src/services/migration/migrations.js";
import type {
  Flags,
  MigrationRecord,
} from "../../src/services/migration/records.js";
import { Worker } from "../../src/services/migration/worker.js";
import type { LogLine } from "../../src/services/service.js";
import { memoryStore } from "../../src/services/store/open.js";

const FLAGS: Flags = {
  lock_repositories: false,
  exclude_metadata: false,
  exclude_git_data: false,
  exclude_attachments: false,
  exclude_releases: false,
  exclude_owner_projects: false,
  org_metadata_only: false,
};

/** Export that ends on request of the test. */
interface Export {
  readonly record: MigrationRecord;
  readonly end: (size: number) => void;
  readonly fail: (error: Error) => void;
}

function setUp(settings: { exports?: number; attempts?: number } = {}) {
  const store = memoryStore();
  const migrations = new Migrations(store, () => 1000);
  const running: Export[] = [];
  const lines: LogLine[] = [];
  const run = (record: MigrationRecord, signal: AbortSignal) =>
    new Promise<number>((end, fail) => {
      running.push({ record, end, fail });
      signal.addEventListener("abort", () => fail(new Error("stopped")));
    });
  const worker = (): Worker =>
    new Worker({
      migrations,
      run,
      log: (line) => lines.push(line),
      exports: settings.exports ?? 2,
      attempts: settings.attempts ?? 3,
    });
  const add = (org = "acme"): Promise<MigrationRecord> =>
    migrations.start({ org, flags: FLAGS, repositories: [] }, 100);
  return { migrations, running, lines, worker, add, store };
}

/** Waits until all pending callbacks have run. */
const settle = (): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, 5));

describe("the worker", () => {
  test("runs a limited number at a time, oldest first, for all organizations", async () => {
    const { running, worker, add, migrations } = setUp();
    for (const org of ["b", "a", "c", "a"]) await add(org);
    const one = worker();
    one.wake();
    one.wake();
    await settle();
    expect(running.map(({ record }) => record.id)).toEqual([1, 2]);
    expect((await migrations.find("c", 3))!.state).toBe("pending");
    running[1]!.end(10);
    await settle();
    expect(running.map(({ record }) => record.id)).toEqual([1, 2, 3]);
    expect((await migrations.find("a", 2))!.state).toBe("exported");
    expect((await migrations.find("b", 1))!.state).toBe("exporting");
    await one.close();
  });

  test("records the reason of a failure and continues", async () => {
    const { running, worker, add, migrations, lines, store } = setUp({
      exports: 1,
    });
    await add();
    await add();
    const one = worker();
    one.wake();
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
    await one.close();
  });

  test("stops with the service without counting the start", async () => {
    const { running, worker, add, migrations } = setUp({ attempts: 1 });
    await add();
    for (let round = 0; round < 3; round++) {
      const one = worker();
      one.wake();
      await settle();
      await one.close();
      one.wake();
      await settle();
    }
    expect(running.length).toBe(3);
    expect(await migrations.find("acme", 1)).toMatchObject({
      state: "exporting",
      attempts: 0,
    });
  });

  test("fails an export that was interrupted too often", async () => {
    const { running, worker, add, migrations } = setUp({ attempts: 2 });
    await add();
    const key = (await migrations.unfinished())[0]!;
    await migrations.begin(key);
    await migrations.begin(key);
    const one = worker();
    one.wake();
    await settle();
    expect(running).toEqual([]);
    expect(await migrations.find("acme", 1)).toMatchObject({
      state: "failed",
      reason: "The export was started 2 times and was interrupted each time.",
    });
    await one.close();
  });

  test("never changes a finished migration", async () => {
    const { add, migrations, store } = setUp();
    await add();
    const key = (await migrations.unfinished())[0]!;
    await migrations.begin(key);
    await migrations.finish(key, 5);
    await migrations.fail(key, "late");
    await migrations.finish(key, 9);
    expect(await migrations.begin(key)).toBeUndefined();
    expect((await migrations.find("acme", 1))!.state).toBe("exported");
    expect(await store.list("migration-archives")).toMatchObject([
      { value: { size: 5 } },
    ]);
  });
});

describe("leases of processes that share a store", () => {
  /** Two processes whose own clocks differ by an hour from the store's. */
  function twoProcesses() {
    let time = 1_000_000;
    const store = { ...memoryStore(), isShared: true, time: async () => time };
    const process = (owner: string, skew: number): Migrations =>
      new Migrations(store, () => time + skew, owner, 1000);
    return {
      ahead: process("ahead", 3_600_000),
      behind: process("behind", -3_600_000),
      pass: (milliseconds: number) => void (time += milliseconds),
    };
  }

  test("expire by the clock of the store", async () => {
    const { ahead, behind, pass } = twoProcesses();
    const request = { org: "acme", flags: FLAGS, repositories: [] };
    await behind.start(request, 100);
    const [key] = await behind.unfinished();
    expect(await behind.begin(key!)).toMatchObject({ attempts: 1 });
    expect(await ahead.unfinished()).toEqual([]);
    expect(await ahead.begin(key!)).toBeUndefined();
    pass(900);
    expect(await behind.renew(key!)).toBe(true);
    pass(900);
    expect(await ahead.unfinished()).toEqual([]);
    pass(200);
    expect(await ahead.unfinished()).toEqual([key]);
  });

  test("are taken over without counting an attempt", async () => {
    const { ahead, behind, pass } = twoProcesses();
    const request = { org: "acme", flags: FLAGS, repositories: [] };
    await behind.start(request, 100);
    const [key] = await behind.unfinished();
    const lines: LogLine[] = [];
    for (const migrations of [behind, ahead, behind, ahead]) {
      const hanging = new Worker({
        migrations,
        run: () => new Promise<number>(() => {}),
        log: (line) => lines.push(line),
        exports: 1,
        attempts: 1,
      });
      hanging.wake();
      await settle();
      pass(2000);
    }
    expect(lines.map(({ event }) => event)).toEqual(
      Array<string>(4).fill("export started"),
    );
    expect(await behind.find("acme", 1)).toMatchObject({
      state: "exporting",
      attempts: 4,
      takeovers: 3,
    });
    expect(key).toBeDefined();
  });
});
