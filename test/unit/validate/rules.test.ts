import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { catalogue } from "../../../src/diagnostics/catalogue.js";
import { positionAt } from "../../../src/diagnostics/locate.js";
import {
  resolvePointer,
  type Diagnostic,
} from "../../../src/diagnostics/types.js";
import {
  validateSources,
  type ValidationSettings,
} from "../../../src/generate/validate-sources.js";
import { rules } from "../../../src/validate/rules/index.js";
import { temporaryFolder } from "../../support/paths.js";
import { ruleCases } from "./cases.js";

async function validate(
  document: object,
  settings: ValidationSettings = {},
): Promise<readonly Diagnostic[]> {
  const cwd = temporaryFolder();
  writeFileSync(path.join(cwd, "demo.json"), JSON.stringify(document));
  const result = await validateSources(["demo.json"], { cwd, ...settings });
  expect(result.documents).toBe(1);
  return result.diagnostics;
}

test("every rule has a case, texts of sentences, and an id of its own", () => {
  const tested = new Set(ruleCases.map(({ rule }) => rule));
  expect([...tested].sort()).toEqual(rules.map(({ id }) => id).sort());
  for (const { id, cause, fix } of rules) {
    expect(id).toMatch(/^[a-z]+(-[a-z]+)+$/);
    expect(Object.keys(catalogue)).not.toContain(id);
    for (const text of [cause, fix]) expect(text).toMatch(/^\S.*\.$/);
  }
});

describe.each(ruleCases)("$rule", ({ rule, bad, good, pointer, message }) => {
  test("is reported with its position", async () => {
    const findings = await validate(bad);
    const [found, ...others] = findings.filter(({ code }) => code === rule);
    expect(found).toMatchObject({ pointer, file: "demo.json" });
    expect(found?.message).toContain(message);
    expect(others).toEqual([]);
    const { severity, cause, fix } = rules.find(({ id }) => id === rule)!;
    expect(found).toMatchObject({ severity, cause, fix });
    expect({ line: found?.line, column: found?.column }).toEqual(
      positionIn(bad, pointer),
    );
  });

  test("accepts a correct document", async () => {
    const findings = await validate(good);
    expect(findings.filter(({ code }) => code === rule)).toEqual([]);
  });
});

/** Returns the position of a key in the JSON text of a document. */
function positionIn(document: object, pointer: string): object {
  const copy = JSON.parse(JSON.stringify(document)) as object;
  if (pointer === "") return { line: 1, column: 1 };
  const cut = pointer.lastIndexOf("/");
  const owner = resolvePointer(copy, pointer.slice(0, cut));
  const key = pointer.slice(cut + 1);
  if (!Object.hasOwn(owner as object, key))
    return positionIn(document, pointer.slice(0, cut));
  (owner as Record<string, unknown>)[key] = "\u0001";
  const marked = JSON.stringify(copy);
  const value = marked.indexOf('"\\u0001"');
  const isMember = !Array.isArray(owner);
  const start = value - (isMember ? JSON.stringify(key).length + 1 : 0);
  return positionAt(JSON.stringify(document), start);
}

test("diagnostics of the generator are in the same list, once", async () => {
  const { bad } = ruleCases.find(({ rule }) => rule === "request-unexpected")!;
  const document = {
    ...bad,
    pakagePath: "x",
    schemas: {
      Foo: {
        id: "Foo",
        properties: { a: { $ref: "Gone" }, "foo-bar": { pattern: "(" } },
      },
    },
  };
  const findings = await validate(document);
  const codes = findings.map(({ code }) => code);
  for (const code of ["ref-missing", "limit-invalid", "shape-unknown-key"])
    expect(codes.filter((found) => found === code)).toHaveLength(1);
  expect(
    findings.find(({ code }) => code === "shape-unknown-key")?.message,
  ).toBe('unknown key "pakagePath" (did you mean packagePath?)');
  const keys = findings.map((found) => JSON.stringify(found));
  expect(new Set(keys).size).toBe(keys.length);
});

test("routes that conflict and names that collide are reported", async () => {
  const get = (id: string, path: string): object => ({
    id,
    path,
    httpMethod: "GET",
  });
  const findings = await validate({
    kind: "discovery#restDescription",
    name: "demo",
    version: "v1",
    rootUrl: "https://demo.example.com/",
    methods: { a: get("demo.a", "x/{one}"), b: get("demo.b", "x/{two}") },
    schemas: {
      "A.b": { id: "A.b", type: "object" },
      AB: { id: "AB", type: "object" },
    },
  });
  const codes = findings.map(({ code }) => code);
  expect(codes).toContain("route-conflict");
  expect(codes).toContain("name-changed");
});

test("levels change severities and disable rules", async () => {
  const { bad } = ruleCases.find(({ rule }) => rule === "method-undescribed")!;
  const off = await validate(bad, { levels: { "method-undescribed": "off" } });
  expect(off.map(({ code }) => code)).not.toContain("method-undescribed");
  const error = await validate(bad, {
    levels: { "method-undescribed": "error" },
  });
  expect(
    error.find(({ code }) => code === "method-undescribed")?.severity,
  ).toBe("error");
});

test("findings of a code are limited and the rest is counted", async () => {
  const properties = Object.fromEntries(
    Array.from({ length: 30 }, (_, index) => [
      `p${index}`,
      { type: "integer", format: "int64" },
    ]),
  );
  const document = {
    ...ruleCases[1]!.good,
    schemas: { Foo: { id: "Foo", type: "object", properties } },
  };
  const findings = await validate(document, { limit: 3 });
  const found = findings.filter(({ code }) => code === "integer-inexact");
  expect(found).toHaveLength(4);
  expect(found.at(-1)).toMatchObject({
    message: "27 more findings of integer-inexact are not shown",
  });
  expect(found.at(-1)?.line).toBeUndefined();
});

test.each([
  ["v1/{+name}", "v1/things/{thingsId}/parts/{partsId}", true],
  ["v1/{+name}", "v1/{thingsId}", true],
  ["v1/{+name}/parts", "v1/things/{thingsId}/parts", true],
  ["v1/{+name}/parts", "v1/things/{thingsId}/part", false],
  ["v1/{name}/parts", "v1/a/{nameId}/parts", false],
  ["v1/{+a}/x/{+b}", "v1/a/{aId}/x/b/{bId}", true],
  ["v1/things", "/v1/things", true],
  ["v1/things", "v1/other", false],
])("path %s and flatPath %s", async (from, flatPath, isExpansion) => {
  const method = { id: "demo.get", path: from, flatPath, httpMethod: "GET" };
  const findings = await validate({
    ...ruleCases[0]!.good,
    methods: { get: method },
  });
  const codes = findings.map(({ code }) => code);
  expect(codes.includes("path-flat-mismatch")).toBe(!isExpansion);
});

test("hostile documents take linear time", async () => {
  const many = Array.from({ length: 20_000 }, (_, index) => `p${index}`);
  const method = {
    id: "demo.get",
    path: "{+a}{+b}".repeat(450),
    flatPath: `${"x".repeat(20_000)}/!`,
    httpMethod: "GET",
    parameterOrder: many,
    [`x-${"a".repeat(1_000_000)}`]: 1,
    ["b".repeat(1_000_000)]: 1,
    ...Object.fromEntries(many.map((name) => [`x-${name}`, 1])),
  };
  const started = process.cpuUsage();
  await validate({ ...ruleCases[0]!.good, methods: { get: method } });
  const { user, system } = process.cpuUsage(started);
  expect((user + system) / 1_000_000).toBeLessThan(10);
});
