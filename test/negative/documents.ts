import type { Code } from "../../src/diagnostics/catalogue.js";
import { description } from "../support/generate.js";

/** Document with one error, and its location. */
export interface DocumentCase {
  readonly code: Code;
  readonly document: unknown;
  readonly pointer: string;
  /** Part of the message. */
  readonly message: string;
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

/** One document for each code about the content of a document. */
export const documents: readonly DocumentCase[] = [
  {
    code: "kind-directory-list",
    document: { kind: "discovery#directoryList", items: [] },
    pointer: "/kind",
    message: "is a list of APIs",
  },
  {
    code: "kind-error-response",
    document: { error: { code: 404, message: "Not found." } },
    pointer: "/error",
    message: "is an error response: 404 Not found.",
  },
  {
    code: "kind-openapi",
    document: { openapi: "3.1.0", info: {}, paths: {} },
    pointer: "",
    message: "is an OpenAPI document",
  },
  {
    code: "kind-wrong",
    document: { ...description(), kind: "discovery#rpcDescription" },
    pointer: "/kind",
    message: 'found "discovery#rpcDescription"',
  },
  {
    code: "kind-missing",
    document: { name: "demo", version: "v1", resources: {} },
    pointer: "",
    message: 'has no "kind" field; it is treated as an API description',
  },
  {
    code: "shape-wrong-type",
    document: property({ type: 5 }),
    pointer: `${BAR}/type`,
    message: `${BAR}/type must be a string, found 5`,
  },
  {
    code: "shape-missing",
    document: { kind: "discovery#restDescription", name: "demo" },
    pointer: "",
    message: "the document must have the field version",
  },
  {
    code: "shape-too-deep",
    document: property(nested(100)),
    pointer: `${BAR}${"/items".repeat(64)}`,
    message: "are nested deeper than 64 levels",
  },
  {
    code: "shape-unknown-key",
    document: property({ type: "string", tpye: "x" }),
    pointer: `${BAR}/tpye`,
    message: 'unknown key "tpye"',
  },
  {
    code: "legacy-shape",
    document: description({ schemas: { Foo: '{"type":"object"}' } }),
    pointer: "/schemas/Foo",
    message: "schema Foo must be an object, found a string that contains JSON",
  },
  {
    code: "ref-missing",
    document: property({ $ref: "Nowhere" }),
    pointer: `${BAR}/$ref`,
    message: '"Nowhere" does not refer to a schema',
  },
  {
    code: "extension-invalid",
    document: property({ type: "any", "x-one-of": [] }),
    pointer: `${BAR}/x-one-of`,
    message: "must have at least 2 elements",
  },
  {
    code: "extension-invalid",
    document: property({ type: "any", "x-one-of": Array(101).fill({}) }),
    pointer: `${BAR}/x-one-of`,
    message: "must have at most 100 elements",
  },
  {
    code: "extension-invalid",
    document: property({ type: "any", "x-one-of": [{ type: "string" }, 5] }),
    pointer: `${BAR}/x-one-of`,
    message: "must be an object",
  },
  {
    code: "extension-invalid",
    document: property({
      type: "string",
      "x-one-of": [{ type: "string" }, { type: "integer" }],
    }),
    pointer: `${BAR}/x-one-of`,
    message: 'must be in a schema with the type "any"',
  },
  {
    code: "ref-missing",
    document: property({
      type: "any",
      "x-one-of": [{ type: "string" }, { $ref: "Gone" }],
    }),
    pointer: `${BAR}/x-one-of/1/$ref`,
    message: '"Gone"',
  },
  {
    code: "extension-invalid",
    document: property({
      type: "any",
      "x-one-of": [
        { type: "string" },
        { "x-one-of": [{ type: "integer" }, { type: "boolean" }] },
      ],
    }),
    pointer: `${BAR}/x-one-of/1/x-one-of`,
    message: "must not contain x-one-of",
  },
  {
    code: "extension-invalid",
    document: description({
      schemas: {
        Ping: { type: "any", "x-one-of": [{ $ref: "Pong" }, {}] },
        Pong: { type: "any", "x-one-of": [{ $ref: "Ping" }, {}] },
      },
    }),
    pointer: "/schemas/Ping/x-one-of/0",
    message: "must not refer to a schema with x-one-of",
  },
  {
    code: "extension-invalid",
    document: method({
      parameters: {
        size: {
          type: "string",
          location: "query",
          "x-one-of": [{ type: "string" }, { type: "integer" }],
        },
      },
    }),
    pointer: "/methods/get/parameters/size/x-one-of",
    message: "not allowed on parameters",
  },
  {
    code: "ref-cycle",
    document: description({
      schemas: { A: { id: "A", $ref: "B" }, B: { id: "B", $ref: "A" } },
    }),
    pointer: "/schemas/A",
    message: "refers only to itself",
  },
  {
    code: "schema-untyped",
    document: property({ description: "No type." }),
    pointer: BAR,
    message: "has neither type nor $ref",
  },
  {
    code: "method-none",
    document: description({ id: "demo:v1" }),
    pointer: "",
    message: "demo:v1 has no methods",
  },
  {
    code: "schema-unknown-type",
    document: property({ type: "text" }),
    pointer: `${BAR}/type`,
    message: 'type "text" is unknown',
  },
  {
    code: "schema-unknown-format",
    document: property({ type: "string", format: "postcode" }),
    pointer: `${BAR}/format`,
    message: 'format "postcode"',
  },
  {
    code: "schema-unknown-format",
    document: property({ type: "string", format: "[a-z]+", pattern: "^a" }),
    pointer: `${BAR}/format`,
    message: 'format "[a-z]+"',
  },
  {
    code: "schema-ambiguous",
    document: property({ type: "string", $ref: "Foo" }),
    pointer: BAR,
    message: "both $ref and type",
  },
  {
    code: "enum-invalid",
    document: property({ type: "string", enum: ["A", "A"] }),
    pointer: `${BAR}/enum`,
    message: '"A" twice',
  },
  {
    code: "parameter-undeclared",
    document: method({ path: "x/{id}" }),
    pointer: "/methods/get/path",
    message: 'the path contains the variable "id", which is not declared',
  },
  {
    code: "parameter-location",
    document: method({
      parameters: { id: { type: "string", location: "header" } },
    }),
    pointer: "/methods/get/parameters/id/location",
    message: 'must be "path" or "query", found "header"',
  },
  {
    code: "path-invalid",
    document: method({ path: "x/{id" }),
    pointer: "/methods/get/path",
    message: "is not a URI template",
  },
  {
    code: "path-limit",
    document: method({ path: "/".repeat(1_000) }),
    pointer: "/methods/get/path",
    message: "path of demo.get must have at most 1000 segments, found 1001",
  },
  {
    code: "method-http",
    document: method({ httpMethod: "FETCH IT" }),
    pointer: "/methods/get/httpMethod",
    message: 'httpMethod must be an HTTP method, found "FETCH IT"',
  },
  {
    code: "method-undefined",
    document: description({ methods: { get: { httpMethod: "GET" } } }),
    pointer: "/methods/get",
    message: "has no path",
  },
  {
    code: "route-conflict",
    document: routes({ a: "x/{one}", b: "x/{two}" }),
    pointer: "/methods/b",
    message:
      "demo.b and demo.a have the same route GET x/{two}; demo.a is called",
    target: ["server"],
  },
  {
    code: "route-overlap",
    document: routes({ a: "x/{+one}", b: "x/{+one}/{two}" }),
    pointer: "/methods/b",
    message:
      "requests for demo.b (GET x/{one=**}/{two}) also match x/{one=**}; demo.a is called",
    target: ["server"],
  },
  {
    code: "method-http-unknown",
    document: method({ httpMethod: "FETCH" }),
    pointer: "/methods/get/httpMethod",
    message: 'httpMethod "FETCH" is unknown',
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
    message: 'another method has the id "demo.x"',
  },
  {
    code: "document-id",
    document: description({ id: "demo:v2" }),
    pointer: "/id",
    message: 'id must be "demo:v1", found "demo:v2"',
  },
  {
    code: "document-label",
    document: description({ labels: ["deprecated", "new"] }),
    pointer: "/labels/1",
    message: 'the label "new" is unknown',
  },
  {
    code: "document-protocol",
    document: description({ protocol: "rpc" }),
    pointer: "/protocol",
    message: 'protocol must be "rest", found "rpc"',
  },
  {
    code: "schema-id",
    document: description({ schemas: { A: { id: "B", type: "object" } } }),
    pointer: "/schemas/A/id",
    message: 'id must equal the key "A", found "B"',
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
    message: `${key} must be`,
  })),
  {
    code: "limit-invalid",
    document: property({ type: "string", format: "[0-9" }),
    pointer: `${BAR}/format`,
    message: 'format must be a regular expression, found "[0-9"',
  },
  {
    code: "limit-invalid",
    document: method({ mediaUpload: { maxSize: "much" } }),
    pointer: "/methods/get/mediaUpload/maxSize",
    message: 'maxSize must be a size such as "10MB", found "much"',
  },
  {
    code: "pattern-unsupported",
    document: method({
      parameters: {
        q: { type: "string", location: "query", pattern: "(?=a)" },
      },
    }),
    pointer: "/methods/get/parameters/q",
    message: "can't check the pattern of q",
    target: ["server"],
  },
  {
    code: "name-changed",
    document: description({
      schemas: { "a-b": { id: "a-b", type: "object" } },
    }),
    pointer: "/schemas/a-b",
    message: 'schema "a-b"',
  },
  {
    code: "paging-ambiguous",
    document: paging(),
    pointer: "/methods/list/response",
    message: "items are",
  },
  {
    code: "extension-invalid",
    document: method({ "x-status": "201" }),
    pointer: "/methods/get/x-status",
    message: '/methods/get/x-status must be an integer, found "201"',
  },
  {
    code: "extension-invalid",
    document: { ...method({}), "x-credential": { in: "cookie", name: "id" } },
    pointer: "/x-credential",
    message:
      '/x-credential/in must be one of "header", "query", found "cookie"',
  },
  {
    code: "extension-invalid",
    document: method({ "x-errors": { "4xx": { description: "Yours." } } }),
    pointer: "/methods/get/x-errors/4xx",
    message: 'x-errors must not have the key "4xx"',
  },
  {
    code: "extension-invalid",
    document: property({ type: "string", "x-nullable": "yes" }),
    pointer: `${BAR}/x-nullable`,
    message: "x-nullable must be a boolean",
  },
  {
    code: "extension-invalid",
    document: method({
      "x-headers": { page: { type: "string" } },
      parameters: numbers("page"),
    }),
    pointer: "/methods/get/x-headers/page",
    message: 'the header "page" has the same name as a parameter',
  },
  {
    code: "extension-invalid",
    document: failing({ msg: "{message}", no: "{code}" }),
    pointer: "/x-errors/404/body/no",
    message: 'must be of type integer, found "{code}"',
  },
  {
    code: "extension-invalid",
    document: failing({ msg: "{message}", other: 1 }),
    pointer: "/x-errors/404/body",
    message: 'must not have the undeclared property "other"',
  },
  {
    code: "extension-invalid",
    document: failing({ no: "{status}" }),
    pointer: "/x-errors/404/body",
    message: 'must have the property "msg"',
  },
  {
    code: "extension-unresolved",
    document: description({
      schemas: {
        Foo: { type: "object", properties: {}, "x-required": ["bar"] },
      },
    }),
    pointer: "/schemas/Foo/x-required",
    message: 'x-required contains "bar"',
  },
  {
    code: "extension-unresolved",
    document: method({ "x-credential": { in: "query", name: "api_key" } }),
    pointer: "/methods/get",
    message: 'x-credential contains "api_key", which is not a parameter',
  },
  {
    code: "extension-invalid",
    document: method({
      "x-paging": { page: "page", size: "size", link: "Link" },
      parameters: numbers("page", "size"),
    }),
    pointer: "/methods/get/x-paging",
    message: "demo.get: x-paging requires an array as the response",
  },
  {
    code: "extension-unresolved",
    document: method({
      "x-paging": { page: "page", size: "per_page", link: "Link" },
      parameters: numbers("page", "size"),
    }),
    pointer: "/methods/get/x-paging/size",
    message: 'x-paging contains "per_page", which is not a query parameter',
  },
  // Exports to OpenAPI and JSON Schema.
  {
    code: "export-renamed",
    document: description({
      schemas: { "a b": { id: "a b", type: "object" } },
    }),
    pointer: "/schemas/a b",
    message: 'schema "a b" has the name a_b',
    target: ["openapi"],
  },
  {
    code: "export-degraded",
    document: property({ type: "string", pattern: "[a-z]" }),
    pointer: `${BAR}/pattern`,
    message: 'the pattern "[a-z]" is not part of the exported schema',
    target: ["json-schema"],
  },
  {
    code: "export-path-shared",
    document: method({ httpMethod: "PROPFIND" }),
    pointer: "/methods/get",
    message: "PROPFIND /x of demo.get",
    target: ["openapi"],
  },
];

/** Returns a document with methods that have only a path. */
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
