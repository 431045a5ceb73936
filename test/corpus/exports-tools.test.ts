import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { node } from "../compile/process.js";
import { ROOT, SHARED, corpusNames } from "../support/paths.js";
import type { RawDocument } from "./inventory/document.js";
import {
  CORPUS,
  describeCorpus,
  generate,
  readDocument,
  suiteFolder,
} from "./support.js";

const TOOLS = path.join(ROOT, "test/openapi");
const HAS_TOOLS = existsSync(path.join(TOOLS, "node_modules"));

/** Documents whose calls are compiled with the types of openapi-typescript. */
const TYPED = [
  "bigquery.v2",
  "drive.v3",
  "pubsub.v1",
  "storage.v1",
  "tasks.v1",
  "youtube.v3",
];

const TYPED_CONFIG = JSON.stringify({
  compilerOptions: {
    target: "ES2022",
    module: "NodeNext",
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    types: [],
  },
  include: ["**/*.ts"],
});

/** Output of lint.mjs. */
interface Lint {
  readonly documents: number;
  readonly operations: number;
  readonly errors: readonly string[];
  readonly warnings: Readonly<Record<string, number>>;
}

/** Finding of Spectral. */
interface Finding {
  readonly code: string;
  readonly source: string;
  /** 0: error; 1: warning. */
  readonly severity: number;
}

/** Output of compare.mjs with --json. */
interface Comparison {
  readonly total: Readonly<Record<string, number>>;
  readonly skips: Readonly<Record<string, number>>;
  readonly differences: readonly unknown[];
  readonly failures: readonly unknown[];
}

/** Tools that others wrote read the exports, and call what the documents describe. */
describeCorpus("tools that read OpenAPI", () => {
  const folder = suiteFolder();
  const exports = path.join(folder, "exports");
  const apis = corpusNames().map((name) => {
    const document = readDocument(name) as RawDocument;
    return `${document.name}/${document.version}`;
  });

  test("are installed in CI", () => {
    if (!HAS_TOOLS)
      console.info("skipped: run `npm ci --prefix test/openapi` first");
    expect(HAS_TOOLS || process.env["CI"] === undefined).toBe(true);
  });

  describe.skipIf(!HAS_TOOLS)("with test/openapi", () => {
    beforeAll(() => generate(exports, [CORPUS], "openapi"), 120_000);

    test("Redocly and the schema of OpenAPI 3.1 report no error", async () => {
      const result = path.join(folder, "lint.json");
      await run("lint.mjs", exports, result, ...apis);
      const found = JSON.parse(readFileSync(result, "utf8")) as Lint;
      const { documents, operations, errors, warnings } = found;
      console.info(
        `${documents} documents, ${operations} operations: ${JSON.stringify(warnings)}`,
      );
      expect(errors).toEqual([]);
      expect(operations).toBeGreaterThan(5_000);
    });

    test("Spectral reports no error", async () => {
      const result = path.join(folder, "spectral.json");
      const ran = await node([
        path.join(TOOLS, "node_modules/.bin/spectral"),
        "lint",
        "--quiet",
        "--format=json",
        `--output=${result}`,
        `--ruleset=${path.join(TOOLS, "spectral.yaml")}`,
        path.join(exports, "*/*/openapi.json"),
      ]);
      expect(ran.code, ran.output).toBe(0);
      const found = JSON.parse(readFileSync(result, "utf8")) as Finding[];
      expect(found.filter(({ severity }) => severity === 0)).toEqual([]);
      const counts = new Map<string, number>();
      for (const { code } of found)
        counts.set(code, (counts.get(code) ?? 0) + 1);
      console.info(`warnings: ${JSON.stringify(Object.fromEntries(counts))}`);
      // Descriptions have no contact, so each document has a warning.
      expect(new Set(found.map(({ source }) => source)).size).toBe(apis.length);
    });

    test("openapi-fetch sends what official clients send", async () => {
      expectEqual(await compare("openapi-fetch-driver.mjs"));
    });

    test("openapi-typescript accepts recorded calls", async () => {
      const out = path.join(TOOLS, ".tmp");
      onTestFinished(() => rmSync(out, { recursive: true, force: true }));
      const pairs = TYPED.map((name) => {
        const document = readDocument(name) as RawDocument;
        return `${name}:${document.name}/${document.version}`;
      });
      const records = path.join(SHARED, "oracle/python");
      await run("typed-calls.mjs", exports, records, out, ...pairs);
      writeFileSync(path.join(out, "tsconfig.json"), TYPED_CONFIG);
      const tsc = path.join(ROOT, "node_modules/typescript/bin/tsc");
      const { output } = await node([tsc, "-p", out]);
      const errors = output.split("\n").filter((line) => line !== "");
      // Official clients accept numbers for int64, which JSON has as strings.
      const isNumber = /Type 'number' is not assignable to type 'string'\.$/;
      expect(errors.filter((line) => !isNumber.test(line))).toEqual([]);
      console.info(`${errors.length} values of int64 are numbers`);
    });

    test("clients that Hey API generates send what official clients send", async () => {
      const clients = path.join(folder, "hey-api");
      await run("hey-api.mjs", exports, clients, ...apis);
      expectEqual(await compare("hey-api-driver.mjs", "--clients", clients));
    });

    test("clients that orval generates for uploads compile", async () => {
      const out = path.join(folder, "orval");
      const uploading = corpusNames()
        .map((name) => JSON.stringify(readDocument(name)))
        .filter((text) => text.includes('"mediaUpload"'))
        .map((text) => JSON.parse(text) as RawDocument)
        .map(({ name, version }) => `${name}/${version}`);
      expect(uploading.length).toBeGreaterThan(10);
      await run("orval.mjs", exports, out, ...uploading);
      writeFileSync(path.join(out, "tsconfig.json"), TYPED_CONFIG);
      const tsc = path.join(ROOT, "node_modules/typescript/bin/tsc");
      const { code, output } = await node([tsc, "-p", out]);
      expect(output.split("\n").slice(0, 10).join("\n")).toBe("");
      expect(code).toBe(0);
    });
  });

  async function run(script: string, ...args: string[]): Promise<void> {
    const ran = await node([path.join(TOOLS, script), ...args]);
    expect(ran.code, ran.output).toBe(0);
  }

  async function compare(
    driver: string,
    ...options: string[]
  ): Promise<Comparison> {
    const json = path.join(folder, `${driver}.json`);
    const oracle = path.join(SHARED, "oracle");
    const choices = "--client either --skip call-hostile --show 0 --json";
    const ran = await node([
      path.join(oracle, "compare.mjs"),
      "--driver",
      path.join(TOOLS, driver),
      "--docs",
      CORPUS,
      ...choices.split(" "),
      json,
      path.join(oracle, "python"),
      "--",
      "--exports",
      exports,
      ...options,
    ]);
    expect(ran.code, ran.output).toBe(0);
    return JSON.parse(readFileSync(json, "utf8")) as Comparison;
  }
});

/** Every record must be sent, and equal. */
function expectEqual({
  total,
  skips,
  differences,
  failures,
}: Comparison): void {
  console.info(JSON.stringify({ ...total, skips }));
  expect(failures.slice(0, 3)).toEqual([]);
  expect(differences.slice(0, 3)).toEqual([]);
  expect(skips).toEqual({});
  expect(total["compared"]).toBeGreaterThan(15_000);
  expect(total["exact"]! + total["equivalent"]!).toBe(total["compared"]);
}
