import type { Code } from "../../src/diagnostics/catalogue.js";
import { description } from "../support/generate.js";

/** A document that is wrong in one way, and where. */
export interface DocumentCase {
  readonly code: Code;
  readonly document: unknown;
  readonly pointer: string;
  /** Part of the message. */
  readonly says: string;
  /** Default: the client. */
  readonly target?: readonly string[];
}

const method = (parts: object): object =>
  description({
    methods: {
      get: { id: "demo.get", path: "x", httpMethod: "GET", ...parts },
    },
  });

const property = (schema: object): object =>
  description({
    schemas: {
      Foo: { id: "Foo", type: "object", properties: { bar: schema } },
    },
  });

const numbers = (...names: readonly string[]): object =>
  Object.fromEntries(
    names.map((name) => [name, { type: "integer", location: "query" }]),
  );

const failing = (body: object): object => ({
  ...method({}),
  schemas: {
    Failure: {
      id: "Failure",
      type: "object",
      "x-required": ["msg"],
      properties: { msg: { type: "string" }, no: { type: "integer" } },
    },
  },
  "x-errors": { "404": { $ref: "Failure", body } },
});

const BAR = "/schemas/Foo/properties/bar";

/** One document for each code that is about the content of a document. */
export const documents: readonly DocumentCase[] = [
  {
    code: "kind-directory-list",
    document: { kind: "discovery#directoryList", items: [] },
    pointer: "/kind",
    says: "is a list of APIs",
  },
  {
    code: "kind-error-response",
    document: { error: { code: 404, message: "Not found." } },
    pointer: "/error",
    says: "is an error answer: 404 Not found.",
  },
  {
    code: "kind-openapi",
    document: { openapi: "3.1.0", info: {}, paths: {} },
    pointer: "",
    says: "is an OpenAPI document",
  },
  {
    code: "kind-wrong",
    document: { ...description(), kind: "discovery#rpcDescription" },
    pointer: "/kind",
    says: 'has kind "discovery#rpcDescription"',
  },
  {
    code: "kind-missing",
    document: { name: "demo", version: "v1", resources: {} },
    pointer: "",
    says: "has no kind and is taken as a description",
  },
  {
    code: "shape-wrong-type",
    document: property({ type: 5 }),
    pointer: `${BAR}/type`,
    says: `${BAR}/type must be a string, found 5`,
  },
  {
    code: "shape-missing",
    document: { kind: "discovery#restDescription", name: "demo" },
    pointer: "",
    says: "the document has no version",
  },
  {
    code: "shape-too-deep",
    document: property(nested(100)),
    pointer: `${BAR}${"/items".repeat(64)}`,
    says: "nest deeper than 64 levels",
  },
  {
    code: "shape-unknown-key",
    document: property({ type: "string", tpye: "x" }),
    pointer: `${BAR}/tpye`,
    says: 'unknown key "tpye"',
  },
  {
    code: "legacy-shape",
    document: description({ schemas: { Foo: '{"type":"object"}' } }),
    pointer: "/schemas/Foo",
    says: "JSON text inside a string",
  },
  {
    code: "ref-missing",
    document: property({ $ref: "Nowhere" }),
    pointer: `${BAR}/$ref`,
    says: '"Nowhere" names no schema',
  },
  {
    code: "ref-cycle",
    document: description({
      schemas: { A: { id: "A", $ref: "B" }, B: { id: "B", $ref: "A" } },
    }),
    pointer: "/schemas/A",
    says: "refers only to itself",
  },
  {
    code: "schema-untyped",
    document: property({ description: "No type." }),
    pointer: BAR,
    says: "has neither type nor $ref",
  },
  {
    code: "schema-unknown-type",
    document: property({ type: "text" }),
    pointer: `${BAR}/type`,
    says: 'type "text" is unknown',
  },
  {
    code: "schema-unknown-format",
    document: property({ type: "string", format: "postcode" }),
    pointer: `${BAR}/format`,
    says: 'format "postcode"',
  },
  {
    code: "schema-ambiguous",
    document: property({ type: "string", $ref: "Foo" }),
    pointer: BAR,
    says: "both $ref and type",
  },
  {
    code: "enum-invalid",
    document: property({ type: "string", enum: ["A", "A"] }),
    pointer: `${BAR}/enum`,
    says: '"A" twice',
  },
  {
    code: "parameter-undeclared",
    document: method({ path: "x/{id}" }),
    pointer: "/methods/get/path",
    says: 'the path names "id", which is not declared',
  },
  {
    code: "parameter-location",
    document: method({
      parameters: { id: { type: "string", location: "header" } },
    }),
    pointer: "/methods/get/parameters/id/location",
    says: 'location "header"',
  },
  {
    code: "path-invalid",
    document: method({ path: "x/{id" }),
    pointer: "/methods/get/path",
    says: "is no URI template",
  },
  {
    code: "path-limit",
    document: method({ path: "/".repeat(1_000) }),
    pointer: "/methods/get/path",
    says: "path of demo.get must have at most 1000 segments, found 1001",
  },
  {
    code: "method-http",
    document: method({ httpMethod: "FETCH IT" }),
    pointer: "/methods/get/httpMethod",
    says: 'httpMethod "FETCH IT"',
  },
  {
    code: "method-undefined",
    document: description({ methods: { get: { httpMethod: "GET" } } }),
    pointer: "/methods/get",
    says: "has no path",
  },
  {
    code: "route-tie",
    document: routes({ a: "x/{one}", b: "x/{two}" }),
    pointer: "/methods/b",
    says: "demo.a takes GET x/{two}, which demo.b has too",
    target: ["server"],
  },
  {
    code: "route-overlap",
    document: routes({ a: "x/{+one}", b: "x/{+one}/{two}" }),
    pointer: "/methods/b",
    says: "demo.a takes requests that fit demo.b as well",
    target: ["server"],
  },
  {
    code: "method-verb",
    document: method({ httpMethod: "FETCH" }),
    pointer: "/methods/get/httpMethod",
    says: 'httpMethod "FETCH" is unknown',
  },
  {
    code: "method-duplicate",
    document: description({
      methods: {
        a: { id: "demo.x", path: "a", httpMethod: "GET" },
        b: { id: "demo.x", path: "b", httpMethod: "GET" },
      },
    }),
    pointer: "/methods/b/id",
    says: 'the id "demo.x" is that of another method',
  },
  {
    code: "document-id",
    document: description({ id: "demo:v2" }),
    pointer: "/id",
    says: 'id must be "demo:v1", found "demo:v2"',
  },
  {
    code: "document-label",
    document: description({ labels: ["deprecated", "new"] }),
    pointer: "/labels/1",
    says: 'the label "new" is unknown',
  },
  {
    code: "document-protocol",
    document: description({ protocol: "rpc" }),
    pointer: "/protocol",
    says: 'protocol must be "rest", found "rpc"',
  },
  {
    code: "schema-id",
    document: description({ schemas: { A: { id: "B", type: "object" } } }),
    pointer: "/schemas/A/id",
    says: 'id must be the key "A", found "B"',
  },
  ...(["pattern", "minimum", "maximum"] as const).map((key) => ({
    code: "limit-invalid" as const,
    document: description({
      schemas: {
        A: {
          id: "A",
          type: "object",
          properties: { a: { type: "string", [key]: "[" } },
        },
      },
    }),
    pointer: `/schemas/A/properties/a/${key}`,
    says: `${key} must be`,
  })),
  {
    code: "limit-invalid",
    document: method({ mediaUpload: { maxSize: "much" } }),
    pointer: "/methods/get/mediaUpload/maxSize",
    says: 'maxSize must be a size such as "10MB", found "much"',
  },
  {
    code: "pattern-unsupported",
    document: method({
      parameters: {
        q: { type: "string", location: "query", pattern: "(?=a)" },
      },
    }),
    pointer: "/methods/get/parameters/q",
    says: "the pattern of q is not checked",
    target: ["server"],
  },
  {
    code: "name-changed",
    document: description({
      schemas: { "a-b": { id: "a-b", type: "object" } },
    }),
    pointer: "/schemas/a-b",
    says: 'schema "a-b" is called',
  },
  {
    code: "paging-ambiguous",
    document: paging(),
    pointer: "/methods/list/response",
    says: "items are",
  },
  {
    code: "extension-invalid",
    document: method({ "x-status": "201" }),
    pointer: "/methods/get/x-status",
    says: '/methods/get/x-status must be an integer, found "201"',
  },
  {
    code: "extension-invalid",
    document: { ...method({}), "x-credential": { in: "cookie", name: "id" } },
    pointer: "/x-credential",
    says: '/x-credential/in must be one of "header", "query", found "cookie"',
  },
  {
    code: "extension-invalid",
    document: method({ "x-errors": { "4xx": { description: "Yours." } } }),
    pointer: "/methods/get/x-errors/4xx",
    says: 'x-errors has the key "4xx"',
  },
  {
    code: "extension-invalid",
    document: property({ type: "string", "x-nullable": "yes" }),
    pointer: `${BAR}/x-nullable`,
    says: "x-nullable must be a boolean",
  },
  {
    code: "extension-invalid",
    document: method({
      "x-headers": { page: { type: "string" } },
      parameters: numbers("page"),
    }),
    pointer: "/methods/get/x-headers/page",
    says: 'the header "page" has the name of a parameter',
  },
  {
    code: "extension-invalid",
    document: failing({ msg: "{message}", no: "{code}" }),
    pointer: "/x-errors/404/body/no",
    says: 'has "{code}" where integer belongs',
  },
  {
    code: "extension-invalid",
    document: failing({ msg: "{message}", other: 1 }),
    pointer: "/x-errors/404/body",
    says: 'has "other", which is not declared',
  },
  {
    code: "extension-invalid",
    document: failing({ no: "{status}" }),
    pointer: "/x-errors/404/body",
    says: 'lacks "msg"',
  },
  {
    code: "extension-unresolved",
    document: description({
      schemas: {
        Foo: { type: "object", properties: {}, "x-required": ["bar"] },
      },
    }),
    pointer: "/schemas/Foo/x-required",
    says: 'x-required names "bar"',
  },
  {
    code: "extension-unresolved",
    document: method({ "x-credential": { in: "query", name: "api_key" } }),
    pointer: "/methods/get",
    says: 'x-credential names "api_key", which is no parameter',
  },
  {
    code: "extension-invalid",
    document: method({
      "x-paging": { page: "page", size: "size", link: "Link" },
      parameters: numbers("page", "size"),
    }),
    pointer: "/methods/get/x-paging",
    says: "demo.get: x-paging, but the response is no array",
  },
  {
    code: "extension-unresolved",
    document: method({
      "x-paging": { page: "page", size: "per_page", link: "Link" },
      parameters: numbers("page", "size"),
    }),
    pointer: "/methods/get/x-paging/size",
    says: 'x-paging names "per_page", which is no query parameter',
  },
];

/** Methods by name, with nothing but their paths. */
function routes(paths: Readonly<Record<string, string>>): object {
  const methods = Object.entries(paths).map(([name, path]) => [
    name,
    { id: `demo.${name}`, path, httpMethod: "GET" },
  ]);
  return description({ methods: Object.fromEntries(methods) as object });
}

function nested(depth: number): object {
  let schema: object = { type: "string" };
  for (let level = 0; level < depth; level++)
    schema = { type: "array", items: schema };
  return schema;
}

function paging(): object {
  const list = { type: "array", items: { type: "string" } };
  return description({
    methods: {
      list: {
        id: "demo.list",
        path: "x",
        httpMethod: "GET",
        parameters: { pageToken: { type: "string", location: "query" } },
        response: { $ref: "Page" },
      },
    },
    schemas: {
      Page: {
        id: "Page",
        type: "object",
        properties: { nextPageToken: { type: "string" }, a: list, b: list },
      },
    },
  });
}
