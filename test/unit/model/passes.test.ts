import { describe, expect, test } from "vitest";
import { Sink } from "../../../src/diagnostics/sink.js";
import { loadBytes } from "../../../src/load/load.js";
import { buildApi } from "../../../src/model/build/api.js";
import { description, generateClient } from "../../support/generate.js";

/** Builds the model of a document. */
function modelOf(document: object) {
  const bytes = Buffer.from(JSON.stringify(document));
  const loaded = loadBytes(bytes, "test.json", new Sink());
  return buildApi(loaded.document!, loaded.sink, { trustProse: false });
}

const string = { type: "string" };
const list = (items: unknown) => ({ type: "array", items });
const ref = ($ref: string) => ({ $ref });

/** Returns the pagination of a method `list` of the resource `things` with this response. */
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

describe("the items of a page are", () => {
  test.each([
    ["the only one", { rows: list(string) }, "rows"],
    [
      "the list named items",
      { a: list(ref("Thing")), items: list(string) },
      "items",
    ],
    [
      "the list named like the resource",
      { a: list(ref("Thing")), things: list(string) },
      "things",
    ],
    [
      "the first list of references",
      { a: list(string), b: list(ref("Thing")) },
      "b",
    ],
    ["the first list", { a: list(string), b: list(string) }, "a"],
    [
      "not a secondary list",
      { unreachable: list(string), a: list(string) },
      "a",
    ],
    [
      "a map named items",
      { items: { type: "object", additionalProperties: string } },
      "items",
    ],
    [
      "not another map",
      { others: { type: "object", additionalProperties: string } },
      undefined,
    ],
    ["none", { total: { type: "integer" } }, undefined],
  ])("%s", (_, properties, field) => {
    const paging = pagingOf(properties);
    expect(paging?.items?.field).toBe(field);
  });

  test("the list in the name of the method", () => {
    const paging = pagingOf(
      { a: list(ref("Thing")), rows: list(string) },
      "searchRows",
    );
    expect(paging?.items?.field).toBe("rows");
    expect(paging?.others).toEqual(["a"]);
  });
});

test("a page token in the request body is found", () => {
  const request = { type: "object", properties: { pageToken: string } };
  expect(pagingOf({ rows: list(string) }, "search", request)).toMatchObject({
    token: "pageToken",
    in: "body",
  });
});

test.each(["query", "body"])(
  "a token named nextPageToken in the %s is found",
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

test("shortening a long chain of aliases preserves its end and nullability", () => {
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

test("a cycle of 20,000 aliases is broken at one of them", () => {
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

test("definitions in requests with direct or indirect read-only fields get an input type", () => {
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

test("inline definitions follow their owner and get unique ids", () => {
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
