import { spawn } from "node:child_process";
import { lstatSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { commands } from "../../src/cli/commands/index.js";
import { tree, write } from "../cli/support.js";
import { description } from "../support/generate.js";
import { ROOT, temporaryFolder } from "../support/paths.js";

/** Limits of one run for inputs of 100 KB to 300 KB. */
const LIMITS = {
  /**
   * CPU time, since machines are shared; includes the start of Node.js. It is half
   * as much again as the longest run takes on a quiet machine.
   */
  milliseconds: 3_000,
  /** Largest resident set. */
  megabytes: 512,
  /** Bytes of files and streams for each byte of the input. */
  factor: 50,
};

type Limits = typeof LIMITS;

/** Runs with other limits: the start of `input command`, and the reason. */
const EXCEPTIONS: readonly (readonly [string, Partial<Limits>, string])[] = [];

function members(
  count: number,
  entry: (index: number) => readonly [string, unknown],
): Record<string, unknown> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => entry(index)),
  );
}

const METHOD = { httpMethod: "GET" };
const TEXT = { type: "string" };

/**
 * Parts of documents, by the part that is large. The argument is in all names, so
 * that two documents have no name in common.
 */
const DOCUMENTS: Readonly<Record<string, (x: string) => object>> = {
  resources: (x) => ({
    resources: members(1_000, (at) => [
      `${x}${at}`,
      {
        methods: {
          get: { ...METHOD, id: `demo.${x}${at}.get`, path: `${x}${at}` },
        },
      },
    ]),
  }),
  methods: (x) => ({
    methods: members(1_500, (at) => [
      `${x}${at}`,
      { ...METHOD, id: `demo.${x}${at}`, path: `${x}${at}` },
    ]),
  }),
  schemas: (x) => ({
    schemas: members(1_500, (at) => [
      `${x}${at}`,
      { id: `${x}${at}`, type: "object", properties: { [x]: TEXT } },
    ]),
  }),
  properties: (x) => ({
    schemas: {
      [x]: {
        id: x,
        type: "object",
        properties: members(4_000, (at) => [`${x}${at}`, TEXT]),
      },
    },
  }),
  "references to a large schema": (x) => ({
    schemas: {
      [x]: {
        id: x,
        type: "object",
        properties: members(1_500, (at) => [`${x}${at}`, TEXT]),
      },
    },
    methods: members(500, (at) => [
      `${x}${at}`,
      {
        httpMethod: "POST",
        id: `demo.${x}${at}`,
        path: `${x}${at}`,
        request: { $ref: x },
        response: { $ref: x },
      },
    ]),
  }),
  "chains of references": (x) => ({
    schemas: members(2_000, (at) => [
      `${x}${at}`,
      {
        id: `${x}${at}`,
        type: "object",
        properties: { next: { $ref: `${x}${at + 1}` } },
      },
    ]),
  }),
  "long names": (x) => ({
    schemas: members(20, (at) => [
      `${x}${at}${"n".repeat(3_000)}`,
      { type: "object", properties: { [`${x}${"p".repeat(3_000)}`]: TEXT } },
    ]),
  }),
  descriptions: (x) => ({
    description: `${x} `.repeat(10_000),
    schemas: members(20, (at) => [
      `${x}${at}`,
      { type: "object", description: `${x} word. `.repeat(500) },
    ]),
  }),
  "nested objects": (x) => {
    let schema: object = TEXT;
    for (let level = 0; level < 150; level++)
      schema = { type: "object", properties: { [x]: schema } };
    return { schemas: members(20, (at) => [`${x}${at}`, schema]) };
  },
  enums: (x) => ({
    schemas: {
      [x]: {
        type: "object",
        properties: {
          kind: {
            type: "string",
            enum: Array.from({ length: 8_000 }, (_, at) => `${x}_${at}`),
          },
        },
      },
    },
  }),
  parameters: (x) => ({
    parameters: members(500, (at) => [
      `${x}common${at}`,
      { ...TEXT, location: "query" },
    ]),
    methods: members(50, (index) => [
      `${x}${index}`,
      {
        ...METHOD,
        id: `demo.${x}${index}`,
        path: `${x}${index}`,
        parameters: members(40, (at) => [
          `${x}${at}`,
          { ...TEXT, location: "query" },
        ]),
      },
    ]),
  }),
  scopes: (x) => ({
    auth: {
      oauth2: {
        scopes: members(100, (at) => [
          `https://${x}.example.com/${at}`,
          { description: `${x} scope. `.repeat(10) },
        ]),
      },
    },
    methods: members(50, (index) => [
      `${x}${index}`,
      {
        ...METHOD,
        id: `demo.${x}${index}`,
        path: `${x}${index}`,
        scopes: Array.from(
          { length: 50 },
          (_, at) => `https://${x}.example.com/${at}`,
        ),
      },
    ]),
  }),
};

const OVERRIDES: Readonly<Record<string, string>> = {
  "unknown keys": `${Array.from({ length: 8_000 }, (_, at) => `key${at}: text`).join("\n")}\n`,
  environments: `org: demo\nenvs:\n${Array.from({ length: 2_000 }, (_, at) => `  - name: e${at}\n    hostAlias: h${at}.example.com\n`).join("")}`,
};

const GENERATE = ["--spec", "a.json", "--out", "out", "--target"];

/** Runs of each command that reads a document. */
const DOCUMENT_RUNS: Readonly<Record<string, readonly string[]>> = {
  "generate client,server": [...GENERATE, "client,server"],
  "generate validator,conformance": [...GENERATE, "validator,conformance"],
  "generate openapi,json-schema": [...GENERATE, "openapi,json-schema"],
  docs: ["docs", "--spec", "a.json", "--out", "out"],
  validate: ["validate", "a.json"],
  doctor: ["doctor", "--config", "gen.config.json"],
  complete: ["complete", "--", "gen", "--include", ""],
  add: ["add", "a.json"],
  "migrate googleapis": ["migrate", "googleapis", "*.ts"],
  scaffold: [
    "scaffold",
    "--spec",
    "a.json",
    "--out",
    "service.ts",
    "--server",
    "demo-server",
  ],
  "patch new": ["patch", "new", "a.json", "b.json"],
  "patch check": ["patch", "check", "a.json", "patch.yaml"],
  "patch prune": ["patch", "prune", "a.json", "patch.yaml"],
  diff: ["diff", "a.json", "b.json"],
  "diff html": ["diff", "a.json", "b.json", "--format", "html"],
  changelog: ["changelog", "a.json", "b.json"],
  deprecations: ["deprecations", "--specs", "."],
  scopes: ["scopes", "--specs", "."],
};

const OVERRIDES_RUNS: Readonly<Record<string, readonly string[]>> = {
  "overrides validate": ["overrides", "validate", "overrides.yaml"],
  "overrides rewrite": ["overrides", "rewrite", "overrides.yaml"],
  "upgrade plan": ["upgrade", "plan", "overrides.yaml"],
};

/** Commands without a run here, and the reason. */
const OTHERS: Readonly<Record<string, string>> = {
  init: "reads no document",
  completion: "reads no document",
  fetch: "needs a server; test/attack/remote.test.ts",
  outdated: "needs a server; test/attack/remote.test.ts",
  remove: "reads the config, and generates as the first run",
  update: "needs a server; test/attack/remote.test.ts",
  "upgrade run": "runs other programs; test/attack/overrides-state.test.ts",
  "upgrade status": "reads own states; test/attack/overrides-state.test.ts",
  "upgrade tool": "reads arguments only",
  serve: "runs until a signal; test/attack/services.test.ts",
  marketplace: "needs a server; test/attack/services.test.ts",
  chat: "reads no document; test/services/admin.test.ts",
  migration: "reads no document; test/services/admin.test.ts",
  "store move": "reads no document; test/services/store-move.test.ts",
};

interface Usage {
  readonly milliseconds: number;
  readonly megabytes: number;
  /** Bytes of new files and of both streams. */
  readonly output: number;
  readonly status: number | null;
}

/** Runs the command line in a process of its own. */
async function run(args: readonly string[], cwd: string): Promise<Usage> {
  const before = sizeOf(cwd);
  const file = path.join(temporaryFolder(), "usage.json");
  const preload = path.join(ROOT, "test/attack/support/usage.mjs");
  const child = spawn(
    process.execPath,
    ["--import", preload, path.join(ROOT, "bin/gen.js"), ...args],
    {
      cwd,
      env: { PATH: process.env["PATH"], HOME: cwd, USAGE_FILE: file },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  let streams = 0;
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (streams += chunk.length));
  const status = await new Promise<number | null>((resolve) =>
    child.once("close", resolve),
  );
  const usage = JSON.parse(readFileSync(file, "utf8")) as Usage;
  return { ...usage, output: sizeOf(cwd) - before + streams, status };
}

function sizeOf(folder: string): number {
  return [...tree(folder)]
    .filter(([, { kind }]) => kind !== "folder")
    .reduce((sum, [name]) => sum + lstatSync(path.join(folder, name)).size, 0);
}

/** Measures runs one after another, and returns those beyond their limits. */
async function measure(
  input: string,
  files: Readonly<Record<string, string | object>>,
  runs: Readonly<Record<string, readonly string[]>>,
): Promise<string[]> {
  const bytes = Object.values(files)
    .map((content) =>
      typeof content === "string" ? content : JSON.stringify(content),
    )
    .reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const beyond: string[] = [];
  for (const [command, args] of Object.entries(runs)) {
    const cwd = temporaryFolder();
    write(cwd, files);
    const { milliseconds, megabytes, output, status } = await run(args, cwd);
    const name = `${input}: ${command}`;
    const limits = { ...LIMITS, ...exceptionOf(name) };
    const factor = output / bytes;
    const text = `${name}: ${Math.round(milliseconds)} ms, ${Math.round(megabytes)} MB, ${factor.toFixed(1)} × ${bytes} bytes, exit code ${status}`;
    if (process.env["ATTACK_VERBOSE"] !== undefined) console.log(text);
    const isWithin =
      milliseconds <= limits.milliseconds &&
      megabytes <= limits.megabytes &&
      factor <= limits.factor &&
      status !== null &&
      status !== 5;
    if (!isWithin) beyond.push(text);
  }
  return beyond;
}

function exceptionOf(name: string): Partial<Limits> | undefined {
  return EXCEPTIONS.find(([start]) => name.startsWith(start))?.[1];
}

test("each command has a run or a reason", () => {
  const runs = [...Object.keys(DOCUMENT_RUNS), ...Object.keys(OVERRIDES_RUNS)];
  const missing = commands
    .map(({ name }) => name)
    .filter(
      (name) =>
        !runs.some((command) => command.startsWith(name)) &&
        !Object.keys(OTHERS).some((other) => name.startsWith(other)),
    );
  expect(missing).toEqual([]);
});

test.each(Object.entries(DOCUMENTS))(
  "commands stay within time, memory and output for a document with large %s",
  { timeout: 600_000 },
  async (input, parts) => {
    const document = (x: string): Record<string, unknown> =>
      description(parts(x) as Record<string, unknown>);
    const files = {
      "a.json": document("a"),
      "b.json": document("b"),
      "gen.config.json": { out: "out", apis: { demo: { source: "a.json" } } },
      "patch.yaml":
        "api: demo:v1\noperations:\n  - add: schemas.New\n    value: {}\n",
    };
    expect(await measure(input, files, DOCUMENT_RUNS)).toEqual([]);
  },
);

test.each(Object.entries(OVERRIDES))(
  "commands stay within time, memory and output for an overrides file with many %s",
  { timeout: 600_000 },
  async (input, text) => {
    const files = { "overrides.yaml": text };
    expect(await measure(input, files, OVERRIDES_RUNS)).toEqual([]);
  },
);
