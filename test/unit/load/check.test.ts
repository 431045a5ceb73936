import { describe, expect, test } from "vitest";
import { load } from "../../../src/index.js";
import { description } from "../../support/generate.js";

/** Returns the messages about a document by pointer. */
function messages(document: unknown): string[] {
  const { diagnostics } = load(JSON.stringify(document));
  return diagnostics
    .filter(({ severity }) => severity === "error")
    .map(({ message }) => message);
}

const property = (schema: unknown): unknown =>
  description({
    schemas: { Foo: { id: "Foo", type: "object", properties: { a: schema } } },
  });
const A = "/schemas/Foo/properties/a";

describe("messages name the expected type and the value", () => {
  test.each<[unknown, string]>([
    [property({ type: 5 }), `${A}/type must be a string, found 5`],
    [
      property({ description: { en: "x" } }),
      `${A}/description must be a string, found an object`,
    ],
    [property(null), `${A} must be an object, found null`],
    [property([]), `${A} must be an object, found an array`],
    [property({ items: "x" }), `${A}/items must be an object, found "x"`],
    [property({ items: [5] }), `${A}/items/0 must be an object, found 5`],
    [
      property({ additionalProperties: "x" }),
      `${A}/additionalProperties must be an object or a boolean, found "x"`,
    ],
    [
      property({ default: {} }),
      `${A}/default must be a string or a number or a boolean or null, found an object`,
    ],
    [
      property({ enum: [null] }),
      `${A}/enum/0 must be a string or a number or a boolean, found null`,
    ],
    [
      property({ required: 5 }),
      `${A}/required must be a boolean or an array, found 5`,
    ],
    [property({ $ref: true }), `${A}/$ref must be a string, found true`],
    [
      property({ format: "x".repeat(100) + "\n", type: [] }),
      `${A}/type must be a string, found an array`,
    ],
    [
      property({ readOnly: "y".repeat(100) }),
      `${A}/readOnly must be a boolean, found "${"y".repeat(56)}…`,
    ],
    [
      description({ schemas: [] }),
      "/schemas must be an object, found an array",
    ],
    [
      description({ resources: null }),
      "/resources must be an object, found null",
    ],
    [
      description({ methods: { get: 5 } }),
      "/methods/get must be an object, found 5",
    ],
    [
      description({ methods: { "a/b~c": 5 } }),
      "/methods/a~1b~0c must be an object, found 5",
    ],
    [
      description({ methods: { get: { parameterOrder: "a" } } }),
      '/methods/get/parameterOrder must be an array, found "a"',
    ],
    [description({ name: "" }), "/name must not be empty"],
    [description({ version: undefined }), "the document has no version"],
    [
      description({ auth: { oauth2: { scopes: { x: "y" } } } }),
      '/auth/oauth2/scopes/x must be an object, found "y"',
    ],
  ])("%j", (document, message) => {
    expect(messages(document)).toEqual([message]);
  });
});

test("each location is reported once, and at most twenty are", () => {
  const schemas = Object.fromEntries(
    Array.from({ length: 50 }, (_, index) => [`S${index}`, { type: index }]),
  );
  const found = messages(description({ schemas }));
  expect(found).toHaveLength(21);
  expect(new Set(found).size).toBe(21);
  expect(found.at(-1)).toBe("and 30 more of the kind");
});

describe("duplicate keys", () => {
  const found = (text: string) =>
    load(text)
      .diagnostics.filter(({ code }) => code === "json-duplicate-key")
      .map(({ pointer, line, column }) => [pointer, line, column]);
  const head = '"kind":"discovery#restDescription","name":"a","version":"v1"';

  test("are reported at the position of the later one", () => {
    const methods = '"methods": {\n"get": {"path":"a"},\n"get": {"path":"b"}}';
    expect(found(`{${head},\n${methods}}`)).toEqual([["/methods/get", 4, 1]]);
    const escaped = `{${head},"a/b":1,"a\\/b":2}`;
    const column = escaped.indexOf('"a\\') + 1;
    expect(found(escaped)).toEqual([["/a~1b", 1, column]]);
    expect(found(`{${head},"x" : 1,"x"\t: 2}`)).toHaveLength(1);
    expect(found(`{${head},"__proto__":1,"__proto__":2}`)).toHaveLength(1);
    expect(found(`{${head},"x\\\\":1,"x\\\\":2}`)).toHaveLength(1);
  });

  test("are not reported for documents without duplicates", () => {
    expect(found(`{${head},"description":"\\"x\\":1, \\"x\\":2"}`)).toEqual([]);
    expect(
      found(`{${head},"a":{"x":1},"b":{"x":1},"c" : [{"x":1},{"x":1}]}`),
    ).toEqual([]);
    expect(found(`{${head},"":1,"constructor":1,"__proto__":{"a":1}}`)).toEqual(
      [],
    );
  });
});

describe("older forms of the format", () => {
  const read = (parts: object) => {
    const text = JSON.stringify(parts);
    const { api, diagnostics } = load(text);
    const legacy = diagnostics.filter(({ code }) => code === "legacy-shape");
    return { api, places: legacy.map(({ pointer }) => pointer) };
  };

  test("rootUrl and servicePath are derived from baseUrl", () => {
    const { api, places } = read({
      ...description(),
      rootUrl: undefined,
      servicePath: undefined,
      baseUrl: "https://www.example.com/demo/v1/",
    });
    expect(api).toMatchObject({
      rootUrl: "https://www.example.com/",
      servicePath: "demo/v1/",
    });
    expect(places).toEqual(["/baseUrl"]);
  });

  test("schemas as JSON text are parsed, also with unusual names", () => {
    const text = '{"type":"object","properties":{"a":{"type":"string"}}}';
    const document = JSON.stringify(
      description({ schemas: { "a/b": text, P: text } }),
    );
    const { api, diagnostics } = load(document.replace('"P"', '"__proto__"'));
    expect(api?.definitions.map(({ id }) => id).sort()).toEqual([
      "__proto__",
      "a/b",
    ]);
    expect(diagnostics.map(({ pointer }) => pointer)).toContain(
      "/schemas/a~1b",
    );
  });

  test("schema text that is invalid JSON or too deep is reported", () => {
    expect(messages(description({ schemas: { A: "{" } }))).toContain(
      "schema A must be an object, found a string that is not JSON",
    );
    const deep = '{"items":'.repeat(5000) + "{}" + "}".repeat(5000);
    expect(messages(description({ schemas: { A: deep } }))).toEqual([]);
  });

  test("restPath is used as path", () => {
    const { api, places } = read(
      description({ methods: { "a/b": { restPath: "x", httpMethod: "GET" } } }),
    );
    expect(JSON.stringify(api)).toContain('"GET"');
    expect(places).toEqual(["/methods/a~1b/restPath"]);
  });
});
