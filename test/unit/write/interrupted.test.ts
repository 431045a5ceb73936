import { cpSync, existsSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { check, generate } from "../../../src/index.js";
import { apiOf, texts, tree, write } from "../../cli/support.js";
import { identifyProcess } from "../../../src/platform/process.js";
import { sealValue } from "../../../src/platform/seal.js";
import { isFull, rounds } from "../../support/full.js";
import { temporaryFolder } from "../../support/paths.js";
import { DEAD, die } from "./killed.js";
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

/** Returns the files of one API, or those outside of all APIs. */
function part(all: Texts, api: string): Texts {
  const isPart = (name: string): boolean =>
    name.startsWith(`${api}/`) && !name.includes("mine");
  return Object.fromEntries(
    Object.entries(all).filter(([name]) => isPart(name)),
  );
}

/** Every change in the project `long`, else every third. */
const STEP = rounds(1, 3);

const killAt = (moment: number) => (call: Call) =>
  call.index >= moment ? systemError("EIO", "killed") : undefined;

test("a run killed before any change leaves old or new output, and the next run recovers", async () => {
  const { out, run, reset, oldTexts, newTexts } = await prepared();
  const total = await withFaults(() => undefined, run);
  expect(total).toBeGreaterThan(40);
  let betweenRenames = 0;
  for (let moment = 0; moment < total; moment += STEP) {
    reset();
    await withFaults(killAt(moment), run);
    die(out);
    const left = texts(out);
    for (const api of ["all", "gone", "new", "one", "same"]) {
      const found = part(left, api);
      const isGone = Object.keys(found).length === 0;
      if (isGone && api === "all") betweenRenames++;
      else
        expect([part(oldTexts, api), part(newTexts, api)]).toContainEqual(
          found,
        );
    }
    expect(left).toMatchObject(foreignIn(left));
    const seen = tree(out);
    await run(check);
    expect(tree(out)).toEqual(seen);
    await run();
    expect(texts(out)).toEqual(newTexts);
  }
  // Between two renames, since Node.js has no atomic exchange.
  if (isFull) expect(betweenRenames).toBe(1);
});

/** Expects foreign files at their paths, except between two renames. */
function foreignIn(left: Texts): Texts {
  const isBetween = left["all/v1/index.ts"] === undefined;
  return isBetween ? { "gone/mine.txt": "m" } : MINE;
}

test("after a killed run, the old documents restore exactly the old output", async () => {
  const { out, run, give, reset, oldTexts } = await prepared();
  const total = await withFaults(() => undefined, run);
  for (let moment = 0; moment < total; moment += 3 * STEP) {
    reset();
    give(NEW);
    await withFaults(killAt(moment), run);
    die(out);
    give(OLD);
    await run();
    expect(texts(out)).toEqual(oldTexts);
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
    const found = part(texts(out), "all");
    expect([part(oldTexts, "all"), part(newTexts, "all")]).toContainEqual(
      found,
    );
    give(NEW);
    expect(
      (await run()).diagnostics.filter(({ severity }) => severity === "error"),
    ).toEqual([]);
    expect(texts(out)).toEqual(newTexts);
  }
});

test("a full disk at any change leaves all output old or all output new", async () => {
  const { out, run, reset, oldTexts, newTexts } = await prepared();
  const total = await withFaults(() => undefined, run);
  for (let moment = 0; moment < total; moment += STEP) {
    reset();
    const before = tree(out);
    let codes: string[] = [];
    let failed = "";
    await withFaults(
      ({ index, name }) => {
        if (index !== moment) return undefined;
        failed = name;
        return systemError("ENOSPC", name);
      },
      async () => {
        const { diagnostics } = await run();
        codes = diagnostics
          .filter(({ severity }) => severity === "error")
          .map((found) => found.code);
      },
    );
    const left = texts(out);
    const isOld = left["all/v1/index.ts"] === oldTexts["all/v1/index.ts"];
    const isNew = left["new/v1/index.ts"] !== undefined;
    expect([isOld, isNew], failed).not.toEqual([false, false]);
    if (!isNew) {
      expect(left).toEqual(oldTexts);
      expect(codes).toContain("output-unwritable");
      for (const [name, entry] of before)
        if (entry.kind !== "folder")
          expect(tree(out).get(name)?.inode).toBe(entry.inode);
    }
    die(out);
    await run();
    expect(texts(out)).toEqual(newTexts);
  }
});

test("files that others create during a run are not lost", async () => {
  const { out, run, newTexts } = await prepared();
  const late = path.join(out, "all/v1/resources/late.ts");
  await withFaults(({ name, args }) => {
    const isJournal = String(args[0]).includes("journal");
    if (name === "writeFileSync" && isJournal && !existsSync(late)) {
      writeFileSync(late, "// late\n");
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
  const { out, run, oldTexts } = await prepared();
  const late = path.join(out, "new/v1/index.ts");
  let codes: string[] = [];
  await withFaults(
    ({ name, args }) => {
      if (name === "writeFileSync" && String(args[0]).includes("manifest"))
        write(out, { "new/v1/index.ts": "// late\n" });
      return undefined;
    },
    async () => {
      codes = (await run()).diagnostics.map(({ code }) => code);
    },
  );
  expect(codes).toContain("output-unwritable");
  expect(texts(out)).toEqual({ ...oldTexts, "new/v1/index.ts": "// late\n" });
  expect(existsSync(late)).toBe(true);
});

test("of two simultaneous runs into one folder, one succeeds and the other reports the lock", async () => {
  const { out, run, newTexts } = await prepared();
  const results = await Promise.all([run(), run(), run()]);
  const failed = results.map(({ diagnostics }) =>
    diagnostics
      .filter(({ code }) => code === "output-unwritable")
      .map(({ message }) => message),
  );
  expect(failed.filter((found) => found.length === 0).length).toBeGreaterThan(
    0,
  );
  for (const message of failed.flat()) expect(message).toContain("another run");
  await run();
  expect(texts(out)).toEqual(newTexts);
});

const OWNERS: [string, object, number][] = [
  ["a dead process", { pid: DEAD, host: hostname(), started: "" }, 1],
  ["another machine, long ago", { pid: 1, host: "elsewhere", started: "" }, 0],
];

test.each(OWNERS)("the lock of %s is replaced", async (_, owner, recent) => {
  const { out, run, newTexts } = await prepared();
  write(out, {
    ".gen-staging/owner": sealValue("lock", out, owner),
    ".gen-staging/new-0/half.ts": "half",
  });
  if (recent === 0) utimesSync(path.join(out, ".gen-staging/owner"), 1, 1);
  expect((await run()).diagnostics).toEqual([]);
  expect(texts(out)).toEqual(newTexts);
});

test("the recent lock of another machine is respected", async () => {
  const { out, run, oldTexts } = await prepared();
  const elsewhere = { pid: 1, host: "elsewhere", started: "" };
  const owner = sealValue("lock", out, elsewhere);
  write(out, { ".gen-staging/owner": owner });
  const codes = (await run()).diagnostics.map(({ code }) => code);
  expect(codes).toContain("output-unwritable");
  expect(texts(out)).toEqual({ ...oldTexts, ".gen-staging/owner": owner });
});

test("the lock of another user's live process is respected", async () => {
  const { out, run, oldTexts } = await prepared();
  const { started } = identifyProcess(process.pid);
  if (started === undefined) return; // no /proc
  const owner = { pid: process.pid, host: hostname(), started };
  const text = JSON.stringify({ seal: "?", content: JSON.stringify(owner) });
  write(out, { ".gen-staging/owner": text });
  const codes = (await run()).diagnostics.map(({ code }) => code);
  expect(codes).toEqual(["output-unwritable"]);
  expect(texts(out)).toEqual({ ...oldTexts, ".gen-staging/owner": text });
});

/** Sealed journals that must not move files outside of the output. */
const JOURNALS: [string, object][] = [
  ["a list instead of an object", []],
  ["a path outside", step({ to: "../outside" })],
  ["a prepared folder outside", step({ from: "../outside" })],
  ["a backup outside", step({ backup: "../outside" })],
  ["an absolute path", step({ to: "/tmp/outside" })],
  ["staging as its target", step({ to: ".gen-staging/old-1" })],
  ["a target beside its group", step({ to: "one/v1" })],
  ["a wrong group", step({ after: { files: { "../x": "y" } } })],
  ["an invalid step", { steps: [null] }],
];

function step(parts: object): object {
  const backup = ".gen-staging/old-1";
  return {
    steps: [{ folder: "all/v1", to: "all/v1", backup, replaced: [], ...parts }],
  };
}

test.each(JOURNALS)("a journal with %s moves nothing", async (_, journal) => {
  const { out, run, newTexts } = await prepared();
  const outside = path.join(out, "../outside");
  write(outside, { "file.txt": "stay\n" });
  const dead = { pid: DEAD, host: hostname(), started: "" };
  write(out, {
    ".gen-staging/journal.json": sealValue("journal", out, journal),
    ".gen-staging/owner": sealValue("lock", out, dead),
  });
  const { diagnostics } = await run();
  expect(diagnostics.map(({ code }) => code)).toEqual(["staging-foreign"]);
  expect(texts(outside)).toEqual({ "file.txt": "stay\n" });
  expect(texts(out)).toMatchObject(newTexts);
});

test("a damaged journal does not delete the old folder beside it", async () => {
  const { out, run, newTexts } = await prepared();
  const dead = { pid: DEAD, host: hostname(), started: "" };
  write(out, {
    ".gen-staging/journal.json": "{",
    ".gen-staging/owner": sealValue("lock", out, dead),
    ".gen-staging/old-1/index.ts": "// the only copy\n",
  });
  const { diagnostics } = await run();
  expect(diagnostics.map(({ code }) => code)).toEqual(["staging-foreign"]);
  expect(texts(out)).toMatchObject({
    ...newTexts,
    ".gen-staging.aside-1/old-1/index.ts": "// the only copy\n",
  });
});
