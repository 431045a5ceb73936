import { readFileSync } from "node:fs";
import path from "node:path";
import { Ajv } from "ajv";
import { format } from "prettier";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { patchSchema } from "../../../src/patch/patch-schema.js";
import { ROOT } from "../../support/paths.js";
import { parsed } from "../../support/patches.js";

const file = readFileSync(
  path.join(ROOT, "generated/schemas/patch.schema.json"),
  "utf8",
);
const isRight = new Ajv({ allErrors: true }).compile(
  JSON.parse(file) as object,
);

test("generated/schemas/patch.schema.json is up to date", async () => {
  const text = JSON.stringify(patchSchema());
  expect(file).toBe(await format(text, { parser: "json" }));
});

const one = (operation: string): string =>
  `api: demo:v1\noperations:\n  - ${operation.replaceAll("\n", "\n    ")}\n`;

describe("parser and JSON Schema accept", () => {
  test.each([
    one("add: schemas.A\nvalue: { type: object }\nreason: why"),
    one("add: schemas.A#default\nvalue: null"),
    one("replace: /a\nvalue: 1\nexpect: { a: [1] }"),
    one("remove: schemas.A\nexpectDigest: 0123456789ab"),
    one("rename: schemas.A\nto: B"),
    one("describe: document\nvalue: >-\n  long\n  text"),
    one("require: schemas.A.b\nmethods: [a.b]"),
    one("readOnly: schemas.A.b\nvalue: false"),
    one("deprecate: methods.a.b"),
    one("paging: methods.a.b\nvalue: { token: t, next: n, items: i }"),
    one("paging: methods.a.b\nvalue: { page: t, size: n, link: i }"),
    one("paging: methods.a.b\nvalue: false"),
    one("operation: methods.a.b\nvalue: { response: A }"),
    one("scopes: a.*\nvalue: { b: c }"),
    `$schema: x\nrevision: "1"\ndigest: ab\n${one("remove: schemas.A")}`,
  ])("%s", (text) => {
    expect(parsed(text).findings).toEqual([]);
    expect(isRight(parse(text)), JSON.stringify(isRight.errors)).toBe(true);
    const json = JSON.stringify(parse(text));
    expect(parsed(json, "p.json").findings).toEqual([]);
    const { patch } = parsed(text);
    const fromJson = parsed(json, "p.json").patch!;
    const values = (list: NonNullable<typeof patch>["operations"]) =>
      list.map((operation) => ({ ...operation, line: 0, column: 0 }));
    expect(values(fromJson.operations)).toEqual(values(patch!.operations));
  });
});

describe("parser and JSON Schema reject", () => {
  test.each([
    [
      one("remove: schemas.A\nexpct: 1"),
      '4:5 unknown key "expct" (did you mean expect?)',
    ],
    [
      one("rmove: schemas.A"),
      "3:5 an operation must have exactly one of the keys add, replace, remove, rename, describe, require, readOnly, deprecate, paging, operation, scopes (did you mean remove?)",
    ],
    [
      one("remove: schemas.A\nadd: schemas.B"),
      "3:5 an operation must have exactly one of the keys",
    ],
    [one("add: schemas.A"), "3:5 the key value is missing"],
    [one("remove: schemas.A\nreason: 5"), "4:5 reason must be text, found 5"],
    [one("remove: 5"), "3:5 remove must be an address, found 5"],
    [
      one("require: schemas.A.b\nvalue: yes please"),
      "4:5 value must be true or false",
    ],
    [
      one("require: schemas.A.b\nmethods: []"),
      "4:5 methods must be a list of names",
    ],
    [
      one("paging: methods.a\nvalue: { page: a }"),
      "4:5 value must be false or an object",
    ],
    [
      one("paging: methods.a\nvalue: true"),
      "4:5 value must be false or an object",
    ],
    [
      one("operation: methods.a\nvalue: { respons: A }"),
      "4:5 value must be an object with the key response",
    ],
    [
      one("scopes: a.*\nvalue: { a: 1 }"),
      "4:5 value must be an object with at least one member, whose values are strings",
    ],
    [one("just text"), "3:5 an operation must be an object"],
    [
      "api: demo:v1\noperations: {}\n",
      "2:1 operations must be a list of operations",
    ],
    ["operations:\n  - remove: schemas.A\n", "1:1 the key api is missing"],
    [
      "api: demo:v1\napis: 1\noperations:\n  - remove: /a\n",
      '2:1 unknown key "apis" (did you mean api?)',
    ],
    [
      "api: demo:v1\n__proto__: 1\noperations:\n  - remove: /a\n",
      '2:1 unknown key "__proto__"',
    ],
    ["[]", "1:1 a patch file must be an object with the key api"],
    ["", "1:1 a patch file must be an object with the key api"],
  ])("%s", (text, message) => {
    const { patch, findings } = parsed(text);
    expect(patch).toBeUndefined();
    expect(findings[0]).toContain(`patch-invalid ${message}`);
    expect(isRight(parse(text))).toBe(false);
  });
});

describe("the parser also rejects", () => {
  test.each([
    [
      one("remove: schema.A"),
      'patch-invalid 3:5 remove "schema.A" must be a JSON pointer or begin with schemas, methods',
    ],
    [one("remove: schemas"), "must have a name after schemas"],
    [one("remove: document.a"), "must have no names between document and #"],
    [
      one("remove: schemas.A..b"),
      "must have a name, with or without quotes, at character 11",
    ],
    [one("remove: 'schemas.\"A'"), "at character 9"],
    [one("remove: schemas.A b"), "at character 10"],
    [one("scopes: a.{b\nvalue: { a: b }"), "must have balanced braces"],
    [
      one("rename: schemas.A\nto: ''"),
      "4:5 the value of the key `to` must not be empty",
    ],
    [
      "api: demo\noperations:\n  - remove: /a\n",
      "1:1 api must be NAME:VERSION",
    ],
    ["api: [", "patch-syntax 1:7"],
    ["api: a\napi: b\n", "patch-syntax 2:1 Map keys must be unique"],
    [
      one("add: schemas.A\nvalue: &x { a: 1 }\nreason: *x"),
      "patch-syntax 5:13 aliases are not supported",
    ],
    [
      one("add: schemas.A\nvalue: !!binary aGk="),
      "patch-syntax 4:21 the value must be a JSON value",
    ],
    [
      one("add: schemas.A\nvalue: .nan"),
      "patch-syntax 4:12 the value must be a JSON value",
    ],
    [
      one("add: schemas.A\nvalue: 12345678901234567890"),
      "patch-syntax 4:12 an integer must be at most 2^53 - 1",
    ],
    [
      one("add: schemas.A\nvalue: { ? [a] : b }"),
      "patch-syntax 4:12 a key must be a string",
    ],
    [
      `${"[".repeat(150)}${"]".repeat(150)}`,
      "is nested deeper than 100 levels",
    ],
    [`${"[".repeat(50_000)}`, "patch-syntax"],
  ])("%s", (text, message) => {
    const { patch, findings } = parsed(text);
    expect(patch).toBeUndefined();
    expect(findings[0]).toContain(message);
  });

  test.each([
    ['{"api": "demo:v1",}', "patch-syntax 1:19"],
    [
      '{"api": "demo:v1", "api": "demo:v2"}',
      "patch-syntax 1:20 the key /api occurs twice",
    ],
    [
      `${"[".repeat(150)}${"]".repeat(150)}`,
      "is nested deeper than 100 levels",
    ],
    [
      '{\n"api": "demo:v1",\n"operations": [\n{"remove": "/a",\n "expct": 1}]}',
      '5:2 unknown key "expct"',
    ],
  ])("JSON: %s", (text, message) => {
    expect(parsed(text, "p.json").findings[0]).toContain(message);
  });
});

test("a large file takes linear time", () => {
  const operation = "  - describe: schemas.A.b\n    value: text\n";
  const text = `api: demo:v1\noperations:\n${operation.repeat(5_000)}`;
  const start = process.cpuUsage().user;
  const { patch } = parsed(text);
  expect(patch!.operations.at(-1)).toMatchObject({ line: 10_001, column: 5 });
  expect((process.cpuUsage().user - start) / 1000).toBeLessThan(10_000);
});
