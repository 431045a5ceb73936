import { spawn } from "node:child_process";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { buildSync } from "esbuild";
import { describe, expect, test } from "vitest";
import {
  acquireLock,
  LockedError,
  lockHolder,
  withLock,
} from "../../../src/platform/lock.js";
import { ROOT, temporaryFolder } from "../../support/paths.js";

const STARTERS = 8;
const ROUNDS = 25;

/** Identity of a process that has ended: Linux ids have at most 22 bits. */
const ENDED = { host: hostname(), pid: 2 ** 22 + 1, started: "1" };

/** Starts processes that run a program with the lock module; waits for all. */
async function runProcesses(
  folder: string,
  program: string,
  ...parameters: readonly string[]
): Promise<void> {
  const file = path.join(folder, "program.mjs");
  buildSync({
    stdin: {
      contents: `import { acquireLock } from "./src/platform/lock.ts";\nimport * as fs from "node:fs";\n${program}`,
      resolveDir: ROOT,
      loader: "ts",
    },
    bundle: true,
    platform: "node",
    format: "esm",
    outfile: file,
  });
  const start = String(Date.now() + 1500);
  const exits = Array.from({ length: STARTERS }, async () => {
    const child = spawn(process.execPath, [file, start, ...parameters], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    return new Promise((resolve) => child.on("close", resolve));
  });
  expect(new Set(await Promise.all(exits))).toEqual(new Set([0]));
}

/** Creates the lock that a killed process leaves. */
function leaveLock(lock: string, owner: unknown = ENDED): void {
  mkdirSync(lock);
  writeFileSync(path.join(lock, "0123456789abcdef"), JSON.stringify(owner));
}

test.each([
  ["no lock", () => {}],
  ["the lock of an ended process", leaveLock],
  ["an empty folder", (lock: string) => mkdirSync(lock)],
  ["an empty file", (lock: string) => writeFileSync(lock, "")],
])(
  "one of 8 processes gets a lock, over %s",
  async (_, prepare) => {
    const folder = temporaryFolder();
    const locks = Array.from({ length: ROUNDS }, (_, round) =>
      path.join(folder, `lock-${round}`),
    );
    for (const lock of locks) prepare(lock);
    await runProcesses(
      folder,
      `const [start, folder] = process.argv.slice(2);
for (let round = 0; round < ${ROUNDS}; round++) {
  while (Date.now() < Number(start) + 20 * round);
  try {
    acquireLock(folder + "/lock-" + round);
    fs.appendFileSync(folder + "/holders-" + round, "x");
  } catch (error) {
    if (error.name !== "LockedError") throw error;
  }
}
// No process ends before all have tried every lock: the lock of an ended process is free.
fs.writeFileSync(folder + "/done-" + process.pid, "");
const isDone = () =>
  fs.readdirSync(folder).filter((name) => name.startsWith("done-")).length === ${STARTERS};
const end = Date.now() + 60_000;
while (!isDone() && Date.now() < end)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);`,
      folder,
    );
    const holders = locks.map((_, round) =>
      readFileSync(path.join(folder, `holders-${round}`), "utf8"),
    );
    expect(holders).toEqual(locks.map(() => "x"));
  },
  60_000,
);

test("no update is lost if processes take turns and end with the lock", async () => {
  const folder = temporaryFolder();
  const counter = path.join(folder, "counter");
  writeFileSync(counter, "0");
  await runProcesses(
    folder,
    `const [start, folder] = process.argv.slice(2);
while (Date.now() < Number(start));
for (let count = 1; count <= 40; ) {
  let release;
  try {
    release = acquireLock(folder + "/lock");
  } catch (error) {
    if (error.name !== "LockedError") throw error;
    continue;
  }
  const value = Number(fs.readFileSync(folder + "/counter", "utf8"));
  fs.writeFileSync(folder + "/counter", String(value + 1));
  if (count === 40) process.exit(0);
  release();
  count++;
}`,
    folder,
  );
  expect(readFileSync(counter, "utf8")).toBe(String(40 * STARTERS));
}, 60_000);

describe("what is found instead of a lock", () => {
  test.each([
    ["an empty folder", (lock: string) => mkdirSync(lock)],
    ["an empty file", (lock: string) => writeFileSync(lock, "")],
    ["a link", (lock: string) => symlinkSync(path.dirname(lock), lock)],
    ["a damaged lock", (lock: string) => leaveLock(lock, "{")],
    ["a lock without a process id", (lock: string) => leaveLock(lock, {})],
    ["the lock of an ended process", leaveLock],
    [
      "a lock with another start time of a running process",
      (lock: string) =>
        leaveLock(lock, { ...ENDED, pid: process.pid, started: "1" }),
    ],
  ])("%s does not prevent a lock", (_, prepare) => {
    const lock = path.join(temporaryFolder(), "lock");
    prepare(lock);
    expect(lockHolder(lock)).toBeUndefined();
    const release = acquireLock(lock);
    expect(lockHolder(lock)?.pid).toBe(process.pid);
    release();
    expect(readdirSync(path.dirname(lock))).toEqual([]);
  });

  test("other files are not deleted", () => {
    const lock = path.join(temporaryFolder(), "lock");
    mkdirSync(lock);
    writeFileSync(path.join(lock, "notes.txt"), "");
    expect(() => acquireLock(lock)).toThrow(
      `${lock} contains notes.txt, which is not part of a lock`,
    );
    expect(readdirSync(path.dirname(lock))).toEqual(["lock"]);
  });

  test("folders that killed processes prepared are deleted", () => {
    const lock = path.join(temporaryFolder(), "lock");
    leaveLock(`${lock}.${ENDED.pid}.0123abcd.tmp`);
    acquireLock(lock)();
    expect(readdirSync(path.dirname(lock))).toEqual([]);
  });
});

describe("a lock of which it is unknown whether its process is running", () => {
  const other = { host: "other.example", pid: 1, started: "1" };

  test("is valid for 10 minutes", () => {
    const lock = path.join(temporaryFolder(), "lock");
    leaveLock(lock, other);
    expect(() => acquireLock(lock)).toThrow(`delete ${lock}`);
    const [name] = readdirSync(lock);
    const old = Date.now() / 1000 - 601;
    utimesSync(path.join(lock, name!), old, old);
    acquireLock(lock)();
  });

  test("does not expire on request", () => {
    const lock = path.join(temporaryFolder(), "lock");
    leaveLock(lock, other);
    const [name] = readdirSync(lock);
    utimesSync(path.join(lock, name!), 0, 0);
    expect(lockHolder(lock, { maxUnknownAge: Infinity })).toEqual(other);
    expect(() => acquireLock(lock, { maxUnknownAge: Infinity })).toThrow(
      LockedError,
    );
  });
});

test("a lock can be acquired once, also by the same process", async () => {
  const lock = path.join(temporaryFolder(), "lock");
  const release = acquireLock(lock);
  expect(() => acquireLock(lock)).toThrow(LockedError);
  await expect(withLock(lock, 50, () => 1)).rejects.toThrow(LockedError);
  setTimeout(release, 50);
  expect(await withLock(lock, 5_000, () => 1)).toBe(1);
  expect(lockHolder(lock)).toBeUndefined();
});
