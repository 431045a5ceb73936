import { describe, expect, test } from "vitest";
import { Sink } from "../../../src/diagnostics/sink.js";
import { loadBytes } from "../../../src/load/load.js";
import type { RawDocument } from "../../../src/load/raw.js";
import { buildApi } from "../../../src/model/build/api.js";
import { methodsOf } from "../../../src/model/queries.js";
import {
  selectMethods,
  type Selection,
} from "../../../src/select/select-methods.js";
import { description } from "../../support/generate.js";

const ref = ($ref: string) => ({ $ref });
const AUTH = "https://www.example.com/auth/";

function method(id: string, parts: object = {}): object {
  return { id, path: id.replaceAll(".", "/"), httpMethod: "GET", ...parts };
}

const DOCUMENT = description({
  auth: {
    oauth2: {
      scopes: {
        [`${AUTH}demo`]: { description: "All" },
        [`${AUTH}demo.readonly`]: { description: "Read" },
      },
    },
  },
  "x-errors": { "404": ref("Failure") },
  schemas: {
    Failure: { id: "Failure", type: "object" },
    Car: {
      id: "Car",
      type: "object",
      properties: { wheels: { type: "array", items: ref("Wheel") } },
    },
    Wheel: {
      id: "Wheel",
      type: "object",
      additionalProperties: ref("#/schemas/Tyre"),
    },
    Tyre: {
      id: "Tyre",
      type: "object",
      variant: {
        discriminant: "kind",
        map: [{ type_value: "a", $ref: "Car" }],
      },
    },
    Operation: {
      id: "Operation",
      type: "object",
      properties: { name: { type: "string" }, done: { type: "boolean" } },
    },
    Result: { id: "Result", type: "object" },
    Event: { id: "Event", type: "object" },
    Unused: { id: "Unused", type: "object" },
  },
  methods: { ping: { path: "ping", httpMethod: "GET" } },
  resources: {
    cars: {
      methods: {
        get: method("demo.cars.get", {
          response: ref("Car"),
          scopes: [`${AUTH}demo`, `${AUTH}demo.readonly`],
        }),
        build: method("demo.cars.build", {
          httpMethod: "POST",
          response: ref("Operation"),
          scopes: [`${AUTH}demo`],
          "x-operation": { response: "Result" },
          "x-stream": ref("Event"),
        }),
      },
      resources: {
        parts: { methods: { list: method("demo.cars.parts.list") } },
      },
    },
    operations: {
      methods: {
        get: method("demo.operations.get", {
          path: "operations/{name}",
          parameters: {
            name: { type: "string", location: "path", required: true },
          },
          response: ref("Operation"),
        }),
      },
    },
  },
});

function load(document: object = DOCUMENT): RawDocument {
  const bytes = Buffer.from(JSON.stringify(document));
  return loadBytes(bytes, "test.json").document!;
}

/** Selects methods; returns the ids of the methods, the schemas and messages. */
function select(selection: Selection, document?: object) {
  const sink = new Sink("test.json");
  const selected = selectMethods(load(document), selection, sink);
  const api = buildApi(selected, new Sink(), { trustProse: false });
  return {
    selected,
    api,
    methods: methodsOf(api.root).map(({ id }) => id),
    schemas: Object.keys(selected.schemas ?? {}),
    scopes: Object.keys(selected.auth?.oauth2?.scopes ?? {}),
    messages: sink.diagnostics.map(
      ({ code, message }) => `${code}: ${message}`,
    ),
  };
}

test.each<[Selection, readonly string[]]>([
  [
    {},
    [
      "demo.cars.build",
      "demo.cars.get",
      "demo.cars.parts.list",
      "demo.operations.get",
      "demo.ping",
    ],
  ],
  [
    { include: ["demo.cars.*"] },
    ["demo.cars.build", "demo.cars.get", "demo.cars.parts.list"],
  ],
  [
    { include: ["demo.cars"] },
    ["demo.cars.build", "demo.cars.get", "demo.cars.parts.list"],
  ],
  [{ include: ["demo.*.get"] }, ["demo.cars.get", "demo.operations.get"]],
  [
    { include: ["demo.cars.*"], exclude: ["demo.cars.*.**"] },
    ["demo.cars.build", "demo.cars.get"],
  ],
  [{ exclude: ["demo.cars.*"] }, ["demo.operations.get", "demo.ping"]],
  [{ include: ["demo.ping"] }, ["demo.ping"]],
  [{ include: ["scope:demo.readonly"] }, ["demo.cars.get"]],
  [{ include: ["scope:demo"] }, ["demo.cars.build", "demo.cars.get"]],
  [{ include: ["scope:demo.*"] }, ["demo.cars.get"]],
  [{ include: [`scope:${AUTH}demo.readonly`] }, ["demo.cars.get"]],
  [
    { include: ["demo.ping", "scope:demo"], exclude: ["scope:demo.readonly"] },
    ["demo.cars.build", "demo.ping"],
  ],
])("%j", (selection, ids) => {
  const { methods, messages } = select(selection);
  expect(methods.sort()).toEqual([...ids]);
  expect(messages).toEqual([]);
});

describe("the result contains only", () => {
  test("schemas that the methods reach, and those of errors", () => {
    expect(select({ include: ["demo.cars.get"] }).schemas).toEqual([
      "Failure",
      "Car",
      "Wheel",
      "Tyre",
    ]);
    expect(select({ include: ["demo.cars.build"] }).schemas).toEqual([
      "Failure",
      "Operation",
      "Result",
      "Event",
    ]);
    expect(select({ include: ["demo.ping"] }).schemas).toEqual(["Failure"]);
  });

  test("scopes of the methods", () => {
    expect(select({ include: ["demo.cars.build"] }).scopes).toEqual([
      `${AUTH}demo`,
    ]);
    expect(select({ include: ["demo.ping"] }).scopes).toEqual([]);
  });

  test("resources with methods", () => {
    const { selected } = select({ include: ["demo.cars.parts.list"] });
    expect(Object.keys(selected.resources!)).toEqual(["cars"]);
    expect(selected.resources!["cars"]!.methods).toEqual({});
    expect(selected.methods).toEqual({});
  });
});

test("an operation polls a method that is not selected", () => {
  const all = select({}).api;
  const { api, methods } = select({ include: ["demo.cars.build"] });
  expect(methods).toEqual(["demo.cars.build"]);
  const [build] = methodsOf(api.root);
  const [same] = methodsOf(all.root).filter(({ id }) => id === build!.id);
  expect(build!.operation!.poll).toEqual({
    path: "operations/{name}",
    variable: "name",
    query: [],
  });
  expect(build).toEqual(same);
});

test("the order of selectors has no effect, and the input stays unchanged", () => {
  const document = load();
  const before = JSON.stringify(document);
  const include = ["demo.cars.get", "demo.ping", "scope:demo"];
  const [first, second] = [include, [...include].reverse()].map((list) =>
    selectMethods(document, { include: list }, new Sink()),
  );
  expect(first).toEqual(second);
  expect(JSON.stringify(document)).toBe(before);
});

test.each<[Selection, string]>([
  [
    { include: ["demo.car.*"] },
    'select-unmatched: include "demo.car.*" matches no method of demo:v1 (did you mean demo.cars.*?)',
  ],
  [
    { exclude: ["cars.get"] },
    'select-unmatched: exclude "cars.get" matches no method of demo:v1 (did you mean demo.cars.get or demo.cars.build?)',
  ],
  [
    { include: ["scope:demo.readnly"] },
    'select-unmatched: include "scope:demo.readnly" matches no method of demo:v1 (did you mean scope:demo.readonly?)',
  ],
  [
    { include: ["zzz"] },
    'select-unmatched: include "zzz" matches no method of demo:v1',
  ],
  [
    { include: ["demo.{a"] },
    'select-invalid: include "demo.{a" must have balanced braces that are not nested',
  ],
  [
    { exclude: ["*"] },
    "select-empty: include and exclude select none of the 5 methods of demo:v1",
  ],
])("%j is an error", (selection, message) => {
  expect(select(selection).messages).toEqual([message]);
});

test("names such as __proto__ are members like others", () => {
  const document = `{"kind":"discovery#restDescription","name":"demo","version":"v1","rootUrl":"https://x.example/",
    "schemas":{"__proto__":{"id":"__proto__","type":"object"},"constructor":{"id":"constructor","type":"object"}},
    "resources":{"__proto__":{"methods":{"toString":{"id":"demo.p.toString","path":"x","httpMethod":"GET","response":{"$ref":"__proto__"}}}}}}`;
  const loaded = loadBytes(Buffer.from(document), "test.json").document!;
  const sink = new Sink();
  const selected = selectMethods(loaded, { include: ["demo.p.*"] }, sink);
  expect(sink.diagnostics).toEqual([]);
  expect(Object.keys(selected.schemas!)).toEqual(["__proto__"]);
  expect(Object.keys(selected.resources!)).toEqual(["__proto__"]);
});
