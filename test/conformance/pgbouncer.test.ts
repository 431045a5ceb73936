import { execFileSync, spawn } from "node:child_process";
import { chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { migrationKey, TABLES } from "../../src/services/migration/records.js";
import { postgresStore } from "../../src/services/store/postgres.js";
import { freePort, startPostgres } from "../support/postgres.js";

/** Starts PgBouncer in transaction mode in front of a database. */
async function startPgBouncer(database: string): Promise<string> {
  const { port } = new URL(database);
  const folder = mkdtempSync(path.join(tmpdir(), "gen-bouncer-"));
  const listenPort = await freePort();
  writeFileSync(path.join(folder, "users.txt"), `"tester" ""\n`);
  writeFileSync(
    path.join(folder, "pgbouncer.ini"),
    `[databases]
postgres = host=127.0.0.1 port=${port} dbname=postgres user=tester
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = trust
auth_file = ${folder}/users.txt
pool_mode = transaction
default_pool_size = 2
logfile = ${folder}/log
pidfile = ${folder}/pid
`,
  );
  const isRoot = process.getuid?.() === 0;
  if (isRoot) {
    const [uid, gid] = ["-u", "-g"].map((flag) =>
      Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" })),
    );
    chownSync(folder, uid!, gid!);
  }
  const args = [path.join(folder, "pgbouncer.ini")];
  const child = isRoot
    ? spawn("runuser", ["-u", "postgres", "--", "pgbouncer", ...args])
    : spawn("pgbouncer", args);
  onTestFinished(async () => {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  await listening(listenPort);
  return `postgresql://tester@127.0.0.1:${listenPort}/postgres`;
}

async function listening(port: number): Promise<void> {
  const end = Date.now() + 20_000;
  while (Date.now() < end) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => {
        socket.destroy();
        resolve(true);
      });
      socket.on("error", () => resolve(false));
    });
    if (isOpen) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("PgBouncer does not listen");
}

test("a store works through PgBouncer in transaction mode", async () => {
  const postgres = await startPostgres();
  if (postgres === undefined) throw new Error("PostgreSQL is not installed");
  onTestFinished(() => postgres.stop());
  const url = await startPgBouncer(postgres.url);
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
