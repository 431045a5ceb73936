import path from "node:path";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { describe, expect, test } from "vitest";
import { userKey } from "../../src/platform/user-key.js";
import { statusReport } from "../../src/overrides/report/status.js";
import {
  fingerprintOf,
  planUpgrade,
  planDifference,
} from "../../src/overrides/upgrade/plan.js";
import { runUpgrade } from "../../src/overrides/upgrade/run.js";
import {
  parseState,
  readState,
  StateError,
  writeState,
  type UpgradeState,
} from "../../src/overrides/upgrade/state-file.js";
import { temporaryFolder } from "../support/paths.js";
import { SCRIPT_OPTIONS } from "../support/shell-plan.js";
import { forEachSeed, RUNS, type Choices } from "./support/seeds.js";

const KEY = Buffer.alloc(32, 7);
const PLAN = planUpgrade(SCRIPT_OPTIONS);
const AT = "2026-01-31T12:00:00.000Z";

const STATE: UpgradeState = {
  version: 1,
  fingerprint: fingerprintOf(PLAN),
  steps: {
    P0: { status: "done", actions: 1, startedAt: AT, endedAt: AT },
    P1: { status: "skipped", actions: 0, startedAt: AT, endedAt: AT },
    P3: {
      status: "failed",
      actions: 0,
      isOpen: true,
      startedAt: AT,
      reason: "exit code 1",
    },
    P4: {
      status: "running",
      actions: 0,
      child: { pid: 2 ** 22, started: "1" },
      startedAt: AT,
    },
  },
  old: ["deployment.apps/apigee-mart-old"],
  pins: { "kubectl context": "one" },
};

/** Returns the text of a state, sealed with a key. */
function sealedText(state: unknown, key = KEY): string {
  const file = path.join(temporaryFolder(), "s.json");
  writeState(file, state as UpgradeState, key);
  return JSON.stringify(read(file));
}

function read(file: string, key = KEY): UpgradeState | undefined {
  return readState(file, { key, isAdopted: false });
}

const VALUES: readonly unknown[] = [
  null,
  true,
  -1,
  0,
  1.5,
  1e300,
  "",
  "done",
  "$(touch MARKER)",
  [],
  {},
  { pid: -1, started: "" },
  { pid: 1, started: "", more: 1 },
  [[[[]]]],
  "\u001b[2J",
];

/** Replaces, adds or removes one random member. */
function mutate(value: unknown, random: Choices): unknown {
  if (typeof value !== "object" || value === null || random.chance(0.2))
    return random.pick(VALUES);
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<
    string,
    unknown
  >;
  const keys = Object.keys(copy);
  const key = random.chance(0.15)
    ? random.pick(["__proto__", "constructor", "P1", "X9", "steps", "0"])
    : random.pick(keys.length === 0 ? ["a"] : keys);
  if (random.chance(0.2)) delete copy[key];
  else
    Object.defineProperty(copy, key, {
      value: mutate(copy[key], random),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  return copy;
}

function mutateText(text: string, random: Choices): string {
  const at = random.int(text.length);
  const piece = random.pick(["", "\u0000", "}", '"', "[", "9", "\ud800"]);
  return text.slice(0, at) + piece + text.slice(at + random.int(40));
}

function attempt(text: string, isAdopted: boolean): UpgradeState | undefined {
  try {
    return parseState(text, "s.json", { key: KEY, isAdopted });
  } catch (error) {
    expect(error).toBeInstanceOf(StateError);
    expect((error as Error).message).toMatch(
      /^s\.json (is damaged: .|was edited, or was written by a different user)/,
    );
    // eslint-disable-next-line no-control-regex
    expect((error as Error).message).not.toMatch(/[\u0000-\u001f]/);
    return undefined;
  }
}

describe("damaged and forged state files", () => {
  const original = `${JSON.stringify(STATE)}`;

  test("a changed state is rejected without adoption", () =>
    forEachSeed((random) => {
      const text = random.chance(0.5)
        ? JSON.stringify(mutate(STATE, random))
        : mutateText(original, random);
      expect(attempt(text, false)).toBeUndefined();
    }));

  test("an adopted state is valid, or the error names its invalid part", () =>
    forEachSeed((random) => {
      const text = random.chance(0.8)
        ? JSON.stringify(mutate(STATE, random))
        : mutateText(original, random);
      const state = attempt(text, true);
      if (state === undefined) return;
      const own = fingerprintOf(PLAN);
      const difference = planDifference(state, PLAN, own);
      expect(difference).not.toBe("");
      if (difference !== undefined) return;
      for (const form of ["text", "json"] as const)
        expect(statusReport(PLAN, state, { form, isRunning: false })).toContain(
          "next",
        );
    }));

  test("a run does not begin with a changed state", () =>
    forEachSeed(
      async (random) => {
        const folder = temporaryFolder();
        const stateFile = path.join(folder, "s.json");
        writeFileSync(stateFile, JSON.stringify(mutate(STATE, random)));
        const said: string[] = [];
        const run = runUpgrade(PLAN, {
          cwd: folder,
          stateFile,
          access: { key: KEY, isAdopted: false },
          api: "https://apigee.googleapis.com",
          doneSteps: [],
          deadline: 100,
          interval: 10,
          confirm: () => true,
          print: (line) => said.push(line),
          hide: () => {},
        });
        await expect(run).rejects.toBeInstanceOf(StateError);
        expect(said).toEqual([]);
      },
      Math.ceil(RUNS / 10),
    ));

  test.each([
    ["{", "it must be JSON"],
    ["null", "the file must be an object"],
    ["{}", "version is missing"],
    ['{"version":1,"fingerprint":"","steps":null}', "steps must be an object"],
    ['{"version":2,"fingerprint":"","steps":{}}', "version must be 1"],
    [
      '{"version":1,"fingerprint":"","steps":{"P1":null}}',
      "steps.P1 must be an object",
    ],
    [
      '{"version":1,"fingerprint":"","steps":{"P1":{"status":"ok","actions":0,"startedAt":"2026-01-31T12:00:00.000Z"}}}',
      "steps.P1.status must be running, done, failed or skipped",
    ],
    [
      '{"version":1,"fingerprint":"","steps":{"P1":{"status":"done","actions":-1,"startedAt":""}}}',
      "steps.P1.actions must be a non-negative integer",
    ],
    [
      `{"version":1,"fingerprint":"","steps":{"P1":{"status":"running","actions":0,"startedAt":"${AT}","child":{"pid":-1,"started":""}}}}`,
      "steps.P1.child must have the members `pid` and `started",
    ],
  ])("%s: %s", (text, message) => {
    expect(() =>
      parseState(text, "s.json", { key: KEY, isAdopted: true }),
    ).toThrow(`s.json is damaged: ${message}`);
  });

  test("a foreign state with backups marked as done is rejected", () => {
    const done = { status: "done", actions: 1, startedAt: AT, endedAt: AT };
    const forged = { ...STATE, steps: { P1: done, P2: done } };
    for (const text of [
      JSON.stringify(forged),
      JSON.stringify({ ...forged, seal: "" }),
      JSON.stringify({ ...forged, seal: JSON.parse(sealedText(STATE)).seal }),
    ])
      expect(() =>
        parseState(text, "s.json", { key: KEY, isAdopted: false }),
      ).toThrow(
        "s.json was edited, or was written by a different user or on a different machine",
      );
  });

  test("a sealed state can be read with its own key only", () => {
    const file = path.join(temporaryFolder(), "s.json");
    writeState(file, STATE, KEY);
    expect(read(file)).toEqual(STATE);
    expect(() => read(file, Buffer.alloc(32, 8))).toThrow(
      "was edited, or was written by a different user",
    );
  });

  test("a state of another plan is rejected with the differences", () => {
    const other = planUpgrade({
      ...SCRIPT_OPTIONS,
      from: "1.2.3",
      mode: "demo",
    });
    const text = planDifference(STATE, other, fingerprintOf(other));
    expect(text).toContain(
      "--from was 1.2.0 and is now 1.2.3; --mode was prod and is now demo; the steps was",
    );
  });
});

describe("the key of a user", () => {
  test("is created once, outside the working directory", () => {
    const env = { XDG_CACHE_HOME: temporaryFolder(), HOME: temporaryFolder() };
    const key = userKey(env);
    expect(key).toHaveLength(32);
    expect(userKey(env)).toEqual(key);
    expect(
      existsSync(path.join(env.XDG_CACHE_HOME, "discovery-codegen/key")),
    ).toBe(true);
    expect(userKey({ ...env, XDG_CACHE_HOME: "relative" })).not.toEqual(key);
  });

  test.each([
    ["readable for others", 0o644, "a".repeat(64)],
    ["short", 0o600, "abc"],
    ["long", 0o600, "a".repeat(65)],
  ])("%s is refused", (_, mode, text) => {
    const env = { XDG_CACHE_HOME: temporaryFolder() };
    const folder = path.join(env.XDG_CACHE_HOME, "discovery-codegen");
    mkdirSync(folder);
    writeFileSync(path.join(folder, "key"), text);
    chmodSync(path.join(folder, "key"), mode);
    expect(() => userKey(env)).toThrow("hexadecimal digits");
  });

  test("a link is refused", () => {
    const env = { XDG_CACHE_HOME: temporaryFolder() };
    const folder = path.join(env.XDG_CACHE_HOME, "discovery-codegen");
    mkdirSync(folder);
    const target = path.join(env.XDG_CACHE_HOME, "known");
    writeFileSync(target, "a".repeat(64), { mode: 0o600 });
    symlinkSync(target, path.join(folder, "key"));
    expect(() => userKey(env)).toThrow("must be a readable file");
  });
});
