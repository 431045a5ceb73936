import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { detection } from "#built/overrides.js";
import { ruleCatalogue } from "../../../src/overrides/rules/catalogue.js";
import { propertyIndex } from "../../../src/overrides/schema/property-index.js";
import { check, VALID_13, withBlocks } from "../../support/overrides.js";
import { ROOT } from "../../support/paths.js";

test("generated/overrides/ and the rules' page are up to date", () => {
  const run = () =>
    execFileSync(process.execPath, ["scripts/overrides.mjs", "--check"], {
      cwd: ROOT,
      stdio: "pipe",
    });
  expect(run).not.toThrow();
});

const description = JSON.parse(
  readFileSync(path.join(ROOT, "specs/overrides.v1.3.json"), "utf8"),
) as {
  readonly "x-rules": readonly unknown[];
  readonly "x-file": {
    readonly kinds: Readonly<Record<string, { readonly pattern?: string }>>;
  };
};

test("references of the rules exist", () => {
  const { rules, byPath } = propertyIndex();
  for (const { row } of byPath.values()) {
    if (row.kind !== undefined) expect(rules.kinds).toHaveProperty(row.kind);
    if (row.code !== undefined) expect(ruleCatalogue).toHaveProperty(row.code);
    if (row.replacedBy !== undefined)
      expect(byPath.has(row.replacedBy), row.path).toBe(true);
  }
  for (const { any = [], none = [], with: others = [] } of detection)
    for (const name of [...any, ...none, ...others])
      expect(byPath.has(name), name).toBe(true);
});

test("codes of the description are documented with the same severity", () => {
  for (const [code, { severity }] of Object.entries(
    propertyIndex().rules.codes,
  ))
    expect(ruleCatalogue[code]?.severity, code).toBe(severity);
});

test("the generator omits no rule and no pattern of the description", () => {
  const { rules, kinds } = propertyIndex().rules;
  expect(rules).toHaveLength(description["x-rules"].length);
  for (const [name, kind] of Object.entries(description["x-file"].kinds))
    expect(kinds[name]?.pattern, name).toBe(kind.pattern);
});

const schema = JSON.parse(
  readFileSync(
    path.join(ROOT, "generated/overrides/overrides.schema.json"),
    "utf8",
  ),
) as object;
const isRight = new Ajv({ strict: false, allErrors: true }).compile(schema);

test("the JSON Schema accepts and rejects the same properties as the validator", () => {
  expect(isRight(parse(VALID_13))).toBe(true);
  for (const [snippet, isValid] of [
    ["runtime:\n  replicaCountMin: 2", true],
    ["runtime:\n  replicaCountMin: 0", false],
    ["runtim: {}", false],
    ["runtime:\n  resources:\n    cpu: 1", false],
    ["k8sCluster:\n  name: one", false],
    ["runtime:\n  image:\n    pullPolicy: Never", false],
    ["virtualhosts: []", false],
    ["cassandra:\n  storage:\n    capacity: 10GB", false],
    ["cassandra:\n  storage:\n    capacity: 10", true],
    ['cassandra:\n  hostNetwork: "true"', false],
  ] as const) {
    const text = withBlocks(VALID_13, snippet);
    expect(isRight(parse(text)), snippet).toBe(isValid);
    expect(check(text).isValid, snippet).toBe(isValid);
  }
});
