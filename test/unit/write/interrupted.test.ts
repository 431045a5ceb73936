import { cpSync, existsSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { check, generate } from "../../../src/index.js";
import { apiOf, texts, tree, write } from "../../cli/support.js";
import { rounds } from "../../support/full.js";
import { temporaryFolder } from "../../support/paths.js";
import { die } from "./killed.js";
import { acquireLock } from "../../../src/platform/lock.js";
import { LOCK } from "../../../src/write/output-session.js";
import { systemError, withFaults, type Call } from "./faults.js";

type Texts = Readonly<Record<string, string>>;

/** Every kind of change: folders, one file, one deletion, a new API, a removed API. */
const OLD = {
  "all.json": apiOf("all", "v1", "1"),
  "gone.json": apiOf("gone"),
  "one.json": apiOf("one"),
  "same.json": apiOf("same"),
};
const NEW = {
  "all.json": withoutOthers(apiOf("all", "v1", "2")),
  "new.json": apiOf("new"),
  "one.json": withDescription(apiOf("one")),
  "same.json": apiOf("same"),
};

function withoutOthers(api: Record<string, unknown>): object {
  const { things } = api["resources"] as { things: object };
  const text = JSON.stringify(things).replace("all.things", "all.more");
  return { ...api, resources: { things, more: JSON.parse(text) as object } };
}

function withDescription(api: Record<string, unknown>): object {
  const schemas = structuredClone(api["schemas"]) as {
    Thing: { description: string };
  };
  schemas.Thing.description = "Another one.";
  return { ...api, schemas };
}

const MINE = { "all/v1/resources/mine.ts": "// mine\n", "gone/mine.txt": "m" };

/** Creates a folder with the old output, and returns the expected new output. */
async function prepared() {
  const cwd = temporaryFolder();
  const [out, old] = [path.join(cwd, "out"), path.join(cwd, "old")];
  const run = (mode = generate) =>
    mode({ spec: "specs", out: "out", cwd, runtime: "package" });
  const give = (documents: Readonly<Record<string, string | object>>): void => {
    rmSync(path.join(cwd, "specs"), { recursive: true, force: true });
    write(path.join(cwd, "specs"), documents);
  };
  const reset = (): void => {
    rmSync(out, { recursive: true });
    cpSync(old, out, { recursive: true });
  };
  give(OLD);
  await run();
  write(out, MINE);
  cpSync(out, old, { recursive: true });
  const oldTexts = texts(out);
  give(NEW);
  await run();
  const newTexts = texts(out);
  reset();
  return { out, run, give, reset, oldTexts, newTexts };
}

/** Every change in the project `long`, else every third. */
const STEP = rounds(1, 3);

const MANIFEST = ".gen-manifest.json";

const killAt = (moment: number) => (call: Call) =>
  call.index >= moment ? systemError("EIO", "killed") : undefined;

/**
 * Returns texts without those of temporary files and of the lock. Prepared locks
 * remain in this test, because their process is still running.
 */
function complete(all: Texts): Texts {
  const isOutput = (name: string): boolean => !/\.tmp$|\.gen-lock/.test(name);
  return Object.fromEntries(
    Object.entries(all).filter(([name]) => isOutput(name)),
  );
}

/** Expects that each generated file is complete, old or new, and no other is changed. */
function expectComplete(left: Texts, oldTexts: Texts, newTexts: Texts): void {
  expect(left).toMatchObject(MINE);
  for (const [name, text] of Object.entries(left)) {
    if (name === MANIFEST) JSON.parse(text);
    else expect([oldTexts[name], newTexts[name]], name).toContain(text);
  }
  // Deletions are last, so no file is missing that is both old and new.
  for (const name of Object.keys(oldTexts))
    if (name in newTexts) expect(left).toHaveProperty([name]);
}

test("a run killed before any change leaves complete files, and the next run completes the output", async () => {
  const { out, run, reset, oldTexts, newTexts } = await prepared();
  const total = await withFaults(() => undefined, run);
  expect(total).toBeGreaterThan(40);
  for (let moment = 0; moment < total; moment += STEP) {
    reset();
    await withFaults(killAt(moment), run);
    die(out);
    expectComplete(complete(texts(out)), oldTexts, newTexts);
    const seen = tree(out);
    const { changed } = await run(check);
    expect(tree(out)).toEqual(seen);
    const isNew = JSON.stringify(complete(texts(out)));
    expect(changed).toBe(isNew !== JSON.stringify(newTexts));
    expect((await run()).diagnostics).toEqual([]);
    expect(complete(texts(out))).toEqual(newTexts);
    expect(existsSync(path.join(out, LOCK))).toBe(false);
  }
});

test("after a killed run, the old documents restore exactly the old output", async () => {
  const { out, run, give, reset, oldTexts } = await prepared();
  const total = await withFaults(() => undefined, run);
  for (let moment = 0; moment < total; moment += 3 * STEP) {
    reset();
    give(NEW);
    await withFaults(killAt(moment), run);
    die(out);
    give(OLD);
    expect((await run()).diagnostics).toEqual([]);
    expect(complete(texts(out))).toEqual(oldTexts);
  }
});

test("after a killed run, the output of a broken document still counts as generated", async () => {
  const { out, run, give, reset, oldTexts, newTexts } = await prepared();
  const total = await withFaults(() => undefined, run);
  for (let moment = 1; moment < total; moment += 4 * STEP) {
    reset();
    give(NEW);
    await withFaults(killAt(moment), run);
    die(out);
    give({ ...NEW, "all.json": "{" });
    await run();
    const left = complete(texts(out));
    for (const [name, text] of Object.entries(left))
      if (name.startsWith("all/"))
        expect([oldTexts[name], newTexts[name]]).toContain(text);
    give(NEW);
    expect((await run()).diagnostics).toEqual([]);
    expect(complete(texts(out))).toEqual(newTexts);
    expect(existsSync(path.join(out, LOCK))).toBe(false);
  }
});

test("a full disk at any change leaves complete files, and reports those that were changed", async () => {
  const { out, run, reset, oldTexts, newTexts } = await prepared();
  const total = await withFaults(() => undefined, run);
  for (let moment = 0; moment < total; moment += STEP) {
    reset();
    let result: Awaited<ReturnType<typeof run>> | undefined;
    await withFaults(
      ({ index, name }) =>
        index === moment ? systemError("ENOSPC", name) : undefined,
      async () => {
        result = await run();
      },
    );
    const left = texts(out);
    expectComplete(complete(left), oldTexts, newTexts);
    const { diagnostics, files } = result!;
    const codes = diagnostics.map(({ code }) => code);
    if (codes.length > 0) {
      expect(codes).toEqual(["output-unwritable"]);
      const changed = [
        ...new Set([...Object.keys(left), ...Object.keys(oldTexts)]),
      ]
        .filter((name) => left[name] !== oldTexts[name])
        .filter((name) => !/\.gen-|\.tmp$/.test(name));
      const reported = files.filter(({ action }) => action !== "same");
      expect(reported.map(({ path: name }) => name).sort()).toEqual(
        changed.sort(),
      );
      if (changed.length > 0)
        expect(diagnostics[0]!.message).toMatch(
          new RegExp(`; ${changed.length} of \\d+ files were changed before$`),
        );
    }
    die(out);
    await run();
    expect(complete(texts(out))).toEqual(newTexts);
  }
});

test("a run that can't write reports no files and removes new folders", async () => {
  const cwd = temporaryFolder();
  write(cwd, { "a.json": apiOf("a"), "b.json": apiOf("b") });
  const options = { spec: "*.json", out: "new/out", cwd };
  await withFaults(
    ({ name }) =>
      name === "renameSync" ? systemError("EIO", "rename") : undefined,
    async () => {
      const { files, diagnostics } = await generate(options);
      expect(diagnostics.map(({ code }) => code)).toEqual([
        "output-unwritable",
      ]);
      expect(files).toEqual([]);
    },
  );
  expect(Object.keys(texts(cwd)).sort()).toEqual(["a.json", "b.json"]);
  expect(tree(cwd).has("new")).toBe(false);
});

test("files that others create during a run are not lost", async () => {
  const { out, run, newTexts } = await prepared();
  let isDone = false;
  await withFaults(({ name }) => {
    if (name === "renameSync" && !isDone) {
      isDone = true;
      writeFileSync(path.join(out, "all/v1/resources/late.ts"), "// late\n");
      writeFileSync(path.join(out, "all/v1/resources/mine.ts"), "// saved\n");
    }
    return undefined;
  }, run);
  expect(texts(out)).toEqual({
    ...newTexts,
    "all/v1/resources/mine.ts": "// saved\n",
    "all/v1/resources/late.ts": "// late\n",
  });
});

test("a file that appears during a run at an output path is not replaced", async () => {
  const { out, run } = await prepared();
  let codes: string[] = [];
  await withFaults(
    ({ name }) => {
      if (name === "renameSync") write(out, { "new/v1/index.ts": "// late\n" });
      return undefined;
    },
    async () => {
      codes = (await run()).diagnostics.map(({ code }) => code);
    },
  );
  expect(codes).toEqual(["output-unwritable"]);
  expect(texts(out)["new/v1/index.ts"]).toBe("// late\n");
});

test("of several simultaneous runs into one folder, one succeeds and the others report it", async () => {
  const { out, run, newTexts } = await prepared();
  const results = await Promise.all([run(), run(), run()]);
  const failed = results.map(({ diagnostics }) =>
    diagnostics
      .filter(({ code }) => code === "output-unwritable")
      .map(({ message }) => message),
  );
  expect(failed.some((found) => found.length === 0)).toBe(true);
  for (const message of failed.flat()) expect(message).toContain("another run");
  await run();
  expect(texts(out)).toEqual(newTexts);
});

test("a run that is locked out changes nothing", async () => {
  const { out, run, oldTexts, newTexts } = await prepared();
  const release = acquireLock(path.join(out, LOCK));
  const { diagnostics } = await run();
  expect(diagnostics.map(({ code }) => code)).toEqual(["output-unwritable"]);
  expect(diagnostics[0]!.message).toContain(
    `another run (process ${process.pid})`,
  );
  release();
  expect(texts(out)).toEqual(oldTexts);
  await run();
  expect(texts(out)).toEqual(newTexts);
});

test("temporary files of killed runs are removed, and no others", async () => {
  const { out, run, newTexts } = await prepared();
  const others = {
    "all/v1/mine.ts.4711.0123abcd.tmp": "mine",
    "all/v1/index.ts.tmp": "mine",
    "elsewhere/index.ts.4711.0123abcd.tmp": "mine",
  };
  write(out, {
    "all/v1/index.ts.4711.0123abcd.tmp": "half",
    "same/v1/index.ts.4711.0123abcd.tmp": "half",
    [`${MANIFEST}.4711.0123abcd.tmp`]: "half",
    ...others,
  });
  await run();
  expect(texts(out)).toEqual({ ...newTexts, ...others });
});
