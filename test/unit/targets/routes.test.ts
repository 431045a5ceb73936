import { describe, expect, test } from "vitest";
import {
  isPresent,
  rulesOf,
} from "../../../src/targets/server/parameter-rules.js";
import {
  credentialData,
  errorsData,
  linksData,
  routesFile,
  streamData,
} from "../../../src/targets/server/routes.js";
import {
  isBodyRequired,
  requestForm,
  responseForm,
} from "../../../src/model/bodies.js";
import { invalidInputStatus } from "../../../src/model/invalid-input.js";
import {
  commonHandlerHeaders,
  handlerHeaders,
  requiredHeaders,
} from "../../../src/model/response-headers.js";
import type { Parameter } from "../../../src/model/ir.js";
import { Sink } from "../../../src/diagnostics/sink.js";
import { Engine } from "../../../src/render/engine.js";
import { contextWith, methodWith } from "./support.js";

type Json = Readonly<Record<string, unknown>>;

function parameterWith(raw: Json): Parameter {
  const parameters = { q: { location: "query", ...raw } };
  const path = raw["location"] === "path" ? "x/{q}" : "x";
  return methodWith({ path, parameters }).method.parameters[0]!;
}

describe("rules of parameters", () => {
  test.each<[Json, Json]>([
    [{ type: "string" }, { type: "string" }],
    [{ type: "integer", format: "int32" }, { type: "int32" }],
    [{ type: "integer", format: "odd" }, { type: "integer" }],
    [{ type: "string", format: "int64" }, { type: "int64" }],
    [{ type: "string", format: "date" }, { type: "date" }],
    [
      { type: "string", required: true },
      { type: "string", required: true },
    ],
    [{ type: "string", required: true, location: "path" }, { type: "string" }],
    [
      { type: "integer", repeated: true, minimum: "1", maximum: "9" },
      { type: "integer", repeated: true, minimum: "1", maximum: "9" },
    ],
    [
      { type: "string", enum: ["a", "b"], default: "a" },
      { type: "string", enum: ["a", "b"], default: "a" },
    ],
    [
      { type: "string", enum: ["a"], "x-open-enum": true },
      { type: "string", enum: ["a"], open: true },
    ],
    [
      { type: "string", repeated: true, "x-list-forms": ["comma"] },
      { type: "string", repeated: true, forms: ["comma"] },
    ],
  ])("%j", (raw, rules) => {
    expect(rulesOf(parameterWith(raw), false)).toEqual(rules);
  });

  test.each<[Json, boolean]>([
    [{ type: "string" }, false],
    [{ type: "string", required: true }, true],
    [{ type: "integer", default: "1" }, true],
    [{ type: "integer", default: "many" }, false],
    [{ type: "string", description: "Required. The name." }, false],
  ])("handlers always receive %j: %j", (raw, expected) => {
    expect(isPresent(parameterWith(raw), false)).toBe(expected);
  });
});

const ITEM = { schemas: { Item: { type: "object" } } };
const BODY = { request: { $ref: "Item" }, response: { $ref: "Item" } };

test.each<[Json, string, string]>([
  [{}, "none", "none"],
  [BODY, "json", "json"],
  [{ ...BODY, "x-status": 302 }, "json", "redirect"],
])("%j has the forms %s and %s", (raw, request, response) => {
  const { method } = methodWith(raw, ITEM);
  expect(requestForm(method)).toBe(request);
  expect(responseForm(method)).toBe(response);
});

test.each<[string, Json, boolean]>([
  ["a required member", {}, true],
  ["an upload", { supportsMediaUpload: true, mediaUpload: {} }, false],
])("servers require a body: %s", (_, raw, expected) => {
  const name = { type: "string", annotations: { required: ["demo.get"] } };
  const schemas = { Item: { type: "object", properties: { name } } };
  const { method } = methodWith({ ...BODY, ...raw }, { schemas });
  expect(method.requiredMembers).toEqual(["name"]);
  expect(isBodyRequired(method)).toBe(expected);
});

test.each<[unknown, unknown]>([
  [undefined, undefined],
  [false, undefined],
  [{ in: "query", name: "key" }, undefined],
  [
    { in: "header", name: "X-Key" },
    { header: "X-Key", schemes: undefined },
  ],
  [
    { in: "header", name: "Authorization", schemes: ["Token"] },
    { header: "Authorization", schemes: ["Token"] },
  ],
])("the credential %j is the data %j", (credential, data) => {
  const key = { type: "string", location: "query" };
  const { method } = methodWith({
    "x-credential": credential,
    parameters: { key },
  });
  expect(credentialData(method)).toEqual(data);
});

test("streams of events have a condition; those of elements have no data", () => {
  const events = { $ref: "Item", when: { stream: true }, end: "END" };
  const { method } = methodWith({ ...BODY, "x-stream": events }, ITEM);
  expect(streamData(method)).toEqual({ when: { stream: true }, end: "END" });
  const array = methodWith({ ...BODY, streamingType: "SERVER" }, ITEM);
  expect(streamData(array.method)).toBeUndefined();
});

test.each<[string[] | undefined, string]>([
  [undefined, ""],
  [["image/*"], 'accept: ["image/*"]'],
  [["*/*"], ""],
  [["text/xml", "*/*"], ""],
])("uploads that accept %j are limited by %j", (accept, expected) => {
  const protocols = { simple: { path: "/upload/x" } };
  const upload = {
    id: "demo.put",
    path: "x",
    httpMethod: "POST",
    mediaUpload: { protocols, ...(accept && { accept }) },
  };
  const context = contextWith({ methods: { upload } });
  const { text } = routesFile(context, new Engine(), new Sink());
  expect(/accept: .*\]/.exec(text)?.[0] ?? "").toBe(expected);
});

const LINKED = {
  response: { type: "array", items: { $ref: "Item" } },
  parameters: {
    page: { type: "integer", default: "1", location: "query" },
    size: { type: "integer", location: "query" },
  },
  "x-paging": { page: "page", size: "size", link: "Link" },
};

test("link pagination names its parameters and header", () => {
  const { method } = methodWith(LINKED, ITEM);
  expect(linksData(method)).toEqual({
    page: "page",
    size: "size",
    link: "Link",
  });
});

const HEADER = { type: "string" };

test.each<[string, Json, string[]]>([
  ["all", {}, ["ETag", "Link", "Location"]],
  ["page links", LINKED, ["ETag", "Location"]],
  ["a redirect", { "x-status": 302 }, ["ETag", "Link"]],
])("handlers set the headers that the server does not: %s", (_, raw, names) => {
  const headers = { ETag: HEADER, Link: HEADER, Location: HEADER };
  const { method } = methodWith(
    { ...raw, "x-response-headers": headers },
    ITEM,
  );
  expect(handlerHeaders(method).map(({ name }) => name)).toEqual(names);
});

test("required headers have lower-case names", () => {
  const headers = { ETag: { ...HEADER, required: true }, Age: HEADER };
  const { method } = methodWith({ "x-response-headers": headers });
  expect(requiredHeaders(method, false)).toEqual(["etag"]);
});

test.each([
  [1, []],
  [2, ["ETag"]],
])("common headers of %i methods", (count, expected) => {
  const get = { id: "demo.get", path: "x", httpMethod: "GET" };
  const put = {
    ...get,
    id: "demo.put",
    httpMethod: "PUT",
    "x-response-headers": { Age: HEADER },
  };
  const { methods } = contextWith({
    "x-response-headers": { ETag: HEADER },
    methods: count === 1 ? { get } : { get, put },
  });
  const common = commonHandlerHeaders(methods).map(({ name }) => name);
  expect(common).toEqual(expected);
});

const LISTED = { errors: [{ detail: "{message}" }] };

test.each<[string, Json, 422 | undefined]>([
  ["422 lists errors", { 422: { body: LISTED } }, 422],
  ["422 has a body without a list", { 422: { body: {} } }, undefined],
  [
    "the default body lists errors",
    { 422: {}, default: { body: LISTED } },
    422,
  ],
  ["422 is not described", { default: { body: LISTED } }, undefined],
])("the status of invalid input, if %s", (_, errors, status) => {
  const { method, context } = methodWith({ "x-errors": errors });
  expect(invalidInputStatus(method, context.api)).toBe(status);
});

test("error bodies have pointers of null and numbers", () => {
  const schemas = {
    Failure: {
      type: "object",
      properties: {
        status: { type: "integer" },
        detail: { type: "string", "x-nullable": true },
      },
    },
  };
  const body = { status: "{status}", detail: "{message}" };
  const { method, context } = methodWith(
    { "x-errors": { default: { $ref: "Failure", body } } },
    { schemas },
  );
  expect(errorsData(method.errors, context)).toEqual({
    default: { body, nullable: ["/detail"], numbers: ["/status"] },
  });
});
