import {
  lstatSync,
  mkdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { exitCodeOf } from "../../src/cli/exit-code.js";
import { check, generate } from "../../src/index.js";
import { hash } from "../../src/platform/hash.js";
import { LOCK } from "../../src/write/output-session.js";
import { apiOf, write } from "../cli/support.js";
import { temporaryFolder } from "../support/paths.js";
import { cloned, pipe, type Cloned } from "./support/output-folder.js";
import { forEachSeed, RUNS, type Choices } from "./support/seeds.js";

const MANIFEST = ".gen-manifest.json";

/** Names that a run reads, writes or removes, and others. */
const NAMES = [
  MANIFEST,
  `${MANIFEST}.4711.0123abcd.tmp`,
  LOCK,
  `${LOCK}/0123456789abcdef`,
  `${LOCK}/fedcba9876543210`,
  "demo/v1/index.ts.4711.0123abcd.tmp",
  "demo",
  "demo/v1",
  "demo/v1/index.ts",
  "demo/v1/client.ts",
  "demo/v1/resources",
  "demo/v1/resources/things.ts",
  "demo/v1/resources/mine.ts",
  "demo/v1/mine/deep/mine.ts",
  "Demo/V1/index.ts",
  "gone/v1/index.ts",
  "runtime/client/method.ts",
  "mine.ts",
];

/** Paths for hostile manifests. */
const PATHS = [
  ...NAMES,
  "../../user/profile.sh",
  "../user/home/keys/id",
  "/etc/passwd",
  "demo/../../../user/home",
  "__proto__/constructor",
  "__proto__",
  "",
  ".",
  "..",
  "a\u0000b",
  "C:\\x",
  "\\\\server\\share",
  "x/".repeat(2000),
  "y".repeat(300),
  "toString/valueOf",
];

/** Values of wrong types. */
const ODD: readonly unknown[] = [
  null,
  true,
  -1,
  1e308,
  "",
  "text",
  [],
  [[]],
  {},
  { length: 1 },
];

function targetOf(choices: Choices, { outside, out, cwd }: Cloned): string {
  return choices.pick([
    path.join(outside, "home"),
    path.join(outside, "home/.bashrc"),
    path.join(outside, "home/keys"),
    path.join(outside, "home/demo"),
    path.join(outside, "absent"),
    path.join(out, "demo"),
    "../../user/home",
    "../specs",
    ".",
    "..",
    "/",
    "/dev/zero",
    "/dev/stdin",
    path.join(cwd, "specs/demo.json"),
  ]);
}

function filesOf(choices: Choices): unknown {
  if (choices.chance(0.1)) return choices.pick(ODD);
  const entries = Array.from({ length: choices.int(6) }, () => [
    choices.chance(0.5)
      ? choices.pick(["index.ts", "mine.ts"])
      : choices.pick(PATHS),
    choices.chance(0.2)
      ? choices.pick(ODD)
      : hash(choices.pick(["", "x", "y"])),
  ]);
  return Object.fromEntries(entries) as unknown;
}

function groupOf(choices: Choices): unknown {
  if (choices.chance(0.05)) return choices.pick(ODD);
  return {
    ...(choices.chance(0.5)
      ? { spec: choices.pick(["../specs", ...PATHS]) }
      : {}),
    ...(choices.chance(0.5)
      ? { document: choices.pick(["../specs/gone.json", ...PATHS]) }
      : {}),
    ...(choices.chance(0.2) ? { inputs: choices.pick(ODD) } : {}),
    files: filesOf(choices),
  };
}

function manifestOf(choices: Choices): string {
  const folders = ["demo/v1", "gone/v1", "runtime/client", ...PATHS];
  const groups = Array.from(
    { length: choices.int(5) },
    () =>
      `${JSON.stringify(choices.pick(folders))}:${JSON.stringify(groupOf(choices))}`,
  );
  const format = choices.chance(0.8) ? 1 + choices.int(2) : choices.pick(ODD);
  const text = `{"format":${JSON.stringify(format)},"groups":{${groups.join()}}}`;
  return damaged(choices, text);
}

/** Changes a text in a few cases. */
function damaged(choices: Choices, text: string): string {
  if (choices.chance(0.8)) return text;
  const at = choices.int(text.length + 1);
  return choices.pick([
    text.slice(0, at),
    text.slice(0, at) +
      choices.pick(["\u0000", "{", '"', "\uffff", "9"]) +
      text.slice(at),
    "[".repeat(10_000),
    `\ufeff${text}`,
    text.replaceAll(",", ",\r\n"),
  ]);
}

/** Returns the file of a lock, which names its holder. */
function holderText(choices: Choices): string {
  const holder = {
    pid: choices.pick([1, process.pid, 2 ** 22 + 1, -1, "x"]),
    host: choices.pick([hostname(), "elsewhere", 5]),
    started: choices.pick(["", "1", null]),
  };
  return damaged(choices, JSON.stringify(holder));
}

/** Creates one entry in the output folder, if its path is free. */
function plant(choices: Choices, here: Cloned): void {
  const name = choices.pick(NAMES);
  const file = path.join(here.out, name);
  // Does not follow links that were created before.
  let current = here.out;
  for (const part of name.split("/")) {
    current = path.join(current, part);
    const stats = lstatSync(current, { throwIfNoEntry: false });
    if (stats?.isDirectory() === false || current === file)
      rmSync(current, { recursive: true, force: true });
  }
  mkdirSync(path.dirname(file), { recursive: true });
  const kind = choices.next();
  if (kind < 0.35) symlinkSync(targetOf(choices, here), file);
  else if (kind < 0.38) pipe(file);
  else if (kind < 0.45) mkdirSync(file);
  else if (kind < 0.5) {
    writeFileSync(file, "");
    truncateSync(file, 2 ** 36);
  } else if (name === MANIFEST) writeFileSync(file, manifestOf(choices));
  else if (name.startsWith(`${LOCK}/`))
    writeFileSync(file, holderText(choices));
  else writeFileSync(file, choices.pick(["", "x", "y", "// mine\n"]));
}

test(`${RUNS} hostile output folders affect no file outside`, async () => {
  const root = temporaryFolder();
  let refused = 0;
  await forEachSeed(async (choices, seed) => {
    const folder = path.join(root, String(seed));
    const here = cloned(folder);
    const options = {
      spec: "specs",
      out: "out",
      cwd: here.cwd,
      runtime: "package",
    } as const;
    if (choices.chance(0.4)) await generate(options);
    if (choices.chance(0.3))
      write(here.cwd, { "specs/demo.json": apiOf("demo", "v1", "2") });
    const count = 1 + choices.int(6);
    for (let index = 0; index < count; index++) plant(choices, here);
    const force = choices.chance(0.2);
    const prune = choices.chance(0.2);
    const first = await generate({ ...options, force, prune });
    const codes = first.diagnostics.map(({ code }) => code);
    expect(here.damage(), codes.join()).toEqual([]);
    expect(codes).not.toContain("internal");
    expect([undefined, 2, 3]).toContain(exitCodeOf(first.diagnostics));
    if (choices.chance(0.5)) return rmSync(folder, { recursive: true });
    const again = await generate({ ...options, force, prune });
    const later = again.diagnostics.map(({ code }) => code);
    expect(here.damage()).toEqual([]);
    // check accepts exactly the output that gen leaves.
    const seen = await check(options);
    const isBad =
      later.includes("output-foreign") || later.includes("output-unwritable");
    if (isBad) refused++;
    // A lock that may belong to a run is respected: nothing was written.
    if (!later.includes("output-unwritable"))
      expect(seen.changed, later.join()).toBe(false);
    rmSync(folder, { recursive: true });
  });
  // Most folders must be accepted, or the test would prove nothing.
  expect(refused).toBeLessThan(RUNS * 0.8);
});
