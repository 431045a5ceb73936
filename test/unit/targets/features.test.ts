import { describe, expect, test } from "vitest";
import { featuresOf, pathOf } from "../../../src/targets/client/features.js";
import { printData } from "../../../src/render/typescript/literals.js";
import { flat, named } from "../../../src/render/typescript/types.js";
import { fileIn, methodWith } from "./support.js";

type Json = Readonly<Record<string, unknown>>;

const ITEMS = {
  schemas: {
    Item: { type: "object", properties: { name: { type: "string" } } },
    Page: {
      type: "object",
      properties: {
        items: { type: "array", items: { $ref: "Item" } },
        nextPageToken: { type: "string" },
      },
    },
  },
};

const PAGE_TOKEN = { pageToken: { type: "string", location: "query" } };

const REQUEST_ID = { type: "string", location: "query" };

/** Returns the code of the features' descriptor entries, and the types of the call. */
function printed(raw: Json, parts: Json = ITEMS): [string[], string[]] {
  const { method, context } = methodWith(raw, parts);
  const file = fileIn(context);
  const types = file.mentionedTypes();
  const features = featuresOf(method);
  const entries = features.flatMap(({ use }) =>
    use === undefined ? [] : [use(method, file, {})],
  );
  const calls = features.flatMap(({ type }) =>
    type === undefined
      ? []
      : [type(method, named("Result"), file, types, named("Headers"))],
  );
  return [
    entries.map((entry) =>
      printData([entry]).slice(1, -1).replace("/* @__PURE__ */ ", ""),
    ),
    calls.map(flat),
  ];
}

const UPLOAD = {
  accept: ["a/*"],
  protocols: { simple: { multipart: true, path: "/u/x" } },
};

describe("features of calls", () => {
  test.each<[string, Json, string[], string[]]>([
    ["none", {}, [], []],
    [
      "token pagination",
      { response: { $ref: "Page" }, parameters: PAGE_TOKEN },
      ['tokenPagination({ items: "items" })'],
      ['PagedCall<Result, "items">'],
    ],
    [
      "link pagination",
      {
        response: { type: "array", items: { $ref: "Item" } },
        parameters: {
          page: { type: "integer", default: "1", location: "query" },
          size: { type: "integer", location: "query" },
        },
        "x-paging": { page: "page", size: "size", link: "Link" },
      },
      ["linkPagination()"],
      ["ListCall<Result>"],
    ],
    [
      "a download",
      { response: { $ref: "Item" }, supportsMediaDownload: true },
      ["download"],
      ["MediaCall<Result>"],
    ],
    [
      "an upload",
      { httpMethod: "POST", supportsMediaUpload: true, mediaUpload: UPLOAD },
      ['upload({ simple: "/u/x", multipart: true, accept: ["a/*"] })'],
      [],
    ],
    [
      "an upload of any type",
      {
        supportsMediaUpload: true,
        mediaUpload: {
          accept: ["text/plain", "*/*"],
          maxSize: "1GB",
          protocols: { resumable: { path: "resumable/x" } },
        },
      },
      ['upload({ resumable: "/resumable/x", maxSize: "1GB" })'],
      [],
    ],
    [
      "an upload without URLs",
      { supportsMediaUpload: true, mediaUpload: { accept: [] } },
      [],
      [],
    ],
    [
      "a redirect",
      { "x-status": 302, response: { $ref: "Item" } },
      ["redirectDownload"],
      ["RedirectCall<Headers>"],
    ],
    [
      "a stream of elements",
      { response: { $ref: "Item" }, streamingType: "SERVER" },
      ["jsonArray()"],
      ["StreamCall<Result, Item>"],
    ],
    [
      "a stream of events",
      {
        response: { $ref: "Item" },
        "x-stream": { $ref: "Item", when: { stream: true }, end: "[DONE]" },
      },
      ['events({ when: { stream: true }, end: "[DONE]" })'],
      ["StreamCall<Result, Item>"],
    ],
    ["no credential", { "x-credential": false }, ["credential()"], []],
    [
      "a header parameter",
      { "x-headers": { "If-Match": { type: "string" } } },
      ['headerParameters({ names: ["If-Match"] })'],
      [],
    ],
    [
      "an optional requestId of POST",
      { httpMethod: "POST", parameters: { requestId: REQUEST_ID } },
      ["requestId"],
      [],
    ],
    [
      "a requestId of GET",
      { httpMethod: "GET", parameters: { requestId: REQUEST_ID } },
      [],
      [],
    ],
    [
      "a required requestId",
      {
        httpMethod: "POST",
        parameters: { requestId: { ...REQUEST_ID, required: true } },
      },
      [],
      [],
    ],
    [
      "a requestId that is a number in a string",
      {
        httpMethod: "POST",
        parameters: { requestId: { ...REQUEST_ID, format: "int64" } },
      },
      [],
      [],
    ],
    [
      "a response header",
      { "x-response-headers": { ETag: { type: "string" } } },
      [],
      ["HeadedCall<Result, Headers>"],
    ],
  ])("%s", (name, raw, entries, types) => {
    const credential = { in: "header", name: "X-Key" };
    const parts = name.includes("credential")
      ? { ...ITEMS, "x-credential": credential }
      : ITEMS;
    const [uses, calls] = printed(raw, parts);
    expect(uses.map((use) => use.replace(/\s+/g, " "))).toEqual(entries);
    expect(calls).toEqual(types);
  });
});

test("variables of paths are named after properties", () => {
  expect(pathOf("a/{media}/{+b}", { media_: "media" })).toBe("a/{media_}/{+b}");
  expect(pathOf("a/{media}", {})).toBe("a/{media}");
});
