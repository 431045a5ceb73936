// Large files are written to the staging folder while they are printed.
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { check, generate } from "../../../src/index.js";
import { syntheticDocument } from "../../../bench/synthetic.mjs";
import { temporaryFolder } from "../../support/paths.js";
import { tree, write } from "../../cli/support.js";
import { STAGING } from "../../../src/write/staging.js";
import { die } from "./killed.js";
import { systemError, withFaults, type Call } from "./faults.js";

const FILE = "synthetic/v1/schemas.json";

/** Document of more than 2 MiB, from which a file of more than 1 MiB is generated. */
function document(title: string): string {
  const filler = "a".repeat(1 << 21);
  const { name, ...rest } = syntheticDocument(1300) as Record<string, unknown>;
  return JSON.stringify({ name, ...rest, title, "x-filler": filler });
}

function project() {
  const cwd = temporaryFolder();
  const out = path.join(cwd, "out");
  const options = { spec: "a.json", out, cwd, target: ["json-schema"] };
  const set = (text: string): void => write(cwd, { "a.json": text });
  set(document("one"));
  const actions = (files: readonly { path: string; action: string }[]) =>
    files.filter(({ action }) => action !== "same").map((file) => file.action);
  const findings = async () =>
    (await generate(options)).diagnostics.map(({ code }) => code);
  return {
    out,
    set,
    findings,
    checked: async () => actions((await check(options)).files),
    generated: async () => actions((await generate(options)).files),
  };
}

test("a large file is compared like others: unchanged, with CRLF, edited", async () => {
  const { out, set, checked, generated } = project();
  expect(await checked()).toEqual(["create", "create"]);
  expect(await generated()).toEqual(["create", "create"]);
  const before = tree(out);
  // Other bytes with the same content are not found in the output cache.
  set(`${document("one")}\n`);
  expect(await checked()).toEqual([]);
  expect(await generated()).toEqual([]);
  expect(tree(out)).toEqual(before);
  const file = path.join(out, FILE);
  const text = readFileSync(file, "utf8");
  writeFileSync(file, text.replaceAll("\n", "\r\n"));
  set(`${document("one")}\n\n`);
  expect(await checked()).toEqual([]);
  expect(await generated()).toEqual([]);
  writeFileSync(file, text.replace("Resource number 1.", "Edited."));
  expect(await checked()).toEqual(["update"]);
  expect(await generated()).toEqual(["update"]);
  expect(readFileSync(file, "utf8") === text).toBe(true);
});

test("an unchanged large file needs no access to write", async () => {
  const { out, set, findings } = project();
  expect(await findings()).toEqual([]);
  const old = tree(out);
  const run = async (): Promise<string[]> => {
    let codes: string[] = [];
    const fault = () => systemError("EROFS", "read-only");
    await withFaults(fault, async () => {
      codes = await findings();
    });
    return codes;
  };
  set(`${document("one")}\n`);
  expect(await run()).toEqual([]);
  set(document("two"));
  expect(await run()).toEqual(["output-unwritable"]);
  expect(tree(out)).toEqual(old);
});

test("a run that fails or is killed while it prints leaves the old output", async () => {
  const { out, set, generated } = project();
  await generated();
  const old = tree(out);
  set(document("two"));
  const printing: number[] = [];
  let isPrinting = false;
  await withFaults(
    ({ index, name, args }) => {
      // The first write is that of the lock: if it fails, texts are in memory.
      isPrinting ||= name === "openSync" && /\bnew\b/.test(String(args[0]));
      if (isPrinting && name === "writeSync") printing.push(index);
      return name === "renameSync" ? systemError("EIO", "failed") : undefined;
    },
    () => generated(),
  );
  expect(tree(out)).toEqual(old);
  expect(printing.length).toBeGreaterThan(2);
  const failures: ((moment: number) => (call: Call) => boolean)[] = [
    (moment) => (call) => call.index === moment,
    (moment) => (call) => call.index >= moment,
  ];
  for (const isFailure of failures)
    for (const moment of printing) {
      const fails = isFailure(moment);
      const { length } = await withFaultsOf(fails, generated);
      expect(length).toBe(0);
      die(out);
      expect(unstaged(out)).toEqual(old);
    }
  expect(await generated()).toEqual(["update", "update"]);
  expect([...tree(out).keys()]).toEqual([...old.keys()]);
});

/** Runs the generator with failures. Returns the changes that it reports. */
async function withFaultsOf(
  isFailure: (call: Call) => boolean,
  run: () => Promise<string[]>,
): Promise<string[]> {
  let actions: string[] = [];
  await withFaults(
    (call) => (isFailure(call) ? systemError("ENOSPC", "full") : undefined),
    async () => {
      actions = await run();
    },
  );
  return actions;
}

/** Returns the entries of the output without the staging folder. */
function unstaged(out: string): ReturnType<typeof tree> {
  const entries = [...tree(out)];
  return new Map(entries.filter(([name]) => !name.startsWith(STAGING)));
}
