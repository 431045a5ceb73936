import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import type { Host } from "../../src/services/host.js";
import { start } from "../../src/services/migration/index.js";
import type { MigrationRecord } from "../../src/services/migration/records.js";
import { postgresStore } from "../../src/services/store/postgres.js";
import {
  call,
  configOf,
  download,
  ended,
  makeRepository,
  temporary,
  unpack,
  verifyBundle,
  bundleChild,
} from "../services/migration-support.js";
import { ROOT } from "../support/paths.js";
import { startPostgres } from "../support/postgres.js";

/** Process of the service. */
interface Process extends Host {
  readonly child: ChildProcess;
  /** Stops the process; resolves with its exit code. */
  end(signal: "SIGTERM" | "SIGKILL"): Promise<number | null>;
}

const script = path.join(ROOT, ".tmp/migration-processes.mjs");

async function startProcess(
  root: string,
  data: string,
  url: string,
): Promise<Process> {
  const child = spawn(process.execPath, [script, root, data, "10", url], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exit = new Promise<number | null>((resolve) =>
    child.once("exit", resolve),
  );
  const origin = await new Promise<string>((resolve, reject) => {
    child.stdout.once("data", (text: Buffer) =>
      resolve(text.toString().trim()),
    );
    child.once("exit", (code) => reject(new Error(`Exit code ${code}`)));
  });
  return {
    child,
    origin,
    drain: async () => {},
    close: async () => {},
    end: (signal) => {
      child.kill(signal);
      return exit;
    },
  };
}

const LIST = "/orgs/acme/migrations";

test("processes that share a database and a folder lose no work in restarts under load", async (context) => {
  const postgres = await startPostgres();
  if (postgres === undefined) return context.skip();
  const { folder, remove } = temporary();
  const root = path.join(folder, "root");
  const data = path.join(folder, "data");
  const processes: Process[] = [];
  context.onTestFinished(async () => {
    for (const { child } of processes) child.kill("SIGKILL");
    await postgres.stop();
    remove();
  });
  for (const name of ["alpha", "beta"]) makeRepository(root, "acme", name);
  await bundleChild(script);
  const launch = async (): Promise<void> => {
    processes.push(await startProcess(root, data, postgres.url));
  };
  await launch();
  await launch();
  const started: number[] = [];
  let isOver = false;
  /** Starts migrations at any available process until the restarts are done. */
  const load = async (name: string): Promise<void> => {
    for (let count = 0; !isOver; count++) {
      const host = processes[count % processes.length]!;
      const body = { repositories: [name] };
      const answer = await call(host, "POST", LIST, body).catch(
        // The process is stopping.
        () => undefined,
      );
      if (answer?.status === 201) started.push(answer.json.id);
      else expect([undefined, 503, 422]).toContain(answer?.status);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  const loads = [load("alpha"), load("beta")];
  for (let round = 0; round < 4; round++) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    await launch();
    const old = processes.shift()!;
    const code = await old.end(round === 2 ? "SIGKILL" : "SIGTERM");
    expect(code).toBe(round === 2 ? null : 0);
  }
  isOver = true;
  await Promise.all(loads);
  expect(started.length).toBeGreaterThan(4);
  expect(new Set(started).size).toBe(started.length);
  for (const id of started) {
    const { state } = await ended(processes[id % 2]!, id);
    expect([id, state]).toEqual([id, "exported"]);
  }
  // Every process serves every archive.
  for (const [index, id] of started.slice(-6).entries()) {
    const files = await unpack(await download(processes[index % 2]!, id));
    const [name] = [...files.keys()].filter((one) => one.endsWith(".bundle"));
    verifyBundle(files.get(name!)!);
  }
  const store = await postgresStore(postgres.url);
  // A killed process may have stored a migration without having responded. Such
  // migrations must be exported, too.
  await expect
    .poll(() => store.count("migration-jobs"), { timeout: 60_000 })
    .toBe(0);
  const rows = await store.list<MigrationRecord>("migration-migrations");
  const states = rows.map(({ value }) => value.state);
  expect(new Set(states)).toEqual(new Set(["exported"]));
  // One process runs an export: only killed exports were started again.
  const again = rows.filter(({ value }) => value.attempts > 1);
  expect(again.length).toBeLessThanOrEqual(2);
  await refusesOtherFolder(root, path.join(folder, "other"), store);
  await store.close();
  for (const one of processes) expect(await one.end("SIGTERM")).toBe(0);
  const files = readdirSync(path.join(data, "files/archives"));
  expect(files.length).toBeGreaterThanOrEqual(rows.length);
});

async function refusesOtherFolder(
  root: string,
  folder: string,
  store: Awaited<ReturnType<typeof postgresStore>>,
): Promise<void> {
  const context = {
    store,
    now: Date.now,
    log: () => {},
    config: configOf(root),
  };
  for (const other of [undefined, folder]) {
    const opened = start({ ...context, folder: other });
    await expect(opened).rejects.toMatchObject({
      name: "ConfigError",
      message: expect.stringContaining("--data"),
    });
  }
  // A moved folder is identified by its file.
  const id = await store.get<string>("migration-settings", "folder");
  writeFileSync(path.join(folder, "folder-id"), `${id}\n`);
  await (await start({ ...context, folder })).close();
  expect(existsSync(folder)).toBe(true);
}
