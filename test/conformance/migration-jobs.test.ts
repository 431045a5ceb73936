// Jobs that processes share through PostgreSQL: killed, frozen and without the repositories.
import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, readdirSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import pg from "pg";
import {
  afterAll,
  beforeAll,
  describe,
  expect,
  onTestFinished,
  test,
} from "vitest";
import type { Host } from "../../src/services/host.js";
import { postgresJobs } from "../../src/services/jobs/postgres.js";
import type { Jobs } from "../../src/services/jobs/jobs.js";
import type { LogLine } from "../../src/services/service.js";
import {
  call,
  download,
  ended,
  makeRepository,
  temporary,
  unpack,
  verifyBundle,
  bundleChild,
} from "../services/migration-support.js";
import { ROOT } from "../support/paths.js";
import { startPgBouncer } from "../support/pgbouncer.js";
import { startPostgres, type Postgres } from "../support/postgres.js";

const script = path.join(ROOT, ".tmp/migration-jobs.mjs");
const { folder, remove } = temporary();
let postgres: Postgres | undefined;
let admin: pg.Pool;

beforeAll(async () => {
  postgres = await startPostgres();
  if (postgres === undefined) return;
  admin = new pg.Pool({ connectionString: postgres.url });
  await bundleChild(script);
});
afterAll(async () => {
  await admin?.end();
  await postgres?.stop();
  remove();
});

/** Creates an empty database; returns its URL. */
async function freshDatabase(name: string): Promise<string> {
  await admin.query(`CREATE DATABASE ${name}`);
  return postgres!.url.replace(/postgres$/, name);
}

/** Process of the service, with its log. */
interface Process extends Host {
  readonly child: ChildProcess;
  readonly lines: LogLine[];
}

async function startProcess(
  root: string,
  data: string,
  url: string,
  lease = 5,
): Promise<Process> {
  const args = [script, root, data, "5", url, String(lease)];
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines: LogLine[] = [];
  let text = "";
  const origin = await new Promise<string>((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`Exit code ${code}`)));
    child.stdout.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      const complete = text.split("\n");
      text = complete.pop()!;
      for (const line of complete)
        if (line.startsWith("http")) resolve(line);
        else lines.push(JSON.parse(line) as LogLine);
    });
  });
  const none = async (): Promise<void> => {};
  return { child, lines, origin, drain: none, close: none };
}

const eventsOf = ({ lines }: Process): string[] =>
  lines.map(({ event }) => event);

/** Creates a repository whose export takes several seconds. */
function makeSlowRepository(root: string, name: string): void {
  makeRepository(root, "acme", name);
  const attachments = path.join(root, "acme", `${name}.attachments`);
  mkdirSync(attachments);
  const file = path.join(attachments, "large");
  writeFileSync(file, "");
  truncateSync(file, 1000 * 1024 * 1024);
}

const LIST = "/orgs/acme/migrations";

async function startMigration(host: Host, name: string): Promise<number> {
  const answer = await call(host, "POST", LIST, { repositories: [name] });
  expect([answer.status, answer.text]).toEqual([201, expect.anything()]);
  return answer.json.id;
}

async function rowsOf(url: string, query: string) {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query(query)).rows;
  } finally {
    await client.end();
  }
}

const MIGRATIONS = `SELECT m.id::int, m.state, m.attempts, a.file
  FROM gen_migrations m LEFT JOIN gen_migration_archives a ON a.id = m.id ORDER BY m.id`;

describe("an export that another process takes over", () => {
  /** Kills a process during an export; returns the seconds until the takeover. */
  async function killDuringExport(name: string, url: string, lease: number) {
    const root = path.join(folder, name);
    const data = path.join(folder, `${name}-data`);
    makeSlowRepository(root, "alpha");
    const first = await startProcess(root, data, url, lease);
    const id = await startMigration(first, "alpha");
    await expect
      .poll(() => eventsOf(first), { timeout: 10_000, interval: 20 })
      .toContain("export started");
    const second = await startProcess(root, data, url, lease);
    first.child.kill("SIGKILL");
    const killed = performance.now();
    await expect
      .poll(() => eventsOf(second), { timeout: 60_000, interval: 100 })
      .toContain("export started");
    const seconds = (performance.now() - killed) / 1000;
    console.log(`taken over ${seconds.toFixed(1)} s after the kill`);
    expect((await ended(second, id)).state).toBe("exported");
    expect(await rowsOf(url, MIGRATIONS)).toEqual([
      { id, state: "exported", attempts: 2, file: `${id}-2.tar.gz` },
    ]);
    expect(await rowsOf(url, "SELECT key FROM gen_jobs.jobs")).toEqual([]);
    const files = await unpack(await download(second, id));
    verifyBundle(files.get("repositories/alpha.bundle")!);
    return seconds;
  }

  test("because its process was killed", async (context) => {
    if (postgres === undefined) return context.skip();
    const url = await freshDatabase("killed");
    // The default time without a sign of life.
    expect(await killDuringExport("killed", url, 30)).toBeLessThan(45);
  });

  test("because its process was killed, through PgBouncer", async (context) => {
    if (postgres === undefined) return context.skip();
    const database = await freshDatabase("pooled");
    const url = await startPgBouncer(database, 4);
    expect(await killDuringExport("pooled", url, 5)).toBeLessThan(20);
  });

  test("because its process was frozen, is published once", async (context) => {
    if (postgres === undefined) return context.skip();
    const url = await freshDatabase("frozen");
    const root = path.join(folder, "frozen");
    const data = path.join(folder, "frozen-data");
    makeSlowRepository(root, "alpha");
    makeRepository(root, "acme", "beta");
    const first = await startProcess(root, data, url);
    const id = await startMigration(first, "alpha");
    await expect
      .poll(() => eventsOf(first), { timeout: 10_000, interval: 20 })
      .toContain("export started");
    const second = await startProcess(root, data, url);
    first.child.kill("SIGSTOP");
    await expect
      .poll(() => eventsOf(second), { timeout: 30_000, interval: 100 })
      .toContain("export started");
    first.child.kill("SIGCONT");
    expect((await ended(second, id)).state).toBe("exported");
    // The first process notices that it lost the export.
    await expect
      .poll(() => eventsOf(first), { timeout: 30_000 })
      .toContainEqual(expect.stringMatching(/^export (interrupted|rejected)$/));
    expect(eventsOf(first)).not.toContain("exported");
    expect(await rowsOf(url, MIGRATIONS)).toEqual([
      { id, state: "exported", attempts: 2, file: `${id}-2.tar.gz` },
    ]);
    expect(readdirSync(path.join(data, "files/archives"))).toEqual([
      `${id}-2.tar.gz`,
    ]);
    // It runs exports again.
    second.child.kill("SIGKILL");
    const next = await startMigration(first, "beta");
    expect((await ended(first, next)).state).toBe("exported");
  });

  test("because its process was stopped, at once and without counting", async (context) => {
    if (postgres === undefined) return context.skip();
    const url = await freshDatabase("stopped");
    const root = path.join(folder, "stopped");
    const data = path.join(folder, "stopped-data");
    makeSlowRepository(root, "alpha");
    const first = await startProcess(root, data, url, 30);
    const id = await startMigration(first, "alpha");
    await expect
      .poll(() => eventsOf(first), { timeout: 10_000, interval: 20 })
      .toContain("export started");
    const second = await startProcess(root, data, url, 30);
    const exit = new Promise((resolve) => first.child.once("exit", resolve));
    first.child.kill("SIGTERM");
    expect(await exit).toBe(0);
    await expect
      .poll(() => eventsOf(second), { timeout: 10_000, interval: 100 })
      .toContain("export started");
    expect((await ended(second, id)).state).toBe("exported");
    expect(await rowsOf(url, MIGRATIONS)).toMatchObject([
      { state: "exported", attempts: 1 },
    ]);
  });
});

test("an export runs only in a process that has the organization's folder", async (context) => {
  if (postgres === undefined) return context.skip();
  const url = await freshDatabase("roots");
  const data = path.join(folder, "roots-data");
  const [full, empty] = ["full", "empty"].map((name) =>
    path.join(folder, `roots-${name}`),
  ) as [string, string];
  makeRepository(full, "acme", "alpha");
  makeRepository(empty, "other", "gamma");
  const without = await startProcess(empty, data, url);
  const withFolder = await startProcess(full, data, url);
  const ids: number[] = [];
  for (let count = 0; count < 6; count++)
    ids.push(await startMigration(withFolder, "alpha"));
  for (const id of ids)
    expect((await ended(without, id)).state).toBe("exported");
  const exit = new Promise((resolve) => withFolder.child.once("exit", resolve));
  // A job waits while no process has the folder, and fails nowhere else.
  const waiting = await startMigration(withFolder, "alpha");
  withFolder.child.kill("SIGKILL");
  await exit;
  // An export without repositories needs no folder.
  const metadata = await call(without, "POST", LIST, {
    repositories: [],
    org_metadata_only: true,
  });
  expect((await ended(without, metadata.json.id)).state).toBe("exported");
  await new Promise((resolve) => setTimeout(resolve, 8_000));
  const exported = eventsOf(without).filter((event) => event === "exported");
  expect(exported.length).toBe(1);
  const again = await startProcess(full, data, url);
  expect((await ended(again, waiting)).state).toBe("exported");
  expect(eventsOf(without)).not.toContain("export failed");
});

describe("the queue", () => {
  /** Opens jobs of a process; runs are recorded. */
  async function open(
    url: string,
    run: (key: string, signal: AbortSignal) => Promise<void>,
    timeout = 5_000,
  ): Promise<{ jobs: Jobs; lines: LogLine[]; pool: pg.Pool }> {
    const pool = new pg.Pool({ connectionString: url, max: 8 });
    pool.on("error", () => {});
    pool.on("connect", (client) => client.on("error", () => {}));
    const lines: LogLine[] = [];
    const jobs = await postgresJobs(pool, {
      service: "test",
      kinds: ["a"],
      absent: async () => [],
      run,
      concurrency: 3,
      timeout,
      log: (line) => lines.push(line),
    });
    return { jobs, lines, pool };
  }

  test("runs each job once, in one process, within the limit", async (context) => {
    if (postgres === undefined) return context.skip();
    const url = await freshDatabase("queue");
    const runs: string[] = [];
    let running = 0;
    const active = [0, 0];
    const current = new Set<string>();
    const runIn = (index: number) => async (key: string) => {
      expect(current.has(key)).toBe(false);
      current.add(key);
      active[index]!++;
      running = Math.max(running, active[index]!);
      await new Promise((resolve) => setTimeout(resolve, 5));
      active[index]!--;
      current.delete(key);
      runs.push(key);
    };
    // Processes that start at the same time create the tables together.
    const processes = await Promise.all(
      [0, 1].map((at) => open(url, runIn(at))),
    );
    const [one, two] = processes as [
      (typeof processes)[0],
      (typeof processes)[0],
    ];
    const keys = Array.from({ length: 200 }, (_, index) => `job-${index}`);
    await Promise.all(
      keys.flatMap((key) => [
        one.jobs.add({ key, kind: "a" }),
        two.jobs.add({ key, kind: "a" }),
      ]),
    );
    await expect
      .poll(() => one.jobs.missing(keys), { timeout: 30_000 })
      .toEqual(keys);
    // A key that was added again after its job had ended ran twice, one after the other.
    expect(new Set(runs).size).toBe(200);
    expect(running).toBeLessThanOrEqual(3);
    expect([...one.lines, ...two.lines]).toEqual([]);
    for (const { jobs, pool } of processes) {
      await jobs.close();
      await pool.end();
    }
  });

  test("leaves jobs of other programs in the database alone", async (context) => {
    if (postgres === undefined) return context.skip();
    const url = await freshDatabase("shared");
    const { jobs, pool } = await open(url, async () => {});
    const rows = await rowsOf(
      url,
      "SELECT nspname FROM pg_namespace WHERE nspname LIKE '%worker%'",
    );
    expect(rows).toEqual([]);
    await jobs.close();
    await pool.end();
  });

  test("continues after an error that ends the library's worker", async (context) => {
    if (postgres === undefined) return context.skip();
    const url = await freshDatabase("broken");
    const runs: string[] = [];
    let finish = (): void => {};
    const { jobs, lines, pool } = await open(url, async (key) => {
      runs.push(key);
      if (runs.length === 1) await new Promise<void>((end) => (finish = end));
    });
    await jobs.add({ key: "first", kind: "a" });
    await expect.poll(() => runs, { timeout: 10_000 }).toEqual(["first"]);
    // The library can't delete the job that has ended.
    const table = "gen_jobs._private_jobs";
    await rowsOf(url, `ALTER TABLE ${table} RENAME TO away`);
    finish();
    await expect
      .poll(() => lines.map(({ event }) => event), { timeout: 10_000 })
      .toContain("queue failed");
    await rowsOf(url, "ALTER TABLE gen_jobs.away RENAME TO _private_jobs");
    await jobs.add({ key: "second", kind: "a" });
    await expect
      .poll(() => jobs.missing(["first", "second"]), { timeout: 30_000 })
      .toEqual(["first", "second"]);
    // The result of the first run was not recorded.
    expect([...runs].sort()).toEqual(["first", "first", "second"]);
    await jobs.close();
    await pool.end();
  });

  test("keeps a job whose connection was interrupted", async (context) => {
    if (postgres === undefined) return context.skip();
    const url = await freshDatabase("interrupted");
    const aborted: string[] = [];
    let finish = (): void => {};
    const run = (key: string, signal: AbortSignal): Promise<void> =>
      new Promise((resolve, reject) => {
        finish = resolve;
        signal.addEventListener("abort", () => {
          aborted.push(key);
          reject(signal.reason as Error);
        });
      });
    const one = await open(url, run);
    await one.jobs.add({ key: "long", kind: "a" });
    await expect.poll(() => one.jobs.running, { timeout: 10_000 }).toBe(1);
    const two = await open(url, run);
    // The open transactions do not delay VACUUM.
    const transactions = await rowsOf(
      url,
      "SELECT backend_xid AS xid, backend_xmin AS xmin FROM pg_stat_activity WHERE state = 'idle in transaction' AND datname = 'interrupted'",
    );
    expect(transactions).toEqual([
      { xid: null, xmin: null },
      { xid: null, xmin: null },
    ]);
    await rowsOf(
      url,
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE state = 'idle in transaction' AND datname = 'interrupted'",
    );
    // The library releases a lock that is older than four hours.
    await rowsOf(
      url,
      "UPDATE gen_jobs._private_jobs SET locked_at = now() - interval '3 hours'",
    );
    await new Promise((resolve) => setTimeout(resolve, 8_000));
    expect(
      await rowsOf(
        url,
        "SELECT now() - locked_at < interval '1 minute' AS fresh FROM gen_jobs.jobs",
      ),
    ).toEqual([{ fresh: true }]);
    expect([one.jobs.running, two.jobs.running]).toEqual([1, 0]);
    expect(aborted).toEqual([]);
    finish();
    await expect
      .poll(() => two.jobs.missing(["long"]), { timeout: 10_000 })
      .toEqual(["long"]);
    for (const { jobs, pool } of [one, two]) {
      await jobs.close();
      await pool.end();
    }
  });
});
