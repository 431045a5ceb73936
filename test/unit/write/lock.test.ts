// Two runs with one output folder: the second acts between any two changes of the
// first.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  utimesSync,
} from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../support/paths.js";
import { OutputWriter } from "../../../src/write/output-writer.js";
import { recover } from "../../../src/write/journal.js";
import { die } from "./killed.js";
import {
  assertUnlocked,
  LockedError,
  inspectStaging,
  STAGING,
} from "../../../src/write/staging.js";
import { EMPTY_MANIFEST, MANIFEST } from "../../../src/write/manifest.js";
import { generate } from "../../../src/index.js";
import { apiOf, write } from "../../cli/support.js";
import { systemError, withFaults } from "./faults.js";

/**
 * Recovers from a killed run and locks a folder, as each run does. Returns
 * undefined if another run has locked it.
 */
function lock(out: string): OutputWriter | undefined {
  try {
    assertUnlocked(inspectStaging(out));
    recover(out, EMPTY_MANIFEST, (name) => {
      throw new Error(`foreign: ${name}`);
    });
    return new OutputWriter(out);
  } catch (error) {
    if (error instanceof LockedError) return undefined;
    throw error;
  }
}

/** Writes the lock of a run that was killed, and a prepared file. */
function leaveKilledRun(out: string): void {
  new OutputWriter(out);
  write(out, { [`${STAGING}/new-5/a.ts`]: "a" });
  die(out);
}

/**
 * Runs `first`, and `second` before its change number `index`. Returns false if
 * it has fewer changes.
 */
async function interleave(
  index: number,
  first: () => void,
  second: () => void,
): Promise<boolean> {
  let count = 0;
  let isInSecond = false;
  await withFaults(
    () => {
      if (isInSecond || count++ !== index) return undefined;
      isInSecond = true;
      second();
      isInSecond = false;
      return undefined;
    },
    async () => first(),
  );
  return count > index;
}

const isLocked = (out: string): boolean => inspectStaging(out).state === "own";

test.each<[string, (out: string) => void]>([
  ["is absent", () => {}],
  ["exists", (out) => mkdirSync(out)],
  [
    "has an empty staging folder",
    (out) => mkdirSync(path.join(out, STAGING), { recursive: true }),
  ],
  ["has the staging folder of a killed run", leaveKilledRun],
  [
    "has the staging folder of a run that was killed while it was locking",
    (out) => {
      leaveKilledRun(out);
      const staging = path.join(out, STAGING);
      renameSync(path.join(staging, "owner"), path.join(staging, "owner-7"));
    },
  ],
  [
    "has an empty lock file",
    (out) => {
      write(out, { [`${STAGING}/owner`]: "" });
      utimesSync(path.join(out, STAGING, "owner"), 1, 1);
    },
  ],
])("exactly one of two runs locks an output folder that %s", async (_, set) => {
  for (let index = 0, isMore = true; isMore; index++) {
    const out = path.join(temporaryFolder(), "deep/out");
    mkdirSync(path.dirname(out));
    set(out);
    const found: (OutputWriter | undefined)[] = [];
    const attempt = () => void found.push(lock(out));
    isMore = await interleave(index, attempt, attempt);
    const winners = found.filter((writer) => writer !== undefined);
    expect([index, winners.length, isLocked(out)]).toEqual([index, 1, true]);
    winners[0]!.discard();
    winners[0]!.discard();
    expect(existsSync(path.join(out, STAGING))).toBe(false);
  }
});

test.each([
  ["a run that ends does not remove the lock of another run", true],
  ["a run that ends does not prevent another run from locking", false],
])("%s", async (_, isEndInterrupted) => {
  for (let index = 0, isMore = true; isMore; index++) {
    const out = path.join(temporaryFolder(), "deep/out");
    const first = new OutputWriter(out);
    let second: OutputWriter | undefined;
    const end = () => first.discard();
    const attempt = () => void (second = lock(out));
    isMore = isEndInterrupted
      ? await interleave(index, end, attempt)
      : await interleave(index, attempt, end);
    end();
    expect([index, isLocked(out)]).toEqual([index, second !== undefined]);
  }
});

test("a file system without hard links has the same locks", async () => {
  const out = path.join(temporaryFolder(), "out");
  await withFaults(
    ({ name }) =>
      name === "linkSync" ? systemError("EPERM", "link") : undefined,
    async () => {
      const first = lock(out);
      expect(first).toBeDefined();
      expect(lock(out)).toBeUndefined();
      first!.discard();
      lock(out)!.discard();
    },
  );
  expect(existsSync(out)).toBe(false);
});

test("an error after the changes were written does not hide them", async () => {
  const cwd = temporaryFolder();
  write(cwd, { "a.json": apiOf("a") });
  const options = { spec: "*.json", out: "out", cwd };
  let failures = 0;
  await withFaults(
    ({ name, args }) =>
      name === "rmSync" && String(args[0]).endsWith("/owner") && failures++ < 1
        ? systemError("EBUSY", "unlink")
        : undefined,
    async () => {
      const { files } = await generate(options);
      expect(files.length).toBeGreaterThan(0);
    },
  );
  expect(failures).toBeGreaterThan(0);
  const { files, diagnostics } = await generate(options);
  expect(diagnostics).toEqual([]);
  expect(files.every(({ action }) => action === "same")).toBe(true);
  expect(existsSync(path.join(cwd, "out", STAGING))).toBe(false);
});

test("a run that can't write reports no files and removes new folders", async () => {
  const cwd = temporaryFolder();
  write(cwd, { "a.json": apiOf("a"), "b.json": apiOf("b") });
  const options = { spec: "*.json", out: "new/out", cwd };
  await withFaults(
    ({ name, args }) =>
      name === "renameSync" && String(args[1]).endsWith(MANIFEST)
        ? systemError("EIO", "rename")
        : undefined,
    async () => {
      const { files, diagnostics } = await generate(options);
      expect(diagnostics.map(({ code }) => code)).toEqual([
        "output-unwritable",
      ]);
      expect(files).toEqual([]);
    },
  );
  expect(readdirSync(cwd).sort()).toEqual(["a.json", "b.json"]);
});
