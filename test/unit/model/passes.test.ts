import { describe, expect, test } from "vitest";
import { description, generateClient } from "../../support/generate.js";

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
  const split = api.definitions.filter(({ splits }) => splits === true);
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
