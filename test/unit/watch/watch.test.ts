import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { watchInputs, type WatchOptions } from "../../../src/watch/watch.js";
import { temporaryFolder } from "../../support/paths.js";

/** Milliseconds in which a run that must not start would have started. */
const CALM = 250;

/** Watches the .json files of a folder until the test ends. */
async function watching(
  parts: Partial<WatchOptions> & { readonly onRun?: () => unknown } = {},
  root = temporaryFolder(),
) {
  const folder = path.join(root, "specs");
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "a.json"), "{}");
  const runs: string[][] = [];
  const stop = new AbortController();
  const ended = watchInputs({
    inputs: async () => ({
      files: existsSync(folder)
        ? readdirSync(folder)
            .filter((name) => name.endsWith(".json"))
            .map((name) => path.join(folder, name))
        : [],
      folders: [folder],
    }),
    run: async (changed) => {
      runs.push(changed.map((name) => path.basename(name)));
      await parts.onRun?.();
    },
    signal: stop.signal,
    delay: 20,
    ...parts,
  });
  onTestFinished(async () => {
    stop.abort();
    await ended;
  });
  const reach = (count: number) =>
    vi.waitFor(() => expect(runs.length).toBeGreaterThanOrEqual(count), {
      timeout: 10_000,
      interval: 10,
    });
  await reach(1);
  await sleep(50);
  const file = (name: string): string => path.join(folder, name);
  return { root, folder, file, runs, reach, stop, ended };
}

describe("watching runs", () => {
  test("once at the start, and once for a series of changes", async () => {
    const { file, runs, reach } = await watching();
    expect(runs).toEqual([[]]);
    for (const text of ["1", "12", "123"]) writeFileSync(file("a.json"), text);
    await reach(2);
    await sleep(CALM);
    expect(runs).toEqual([[], ["a.json"]]);
  });

  test("not for files that are no inputs, nor for what a run writes", async () => {
    const root = temporaryFolder();
    const { file, runs } = await watching(
      {
        onRun: () => {
          mkdirSync(path.join(root, "specs/out"), { recursive: true });
          writeFileSync(path.join(root, "specs/out/index.ts"), "");
        },
      },
      root,
    );
    writeFileSync(file("notes.txt"), "1");
    writeFileSync(file("out/index.ts"), "edited");
    mkdirSync(file("other"));
    await sleep(CALM);
    expect(runs).toEqual([[]]);
  });

  test("for files that appear and disappear", async () => {
    const { file, runs, reach } = await watching();
    writeFileSync(file("b.json"), "{}");
    await reach(2);
    rmSync(file("b.json"));
    await reach(3);
    expect(runs).toEqual([[], ["b.json"], ["b.json"]]);
  });

  test("for files that an editor replaces by renaming, each time", async () => {
    const { file, runs, reach } = await watching();
    for (const count of [2, 3, 4]) {
      writeFileSync(file(".a.json.swp"), `${count}`.repeat(count));
      renameSync(file(".a.json.swp"), file("a.json"));
      await reach(count);
    }
    expect(runs.slice(1)).toEqual([["a.json"], ["a.json"], ["a.json"]]);
  });

  test("once if an editor deletes or empties a file before it writes it", async () => {
    const { file, runs, reach } = await watching();
    rmSync(file("a.json"));
    await sleep(60);
    writeFileSync(file("a.json"), "");
    await sleep(60);
    appendFileSync(file("a.json"), "saved");
    await reach(2);
    await sleep(CALM);
    expect(runs).toEqual([[], ["a.json"]]);
  });

  test("for a folder that is deleted and created again", async () => {
    const { folder, file, runs, reach } = await watching();
    rmSync(folder, { recursive: true });
    await reach(2);
    mkdirSync(folder);
    writeFileSync(file("a.json"), "new");
    await reach(3);
    await sleep(50);
    writeFileSync(file("a.json"), "newer");
    await reach(4);
    expect(runs).toEqual([[], ["a.json"], ["a.json"], ["a.json"]]);
  });

  test("for changes of the target of a link", async () => {
    const root = temporaryFolder();
    mkdirSync(path.join(root, "specs"));
    mkdirSync(path.join(root, "elsewhere"));
    const target = path.join(root, "elsewhere/real.json");
    writeFileSync(target, "1");
    symlinkSync(target, path.join(root, "specs/link.json"));
    const { runs, reach } = await watching({}, root);
    writeFileSync(target, "22");
    await reach(2);
    expect(runs[1]).toEqual(["link.json"]);
  });

  test("again for a change during a run, never twice at the same time", async () => {
    const root = temporaryFolder();
    let active = 0;
    let most = 0;
    const { file, runs, reach } = await watching(
      {
        onRun: async () => {
          most = Math.max(most, ++active);
          await sleep(100);
          active--;
        },
      },
      root,
    );
    writeFileSync(file("a.json"), "1");
    await reach(2);
    writeFileSync(file("a.json"), "22");
    await reach(3);
    await sleep(CALM);
    expect(runs).toHaveLength(3);
    expect(most).toBe(1);
  });

  test("when remote inputs changed; errors of the server do not end it", async () => {
    const results = [new Error("offline"), false, true, false];
    const hasChanged = vi.fn(async () => {
      const result = results.shift() ?? false;
      if (result instanceof Error) throw result;
      return result;
    });
    const { runs, reach } = await watching({
      remote: { period: 20, hasChanged },
    });
    await reach(2);
    await sleep(CALM);
    expect(runs).toEqual([[], []]);
    expect(hasChanged.mock.calls.length).toBeGreaterThan(4);
  });
});

test("an aborted signal ends watching after the current run", async () => {
  let isDone = false;
  const root = temporaryFolder();
  const stop = new AbortController();
  const ended = watchInputs({
    inputs: async () => ({ files: [], folders: [root] }),
    run: async () => {
      stop.abort();
      await sleep(50);
      isDone = true;
    },
    signal: stop.signal,
  });
  await ended;
  expect(isDone).toBe(true);
});
