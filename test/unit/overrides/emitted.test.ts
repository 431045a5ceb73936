import { readFileSync } from "node:fs";
import path from "node:path";
import { transformSync } from "esbuild";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { ruleCatalogue } from "../../../src/overrides/rules/catalogue.js";
import type { Gcp } from "../../../generated/overrides/v1.3/schemas.js";
import {
  runtimeOverridesSchema,
  validateGcp,
} from "../../../generated/overrides/v1.3/validators.js";
import { check, VALID_13, withBlocks } from "../../support/overrides.js";
import { ROOT } from "../../support/paths.js";

/** The generated validator, compiled and imported without any other file. */
const { code } = transformSync(
  readFileSync(path.join(ROOT, "generated/overrides/v1.3/rules.ts"), "utf8"),
  { loader: "ts", format: "esm" },
);
const { validateRuntimeOverrides } = (await import(
  `data:text/javascript,${encodeURIComponent(code)}`
)) as typeof import("../../../generated/overrides/v1.3/rules.js");

const rules = Object.entries(ruleCatalogue).filter(
  ([name, { bad }]) => bad !== undefined && /^[TX]|S09/.test(name),
);

describe("the generated validator alone has the findings of the command", () => {
  test.each(rules)("%s", (name, { bad = "", good = "" }) => {
    for (const snippet of [bad, good]) {
      const text = withBlocks(VALID_13, snippet);
      for (const mode of ["prod", "demo"] as const) {
        const { findings } = validateRuntimeOverrides(parse(text), { mode });
        const expected = check(text, { mode }).diagnostics.map(
          ({ code, severity, path: at }) => `${code} ${severity} ${at}`,
        );
        const actual = findings.map(
          ({ code, severity, path: at }) => `${code} ${severity} ${at}`,
        );
        expect(actual.sort(), name).toEqual(expected.sort());
      }
    }
  });
});

test("findings have a code, a JSON pointer, a message and a severity", () => {
  const value = parse(VALID_13) as { envs: unknown[] };
  value.envs.push(value.envs[0]);
  const result = validateRuntimeOverrides(value, { mode: "demo" });
  expect(result.valid).toBe(false);
  expect(result.findings).toMatchObject([
    {
      code: "X05",
      severity: "error",
      pointer: "/envs/1/name",
      message: 'duplicate environment "test", first at /envs/0/name',
    },
  ]);
});

test("hostile values are rejected without an exception", () => {
  const cyclic: Record<string, unknown> = {};
  cyclic["org"] = cyclic;
  const throwing = {
    get org(): string {
      throw new Error("no");
    },
  };
  for (const value of [null, 5, "x", [], cyclic, throwing])
    expect(validateRuntimeOverrides(value).valid).toBe(false);
  expect(() => validateRuntimeOverrides({}, { mode: "other" })).toThrow(
    "mode must be one of prod, demo",
  );
});

test("only properties that the validator accepts as missing are optional", () => {
  const text = VALID_13.replace(/, region: [\w-]+|^ +region: .*\n/m, "");
  expect(text).not.toBe(VALID_13);
  const { gcp } = parse(text) as { readonly gcp: Gcp };
  expect(gcp).not.toHaveProperty("region");
  const result = validateRuntimeOverrides(parse(text), { mode: "demo" });
  expect(result.valid).toBe(true);
  expect(result.findings).toMatchObject([
    { code: "T04", severity: "warning", pointer: "/gcp/region" },
  ]);
  expect(validateGcp(gcp, { mode: "response" }).valid).toBe(true);
  const { region } = { projectID: "project-one" } satisfies Gcp as Gcp;
  expect(region).toBeUndefined();
  expect(validateGcp({}, { mode: "response" }).valid).toBe(false);
  expect(check(text, { mode: "demo" }).diagnostics).toMatchObject([
    { code: "T04", severity: "warning" },
  ]);
});

test("validators.ts uses the same validator", () => {
  const validate = (value: unknown) =>
    runtimeOverridesSchema["~standard"].validate(value);
  expect(validate(parse(VALID_13))).toHaveProperty("value");
  const text = withBlocks(VALID_13, "runtime:\n  resources:\n    cpu: 1");
  expect(validate(parse(text)).issues).toMatchObject([
    { path: ["runtime", "resources", "cpu"] },
  ]);
});

test("a seed host that is not an address is an error at an installation in production", () => {
  const text = withBlocks(
    VALID_13,
    "cassandra:\n  replicaCount: 3\n  externalSeedHost: node-one",
  );
  const severities = (["prod", "demo"] as const).map((mode) =>
    check(text, { mode, phase: "install" })
      .diagnostics.filter(({ code }) => code === "X10")
      .map(({ severity }) => severity),
  );
  expect(severities).toEqual([["error"], ["warning"]]);
});
