import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { Sink } from "../../../src/diagnostics/sink.js";
import {
  parseLock,
  printLock,
  readLock,
  updateLock,
  type LockEntry,
} from "../../../src/remote/lock-file.js";
import { temporaryFolder } from "../../support/paths.js";

const entry = (digit: string, revision?: string): LockEntry => ({
  url: "https://shop.example/doc",
  digest: digit.repeat(64),
  ...(revision === undefined ? {} : { revision }),
});

const TEXT = `{
  "lockVersion": 1,
  "apis": {
    "a:v1": {
      "url": "https://shop.example/doc",
      "revision": "20240101",
      "digest": "sha256-${"1".repeat(64)}"
    },
    "b:v1": {
      "url": "https://shop.example/doc",
      "digest": "sha256-${"2".repeat(64)}"
    }
  }
}
`;

test("the file is sorted, with a block for each API", () => {
  const lock = new Map([
    ["b:v1", entry("2")],
    ["a:v1", entry("1", "20240101")],
  ]);
  expect(printLock(lock)).toBe(TEXT);
  expect(printLock(parseLock(TEXT))).toBe(TEXT);
});

test("independent additions change different lines", () => {
  const base = printLock(new Map([["m:v1", entry("1")]]));
  const before = printLock(
    new Map([
      ["a:v1", entry("2")],
      ["m:v1", entry("1")],
    ]),
  );
  expect(before.endsWith(base.slice(base.indexOf('    "m:v1"')))).toBe(true);
});

describe("an invalid file is reported with its position", () => {
  const changed = (from: string, to: string): string => {
    expect(TEXT).toContain(from);
    return TEXT.replace(from, to);
  };
  test.each([
    [
      "conflict",
      `{\n<<<<<<< ours\n  "apis": {}\n=======\n>>>>>>> theirs\n}`,
      "2:1",
      "merge conflict",
    ],
    [
      "half a conflict",
      TEXT.replace("{\n", "{\n=======\n"),
      "2:1",
      "merge conflict",
    ],
    ["truncated", TEXT.slice(0, 100), "6:", "the lock file is not JSON"],
    [
      "comma",
      changed('"\n    },\n    "b', '",\n    },\n    "b'),
      "8:5",
      "trailing comma",
    ],
    ["array", "[]", "1:1", "must contain an object"],
    [
      "version",
      changed('"lockVersion": 1', '"lockVersion": 2'),
      "2:3",
      "lockVersion must be 1",
    ],
    [
      "apis",
      '{"lockVersion": 1, "apis": []}',
      "1:20",
      "apis must be an object",
    ],
    ["duplicate", changed('"b:v1"', '"a:v1"'), "9:5", "the same key twice"],
    ["prototype", changed('"b:v1"', '"__proto__"'), "9:5", "name:version"],
    ["path", changed('"b:v1"', '"../b:v1"'), "9:5", "name:version"],
    ["dots", changed('"b:v1"', '"b..b:v1"'), "9:5", "name:version"],
    [
      "entry",
      changed('"b:v1": {', '"c:v1": 5,\n "b:v1": {'),
      "9:5",
      "c:v1 must be an object",
    ],
    [
      "url",
      changed("https://shop.example/doc", "doc"),
      "5:7",
      "url of a:v1 must be a URL",
    ],
    [
      "revision",
      changed("20240101", "2024\\u001b[31m"),
      "6:7",
      "revision of a:v1",
    ],
    ["digest", changed("sha256-1", "md5-1"), "7:7", "digest of a:v1"],
  ])("%s", (_, text, position, message) => {
    const file = path.join(temporaryFolder(), "gen.lock.json");
    writeFileSync(file, text);
    const sink = new Sink();
    expect(readLock(file, "gen.lock.json", sink)).toBeUndefined();
    const [found] = sink.diagnostics;
    expect(found).toMatchObject({
      code: "lock-invalid",
      file: "gen.lock.json",
    });
    expect(`${found?.line}:${found?.column}`).toContain(position);
    expect(found?.message).toMatch(new RegExp(message));
  });
});

test("updates change their own entries only", async () => {
  const cwd = temporaryFolder();
  const file = path.join(cwd, "gen.lock.json");
  await updateLock(file, cwd, new Map([["b:v1", entry("2")]]));
  await updateLock(file, cwd, new Map([["a:v1", entry("1", "20240101")]]));
  expect(readFileSync(file, "utf8")).toBe(TEXT);
  await updateLock(file, cwd, new Map([["b:v1", undefined]]));
  const lock = readLock(file, "x", new Sink());
  expect([...(lock ?? [])].map(([label]) => label)).toEqual(["a:v1"]);
});

test("concurrent updates lose nothing", async () => {
  const cwd = temporaryFolder();
  const file = path.join(cwd, "gen.lock.json");
  const labels = Array.from({ length: 20 }, (_, index) => `a${index}:v1`);
  await Promise.all(
    labels.map((label) =>
      updateLock(file, cwd, new Map([[label, entry("1")]])),
    ),
  );
  const lock = readLock(file, "x", new Sink());
  expect([...lock!.keys()].sort()).toEqual([...labels].sort());
});

test("a link is neither read nor replaced", async () => {
  const cwd = temporaryFolder();
  const file = path.join(cwd, "gen.lock.json");
  const target = path.join(temporaryFolder(), "target.json");
  writeFileSync(target, TEXT);
  symlinkSync(target, file);
  const sink = new Sink();
  expect(readLock(file, "gen.lock.json", sink)).toBeUndefined();
  expect(sink.diagnostics[0]?.message).toMatch(/regular file/);
  const update = updateLock(file, cwd, new Map([["c:v1", entry("3")]]));
  await expect(update).rejects.toThrow(/regular file/);
  expect(readFileSync(target, "utf8")).toBe(TEXT);
});
