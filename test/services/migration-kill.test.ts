import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { MigrationRecord } from "../../src/services/migration/records.js";
import type { Host } from "../../src/services/host.js";
import { levelStore } from "../../src/services/store/level.js";
import { randomOf } from "../support/random-values.js";
import { ROOT } from "../support/paths.js";
import {
  call,
  download,
  ended,
  git,
  makeRepository,
  temporary,
  unpack,
  verifyBundle,
} from "./migration-support.js";
import { rounds } from "../support/full.js";

const ROUNDS = rounds(100, 4);
const SEED = 20261121;

const { folder, remove } = temporary();
const root = path.join(folder, "root");
const data = path.join(folder, "data");
const script = path.join(folder, "child.mjs");

beforeAll(async () => {
  makeRepository(root, "acme", "alpha");
  makeRepository(root, "acme", "beta");
  await bundle();
});
let child: ChildProcess | undefined;
afterAll(() => {
  child?.kill("SIGKILL");
  remove();
});

/** Bundles the program, so that a process starts quickly; the native store is external. */
async function bundle(): Promise<void> {
  const { resolve } = createRequire(import.meta.url);
  await build({
    entryPoints: [path.join(ROOT, "test/services/migration-child.ts")],
    bundle: true,
    platform: "node",
    format: "esm",
    outfile: script,
    banner: {
      js: 'import { createRequire as createBundleRequire } from "node:module"; const require = createBundleRequire(import.meta.url);',
    },
    minify: true,
    plugins: [
      {
        name: "native",
        setup: ({ onResolve }) =>
          onResolve(
            { filter: /^(classic-level|graphile-worker)$/ },
            ({ path: name }) => ({ path: resolve(name), external: true }),
          ),
      },
    ],
  });
}

/** Starts the service; resolves when it is listening. */
function startChild(attempts: number): Promise<Host> {
  const started = spawn(process.execPath, [script, root, data, `${attempts}`], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  child = started;
  return new Promise((resolve, reject) => {
    started.stdout.once("data", (text: Buffer) =>
      resolve({
        origin: text.toString().trim(),
        drain: async () => {},
        close: async () => {},
      }),
    );
    started.once("exit", (code) => reject(new Error(`Exit code ${code}`)));
  });
}

function kill(): Promise<void> {
  const killed = child!;
  return new Promise((resolve) => {
    killed.removeAllListeners("exit");
    killed.once("exit", () => resolve());
    killed.kill("SIGKILL");
  });
}

const LIST = "/orgs/acme/migrations";
const marker = (name: string): string =>
  path.join(root, "acme", `${name}.git`, "migration-lock");

/** Responses of the service before it was killed. */
interface Told {
  /** Ids of migrations with a 201. */
  readonly started: number[];
  /** Repositories that were unlocked last, as far as known. */
  readonly unlocked: Set<string>;
}

/** Starts a migration; returns its id. */
async function startOne(host: Host, told: Told, name: string): Promise<number> {
  // An interrupted migration may have the lock.
  const lock_repositories = !existsSync(marker(name));
  const body = { repositories: [name], lock_repositories };
  if (lock_repositories) told.unlocked.delete(name);
  const { status, json } = await call(host, "POST", LIST, body);
  if (status !== 201) throw new Error(`Status ${status}`);
  told.started.push(json.id);
  return json.id;
}

/** Sends a request to a service that may be killed before it responds. */
async function follow(
  host: Host,
  told: Told,
  name: string,
  id: number,
): Promise<void> {
  const target = `${LIST}/${id}/repos/${name}/lock`;
  const unlock = call(host, "DELETE", target).then((answer) => {
    if (answer.status === 204) told.unlocked.add(name);
  });
  const archive = ended(host, id).then(() => checkArchive(host, id, name));
  await Promise.all([unlock, archive]);
}

/** Returns true for errors of a broken connection, the only ones that a kill causes. */
function unlessKilled(error: unknown): void {
  if (!(error instanceof TypeError)) throw error;
}

/** Checks that the archive is complete or missing. */
async function checkArchive(
  host: Host,
  id: number,
  name: string,
): Promise<void> {
  const files = await unpack(await download(host, id));
  verifyBundle(files.get(`repositories/${name}.bundle`)!);
}

/** Checks after a restart that all migrations end and match the previous responses. */
async function check(host: Host, told: Told): Promise<void> {
  const { json: all } = await call(host, "GET", `${LIST}?per_page=20`);
  const ids: number[] = all.map(({ id }: { id: number }) => id);
  const recent = told.started.slice(-10);
  expect(ids).toEqual(expect.arrayContaining(recent));
  for (const id of ids.slice(0, 5)) {
    const { state, repositories } = await ended(host, id);
    if (id < ids[1]!) continue;
    if (state === "exported")
      await checkArchive(host, id, repositories[0].name);
    else
      expect((await call(host, "GET", `${LIST}/${id}/archive`)).status).toBe(
        404,
      );
  }
  for (const name of told.unlocked)
    expect([name, existsSync(marker(name))]).toEqual([name, false]);
  await unlockAll(host, all, told);
}

async function allEnded(host: Host): Promise<void> {
  const target = `${LIST}?per_page=100&exclude=repositories`;
  const { json } = await call(host, "GET", target);
  for (const { id } of json) await ended(host, id);
}

/** Unlocks repositories that a kill left locked, and checks them against the store. */
async function unlockAll(
  host: Host,
  all: readonly { id: number; repositories: { name: string }[] }[],
  told: Told,
): Promise<void> {
  for (const { id, repositories } of all) {
    const { name } = repositories[0]!;
    if (!existsSync(marker(name))) continue;
    await call(host, "DELETE", `${LIST}/${id}/repos/${name}/lock`);
    told.unlocked.add(name);
  }
  for (const name of ["alpha", "beta"])
    expect([name, existsSync(marker(name))]).toEqual([name, false]);
}

test(`${ROUNDS} kills at any moment, seed ${SEED}`, async () => {
  const random = randomOf(SEED);
  const told: Told = { started: [], unlocked: new Set() };
  let host = await startChild(3);
  for (let round = 0; round < ROUNDS; round++) {
    const name = random() < 0.5 ? "alpha" : "beta";
    const started = startOne(host, told, name);
    const on = host;
    const work = started
      .then((id) => follow(on, told, name, id))
      .catch(unlessKilled);
    // Half of the kills happen during an export.
    if (random() < 0.5) await started;
    await new Promise((resolve) => setTimeout(resolve, random() * 80));
    await kill();
    await work;
    host = await startChild(random() < 0.3 ? 1 : 3);
    // Sometimes the next kill interrupts the recovery.
    if (random() < 0.7) await check(host, told);
  }
  await check(host, told);
  await allEnded(host);
  await kill();
  await checkStore(told);
  push("alpha");
  push("beta");
}, 300_000);

/** Checks data for operators: reasons, and that no work is left. */
async function checkStore({ started }: Told): Promise<void> {
  const store = await levelStore(path.join(data, "store"));
  const rows = await store.list<MigrationRecord>("migration-migrations");
  const archives = await store.count("migration-archives");
  expect(await store.count("migration-jobs")).toBe(0);
  await store.close();
  const ids = rows.map(({ value }) => value.id);
  expect(ids).toEqual(expect.arrayContaining(started));
  const failed = rows.filter(({ value }) => value.state === "failed");
  for (const { value } of failed) expect(value.reason).toMatch(/interrupted/);
  const done = rows.filter(({ value }) => value.state === "exported");
  expect(done.length + failed.length).toBe(rows.length);
  expect(archives).toBe(done.length);
  const files = readdirSync(path.join(data, "files", "archives"));
  expect(files.length).toBe(done.length);
  const again = rows.filter(({ value }) => value.attempts > 1).length;
  console.log(
    `${rows.length} migrations: ${done.length} exported, ${failed.length} failed, ${again} started more than once`,
  );
}

function push(name: string): void {
  const work = path.join(folder, `work-${name}`);
  git(folder, "clone", "-q", path.join(root, "acme", `${name}.git`), work);
  git(work, "commit", "-q", "--allow-empty", "-m", "More");
  git(work, "push", "-q", "origin", "HEAD");
}
