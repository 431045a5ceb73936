import { readFileSync } from "node:fs";
import path from "node:path";
import { check } from "prettier";
import { beforeAll, expect, test } from "vitest";
import { runConformance, type Outcome } from "../conformance/support/run.js";
import { corpusNames } from "../support/paths.js";
import { describeCorpus, generate, SAMPLE, suiteFolder } from "./support.js";

/** Methods of all documents. */
const METHODS = 5515;

/** Methods with a body for GET, which `fetch` can't send; called without it. */
const BODILESS: readonly string[] = [
  "cloudmonitoring.metricDescriptors.list",
  "cloudmonitoring.timeseries.list",
  "cloudmonitoring.timeseriesDescriptors.list",
];

/** Every method of all documents, called with the client against the server. */
describeCorpus("conformance", () => {
  const folder = suiteFolder();
  let outcomes: readonly Outcome[] = [];

  beforeAll(async () => {
    const out = path.join(folder, "out");
    await generate(out, undefined, "conformance");
    outcomes = await runConformance(out, path.join(folder, "compiled"));
  }, 500_000);

  test("every method is checked, in memory and over node:http", () => {
    const names = corpusNames();
    expect(outcomes).toHaveLength(names.length);
    const checks = outcomes.reduce((sum, one) => sum + one.checks, 0);
    // Each document has one further check, for batches.
    expect(checks).toBe(2 * (METHODS + names.length));
  });

  test("requests arrive at handlers, and responses at callers", () => {
    expect(outcomes.flatMap(({ failed }) => failed)).toEqual([]);
    expect(outcomes.flatMap(({ found }) => found)).toEqual([]);
  });

  test("the output has Prettier's format", async () => {
    const wrong: string[] = [];
    for (const name of [...SAMPLE, "translate.v3"]) {
      const [api, ...version] = name.split(".");
      const file = path.join(
        folder,
        "out",
        `${api}/${version.join(".")}/conformance.ts`,
      );
      const text = readFileSync(file, "utf8");
      if (!(await check(text, { parser: "typescript" }))) wrong.push(name);
    }
    expect(wrong).toEqual([]);
  });

  test("only bodies that no client can send are omitted", () => {
    const left = outcomes.flatMap(({ bodiless }) => bodiless);
    expect(left.sort()).toEqual(BODILESS);
  });
});
