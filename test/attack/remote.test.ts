import { expect, test } from "vitest";
import {
  isRevision,
  parseLock,
  printLock,
} from "../../src/remote/lock-file.js";
import { temporaryFolder } from "../support/paths.js";
import { runFaultPlan } from "../unit/remote/fault-plan.js";
import { forEachSeed, RUNS } from "./support/seeds.js";

/** Fault plans; each takes about 0.2 s, most of it until timeouts. */
const PLANS = RUNS > 300 ? 1_000 : 100;

test(`${PLANS} seeded fault plans poison neither cache nor lock`, async () => {
  await forEachSeed(
    (choices) => runFaultPlan(choices, temporaryFolder()),
    PLANS,
  );
});

const LOCK = printLock(
  new Map(
    ["a:v1", "b:v1"].map((label) => [
      label,
      { url: "https://a.example/b", revision: "1", digest: "0".repeat(64) },
    ]),
  ),
);

/** Parts of hostile lock files. */
const PARTS = [
  "{",
  "}",
  "[",
  "]",
  '"',
  ",",
  ":",
  "null",
  "1e999",
  "<<<<<<< a\n",
  "\n=======\n",
  '"__proto__": {}',
  '"apis"',
  "../",
  "\u0000",
  "\u001b[31m",
  "sha256-",
  "x".repeat(5_000),
  "[".repeat(5_000),
  "\ufeff",
  "\r\n",
  "file:///etc/passwd",
  "javascript:1",
];

test(`${RUNS} damaged lock files are valid or an error with a position`, async () => {
  await forEachSeed((choices) => {
    let text = LOCK;
    for (let edits = 1 + choices.int(4); edits > 0; edits--) {
      const at = choices.int(text.length);
      const part = choices.chance(0.3) ? "" : choices.pick(PARTS);
      text = text.slice(0, at) + part + text.slice(at + choices.int(30));
    }
    try {
      for (const [label, { url, revision, digest }] of parseLock(text)) {
        expect(label).toMatch(/^[A-Za-z0-9][\w.-]*(:[\w.-]+)?$/);
        expect(digest).toMatch(/^[0-9a-f]{64}$/);
        expect(URL.canParse(url)).toBe(true);
        expect(revision === undefined || isRevision(revision)).toBe(true);
      }
    } catch (error) {
      expect(error).toHaveProperty("line");
    }
  });
});
