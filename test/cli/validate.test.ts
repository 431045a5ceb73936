import { expect, test } from "vitest";
import { description } from "../support/generate.js";
import { temporaryFolder } from "../support/paths.js";
import { gen, write } from "./support.js";

const DEMO = description({
  title: "Demo",
  description: "An example.",
  methods: { get: { id: "demo.get", path: "x", httpMethod: "GET" } },
});

interface Sarif {
  readonly version: string;
  readonly runs: readonly [
    { readonly results: readonly { readonly ruleId: string }[] },
  ];
}

test("gen validate prints findings with fixes, and exits by --fail-on", () => {
  const cwd = temporaryFolder();
  write(cwd, { "demo.json": DEMO });
  const { status, stdout, stderr } = gen(["validate", "demo.json"], { cwd });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toBe(
    "demo.json:10:5: warning method-undescribed: demo.get has no description (at /methods/get)\n\n" +
      "Fixes:\n  method-undescribed: Describe the effect of the method in one sentence.\n\n" +
      "1 document: 0 errors, 1 warning, 0 infos\n",
  );
  const strict = ["validate", "demo.json", "--fail-on", "warning"];
  expect(gen(strict, { cwd }).status).toBe(3);
  const off = [...strict, "--rule", "method-undescribed=off"];
  expect(gen(off, { cwd }).status).toBe(0);
});

test("gen validate --format json continues after an invalid document", () => {
  const cwd = temporaryFolder();
  write(cwd, { "specs/a.json": "{", "specs/demo.json": DEMO });
  const args = ["validate", "specs", "--format", "json"];
  const { status, stdout } = gen(args, { cwd });
  expect(status).toBe(3);
  expect(JSON.parse(stdout)).toMatchObject({
    documents: 2,
    errors: 1,
    warnings: 1,
    infos: 0,
    diagnostics: [
      { code: "json-syntax", file: "specs/a.json", line: 1 },
      { code: "method-undescribed", file: "specs/demo.json", line: 10 },
    ],
  });
});

test("a wrong level or limit is a usage error, a missing file too", () => {
  const cwd = temporaryFolder();
  for (const [args, text] of [
    [["--rule", "method-undescrbed=off"], "did you mean method-undescribed?"],
    [["--limit", "0"], "--limit must be an integer from 1 to 999999"],
  ] as const) {
    const { status, stderr } = gen(["validate", "x.json", ...args], { cwd });
    expect(status).toBe(2);
    expect(stderr).toContain(text);
  }
  expect(gen(["validate", "x.json"], { cwd }).status).toBe(2);
});

test("gen and gen validate write SARIF", () => {
  const cwd = temporaryFolder();
  const document = { ...DEMO, schemas: { A: { $ref: "Gone" } } };
  write(cwd, { "demo.json": document });
  const parse = (text: string): Sarif => JSON.parse(text) as Sarif;
  const args = ["--spec", "demo.json", "--out", "out", "--format", "sarif"];
  const { status, stdout } = gen(args, { cwd });
  expect(status).toBe(0);
  const log = parse(stdout);
  expect(log.version).toBe("2.1.0");
  expect(log.runs[0].results).toMatchObject([{ ruleId: "ref-missing" }]);
  const validated = ["validate", "demo.json", "--format", "sarif"];
  const [{ results }] = parse(gen(validated, { cwd }).stdout).runs;
  expect(results.map(({ ruleId }) => ruleId)).toContain("method-undescribed");
});

test("gen validate without documents checks those of the config, with its rules", () => {
  const cwd = temporaryFolder();
  write(cwd, {
    "own/demo.json": DEMO,
    "gen.config.json": {
      out: "out",
      apis: { demo: { source: "own/demo.json" } },
      validate: { rules: { "method-undescribed": "error" } },
    },
  });
  const all = gen(["validate"], { cwd });
  expect(all.stdout).toContain(
    "own/demo.json:10:5: error method-undescribed: demo.get",
  );
  expect(all.status).toBe(3);
  const off = ["validate", "--rule", "method-undescribed=off"];
  expect(gen(off, { cwd }).status).toBe(0);
  expect(gen(["validate", "own"], { cwd }).status).toBe(0);
  const both = ["validate", "own", "--config", "gen.config.json"];
  expect(gen(both, { cwd }).status).toBe(3);
});

test("gen validate without documents and config is an error", () => {
  const { status, stdout } = gen(["validate"], { cwd: temporaryFolder() });
  expect(status).toBe(2);
  expect(stdout).toContain("config-missing");
});
