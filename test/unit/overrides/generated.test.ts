import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { parse } from "yaml";
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

test("references of the table exist", () => {
  const { table, byPath } = propertyIndex();
  for (const row of table.rows) {
    if (row.kind !== undefined) expect(table.kinds).toHaveProperty(row.kind);
    if (row.code !== undefined) expect(ruleCatalogue).toHaveProperty(row.code);
    if (row.replacedBy !== undefined)
      expect(byPath.has(row.replacedBy), row.path).toBe(true);
    for (const pattern of [row.pattern, row.advice?.pattern])
      if (pattern !== undefined)
        expect(() => new RegExp(pattern)).not.toThrow();
  }
  for (const { any = [], none = [], with: others = [] } of table.detection)
    for (const name of [...any, ...none, ...others])
      expect(byPath.has(name), name).toBe(true);
  for (const rule of table.rules) {
    expect(ruleCatalogue).toHaveProperty(rule.code);
    for (const name of pathsOf(rule)) expect(byPath.has(name), name).toBe(true);
  }
});

/** Returns all paths in rules of any kind. */
function pathsOf(rule: object): string[] {
  const own = rule as Record<string, unknown>;
  const at =
    typeof own["at"] === "string" && own["at"] !== "" ? `${own["at"]}.` : "";
  const texts = (value: unknown): string[] =>
    Array.isArray(value)
      ? value.flatMap(texts)
      : typeof value === "string"
        ? [value]
        : [];
  const relative = [
    ...texts(own["groups"]),
    ...("at" in own ? texts(own["keys"]) : []),
    ...texts(own["low"]),
    ...texts(own["high"]),
    ...Object.keys((own["when"] as object | undefined) ?? {}),
  ].map((key) => at + key);
  const absolute = [
    ...("at" in own ? [] : texts(own["keys"])),
    ...texts(own["unless"]),
    ...texts(own["flat"]),
    ...texts(own["other"]),
    ...texts(own["same"]),
    ...("list" in own
      ? [`${String(own["list"])}.${String(own["key"])}`]
      : texts(own["key"])),
  ];
  return [...relative, ...absolute];
}

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
