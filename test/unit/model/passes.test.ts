import { describe, expect, test } from "vitest";
import { Sink } from "../../../src/diagnostics/sink.js";
import { loadBytes } from "../../../src/load/load.js";
import { buildApi } from "../../../src/model/build/api.js";
import { description, generateClient } from "../../support/generate.js";

/** The model of a document, without any output. */
function modelOf(document: object) {
  const bytes = Buffer.from(JSON.stringify(document));
  const loaded = loadBytes(bytes, "test.json", new Sink());
  return buildApi(loaded.document!, loaded.sink, { trustProse: false });
}

const string = { type: "string" };
const list = (items: unknown) => ({ type: "array", items });
const ref = ($ref: string) => ({ $ref });

/** The paging of a method `list` of the resource `things` with this response. */
function pagingOf(properties: object, name = "list", request?: object) {
  const { api } = generateClient(
    description({
      schemas: {
        Thing: { type: "object", properties: { name: string } },
        Page: {
          type: "object",
          properties: { nextPageToken: string, ...properties },
        },
      },
      resources: {
        things: {
          methods: {
            [name]: {
              id: `demo.things.${name}`,
              path: "things",
              httpMethod: request === undefined ? "GET" : "POST",
              ...(request === undefined
                ? {
                    parameters: { pageToken: { ...string, location: "query" } },
                  }
                : { request }),
              response: ref("Page"),
            },
          },
        },
      },
    }),
  );
  return api.root.children[0]!.methods[0]!.paging;
}

describe("the list that a page lists", () => {
  test.each([
    ["the only one", { rows: list(string) }, "rows"],
    [
      "the one called items",
      { a: list(ref("Thing")), items: list(string) },
      "items",
    ],
    [
      "the one called like the resource",
      { a: list(ref("Thing")), things: list(string) },
      "things",
    ],
    [
      "the first list of schemas",
      { a: list(string), b: list(ref("Thing")) },
      "b",
    ],
    ["the first list", { a: list(string), b: list(string) }, "a"],
    [
      "not one that accompanies pages",
      { unreachable: list(string), a: list(string) },
      "a",
    ],
    [
      "a map called items",
      { items: { type: "object", additionalProperties: string } },
      "items",
    ],
    [
      "no other map",
      { others: { type: "object", additionalProperties: string } },
      undefined,
    ],
    ["none", { total: { type: "integer" } }, undefined],
  ])("%s", (_, properties, field) => {
    const paging = pagingOf(properties);
    expect(paging?.items?.field).toBe(field);
  });

  test("the one that the method is called after", () => {
    const paging = pagingOf(
      { a: list(ref("Thing")), rows: list(string) },
      "searchRows",
    );
    expect(paging?.items?.field).toBe("rows");
    expect(paging?.others).toEqual(["a"]);
  });
});

test("a token in the body", () => {
  const request = { type: "object", properties: { pageToken: string } };
  expect(pagingOf({ rows: list(string) }, "search", request)).toMatchObject({
    token: "pageToken",
    in: "body",
  });
});

test.each(["query", "body"])(
  "a token called nextPageToken in the %s",
  (place) => {
    const token = { nextPageToken: string };
    const { api } = generateClient(
      description({
        schemas: {
          Page: {
            type: "object",
            properties: { ...token, rows: list(string) },
          },
          Request: { type: "object", properties: token },
        },
        methods: {
          list: {
            path: "rows",
            httpMethod: "POST",
            ...(place === "body"
              ? { request: ref("Request") }
              : {
                  parameters: { nextPageToken: { ...string, location: place } },
                }),
            response: ref("Page"),
          },
        },
      }),
    );
    expect(api.root.methods[0]!.paging).toMatchObject({
      token: "nextPageToken",
      in: place,
      next: "nextPageToken",
      items: { field: "rows" },
    });
  },
);

test("a long chain of aliases keeps its end and whether null is a value", () => {
  const links = Array.from({ length: 20_000 }, (_, at) => [
    `A${String(at).padStart(5, "0")}`,
    at === 19_999
      ? { type: "integer", format: "int32" }
      : {
          $ref: `A${String(at + 1).padStart(5, "0")}`,
          ...(at === 5_000 ? { "x-nullable": true } : {}),
        },
  ]);
  const { definitions } = modelOf(
    description({ schemas: Object.fromEntries(links) }),
  );
  const schemaOf = (at: number) => {
    const { body } = definitions[at]!;
    return body.kind === "alias" ? body.schema : undefined;
  };
  const end = { kind: "ref", id: "A19999" };
  expect(schemaOf(6_000)).toEqual(end);
  expect(schemaOf(0)).toEqual({ ...end, nullable: true });
  expect(schemaOf(19_990)).toEqual({ kind: "ref", id: "A19991" });
});

test("a circle of 20,000 aliases loses one of them", () => {
  const links = Array.from({ length: 20_000 }, (_, at) => [
    `A${at}`,
    { $ref: `A${(at + 1) % 20_000}` },
  ]);
  const { definitions } = modelOf(
    description({ schemas: Object.fromEntries(links) }),
  );
  const unknown = definitions.filter(
    ({ body }) => body.kind === "alias" && body.schema.kind === "any",
  );
  expect(unknown.map(({ id }) => id)).toEqual(["A0"]);
});

test("definitions split that a request reaches and that hold readOnly fields, however far", () => {
  const object = (properties: object) => ({ type: "object", properties });
  const id = { ...string, readOnly: true };
  const { api } = generateClient(
    description({
      schemas: {
        A: object({ b: ref("B") }),
        B: object({
          c: list({ type: "object", additionalProperties: ref("C") }),
        }),
        C: object({ a: ref("A"), d: ref("D") }),
        D: object({ id, plain: ref("Plain") }),
        Plain: object({ name: string }),
        Result: object({ id, d: ref("D") }),
      },
      resources: {
        r: {
          methods: {
            put: {
              id: "r.put",
              path: "r",
              httpMethod: "PUT",
              request: ref("A"),
              response: ref("Result"),
            },
          },
        },
      },
    }),
  );
  const split = api.definitions.filter(
    ({ hasInputType }) => hasInputType === true,
  );
  expect(split.map((definition) => definition.id)).toEqual([
    "A",
    "B",
    "C",
    "D",
  ]);
});

test("inline definitions follow their owner, under ids that are free", () => {
  const { api } = generateClient(
    description({
      schemas: {
        "A.b": { type: "object", properties: { x: string } },
        A: {
          type: "object",
          properties: {
            b: {
              type: "object",
              properties: { c: { type: "object", properties: { d: string } } },
            },
          },
        },
      },
    }),
  );
  expect(api.definitions.map(({ id }) => id)).toEqual([
    "A",
    "A.b#2",
    "A.b#2.c",
    "A.b",
  ]);
});
