import { description } from "../../support/generate.js";

/** Documents of a rule: one with a finding, one without. */
export interface RuleCase {
  readonly rule: string;
  readonly bad: object;
  readonly good: object;
  readonly pointer: string;
  /** Part of the message. */
  readonly message: string;
}

type Json = Readonly<Record<string, unknown>>;

const NAMED = { title: "Demo", description: "An example." };

const NUMBER = { type: "number" };

const api = (parts: Json): object => description({ ...NAMED, ...parts });

/** Document with a method `demo.get`, and optionally other parts. */
const method = (parts: Json, others: Json = {}): object =>
  api({
    methods: {
      get: {
        id: "demo.get",
        description: "Gets it.",
        path: "x",
        httpMethod: "GET",
        ...parts,
      },
    },
    ...others,
  });

/** Document with a method that has one parameter. */
const parameter = (raw: Json, parts: Json = {}): object =>
  method({
    parameters: {
      one: {
        type: "string",
        location: "query",
        description: "A value.",
        ...raw,
      },
    },
    ...parts,
  });

/** Document with a schema `Foo` that a method returns. */
const schema = (raw: Json, others: Json = {}): object =>
  method(
    { response: { $ref: "Foo" } },
    {
      schemas: {
        Foo: { id: "Foo", type: "object", description: "A foo.", ...raw },
        ...others,
      },
    },
  );

const property = (raw: Json): object =>
  schema({ properties: { bar: { description: "A bar.", ...raw } } });

const scoped = (declared: Json, scopes: readonly string[]): object =>
  method({ scopes }, { auth: { oauth2: { scopes: declared } } });

const A = { a: { description: "Reads." } };
const METHOD = "/methods/get";
const ONE = `${METHOD}/parameters/one`;
const BAR = "/schemas/Foo/properties/bar";

const TEXT = { type: "string", description: "A text." };

const paged = (names: readonly string[], fields: Json): object =>
  method(
    {
      response: { $ref: "Foo" },
      parameters: Object.fromEntries(
        names.map((name) => [name, { ...TEXT, location: "query" }]),
      ),
    },
    {
      schemas: {
        Foo: {
          id: "Foo",
          type: "object",
          description: "A page.",
          properties: fields,
        },
      },
    },
  );

/** A case for each rule of `src/validate/rules/`. */
export const ruleCases: readonly RuleCase[] = [
  {
    rule: "api-undescribed",
    bad: description({ title: "Demo", description: " " }),
    good: api({}),
    pointer: "",
    message: "the document has no description",
  },
  {
    rule: "method-undescribed",
    bad: method({ description: "" }),
    good: method({}),
    pointer: METHOD,
    message: "demo.get has no description",
  },
  {
    rule: "parameter-undescribed",
    bad: parameter({ description: undefined }),
    good: parameter({}),
    pointer: ONE,
    message: "demo.get: 1 of 1 parameter has no description (one)",
  },
  {
    rule: "property-undescribed",
    bad: schema({
      properties: {
        first: TEXT,
        second: {
          type: "object",
          description: "It.",
          properties: { inner: { type: "string" } },
        },
        third: { type: "string" },
      },
    }),
    good: schema(
      { properties: { bar: { $ref: "Bar" } } },
      { Bar: { id: "Bar", type: "object", description: "A bar." } },
    ),
    pointer: "/schemas/Foo/properties/second/properties/inner",
    message: "Foo: 2 of 4 properties have no description (second.inner, third)",
  },
  {
    rule: "schema-undescribed",
    bad: schema({ description: undefined }),
    good: schema({}),
    pointer: "/schemas/Foo",
    message: "the document: 1 of 1 schema has no description (Foo)",
  },
  {
    rule: "enum-undescribed",
    bad: property({
      type: "string",
      enum: ["A", "B"],
      enumDescriptions: ["", ""],
    }),
    good: property({
      type: "string",
      enum: ["A", "B"],
      enumDescriptions: ["One.", ""],
    }),
    pointer: BAR,
    message: "Foo: 1 of 1 enum has no descriptions of values (bar)",
  },
  {
    rule: "scope-undescribed",
    bad: scoped({ a: {}, b: { description: "B." } }, ["a", "b"]),
    good: scoped(A, ["a"]),
    pointer: "/auth/oauth2/scopes/a",
    message: "1 of 2 scopes has no description (a)",
  },
  {
    rule: "deprecated-unexplained",
    bad: property({ type: "string", deprecated: true }),
    good: property({
      type: "string",
      deprecated: true,
      description: "Use baz instead.",
    }),
    pointer: BAR,
    message: "Foo.bar is deprecated without a note",
  },
  {
    rule: "method-id-missing",
    bad: method({ id: undefined }),
    good: method({}),
    pointer: METHOD,
    message: "get has no id",
  },
  {
    rule: "method-id-mismatch",
    bad: method({ id: "demo.read" }),
    good: method({}),
    pointer: `${METHOD}/id`,
    message: 'id must be "demo.get", found "demo.read"',
  },
  {
    rule: "revision-format",
    bad: api({ revision: "20260230" }),
    good: api({ revision: "20240229" }),
    pointer: "/revision",
    message: 'found "20260230"',
  },
  {
    rule: "schema-id-missing",
    bad: schema({ id: undefined }),
    good: schema({}),
    pointer: "/schemas/Foo",
    message: "schema Foo has no id",
  },
  {
    rule: "url-invalid",
    bad: api({ documentationLink: "docs.example.com" }),
    good: api({ documentationLink: "" }),
    pointer: "/documentationLink",
    message: 'found "docs.example.com"',
  },
  {
    rule: "url-insecure",
    bad: api({ rootUrl: "http://demo.example.com/" }),
    good: api({ rootUrl: "http://localhost:8080/" }),
    pointer: "/rootUrl",
    message: "is not an https URL",
  },
  {
    rule: "url-inconsistent",
    bad: api({
      servicePath: "demo/",
      baseUrl: "https://demo.example.com/demos/",
    }),
    good: api({
      servicePath: "demo/",
      baseUrl: "https://demo.example.com/demo/",
      basePath: "/demo/",
    }),
    pointer: "/baseUrl",
    message: 'baseUrl must be "https://demo.example.com/demo/"',
  },
  {
    rule: "request-unexpected",
    bad: method(
      { request: { $ref: "Foo" } },
      { schemas: { Foo: { id: "Foo", type: "object" } } },
    ),
    good: method(
      { request: { $ref: "Foo" }, httpMethod: "DELETE" },
      { schemas: { Foo: { id: "Foo", type: "object" } } },
    ),
    pointer: `${METHOD}/request`,
    message: "demo.get is a GET with a request body",
  },
  {
    rule: "resource-empty",
    bad: api({ resources: { things: { methods: {} } } }),
    good: api({
      resources: {
        things: { methods: { get: { id: "demo.things.get", path: "t" } } },
      },
    }),
    pointer: "/resources/things",
    message: "resource things is empty",
  },
  {
    rule: "parameter-shadowed",
    bad: {
      ...parameter({}),
      parameters: { one: { ...TEXT, location: "query" } },
    },
    good: {
      ...parameter({}),
      parameters: { two: { ...TEXT, location: "query" } },
    },
    pointer: ONE,
    message: "demo.get: one has the same name as a common parameter",
  },
  {
    rule: "extension-unknown",
    bad: property({ type: "string", "x-nulable": true }),
    good: property({
      type: "string",
      "x-nullable": true,
      "x-vendor-note": "any",
    }),
    pointer: `${BAR}/x-nulable`,
    message: "did you mean x-nullable?",
  },
  {
    rule: "path-flat-mismatch",
    bad: method({
      path: "v1/{+name}:run",
      flatPath: "v1/things/{thingsId}:walk",
    }),
    good: method({
      path: "v1/{+name}:run",
      flatPath: "v1/things/{thingsId}:run",
    }),
    pointer: `${METHOD}/flatPath`,
    message: 'flatPath "v1/things/{thingsId}:walk" does not match path',
  },
  {
    rule: "path-absolute",
    bad: method({ path: "/x" }, { servicePath: "demo/" }),
    good: method({ path: "/x" }),
    pointer: `${METHOD}/path`,
    message: "starts with a slash",
  },
  {
    rule: "parameter-order-duplicate",
    bad: parameter({ required: true }, { parameterOrder: ["one", "one"] }),
    good: parameter({ required: true }, { parameterOrder: ["one"] }),
    pointer: `${METHOD}/parameterOrder/1`,
    message: "parameterOrder lists one twice",
  },
  {
    rule: "parameter-order-optional",
    bad: parameter({}, { parameterOrder: ["one"] }),
    good: parameter({ required: true }, { parameterOrder: ["one"] }),
    pointer: `${METHOD}/parameterOrder/0`,
    message: "lists one, which is optional",
  },
  {
    rule: "parameter-order-incomplete",
    bad: parameter({ required: true }, { parameterOrder: [] }),
    good: parameter({}, { parameterOrder: [] }),
    pointer: `${METHOD}/parameterOrder`,
    message: "does not list the required parameters (one)",
  },
  {
    rule: "path-parameter-optional",
    bad: parameter({ location: "path" }, { path: "x/{one}" }),
    good: parameter({ location: "path", required: true }, { path: "x/{one}" }),
    pointer: ONE,
    message: "demo.get: one is not required",
  },
  {
    rule: "path-parameter-repeated",
    bad: parameter(
      { location: "path", required: true, repeated: true },
      { path: "x/{one}" },
    ),
    good: parameter({ repeated: true }),
    pointer: `${ONE}/repeated`,
    message: "one is repeated",
  },
  {
    rule: "parameter-required-default",
    bad: parameter({ required: true, default: "me" }),
    good: parameter({ default: "me" }),
    pointer: `${ONE}/default`,
    message: "one is required and has a default",
  },
  {
    rule: "scope-undeclared",
    bad: scoped(A, ["a", "b"]),
    good: scoped(A, ["a"]),
    pointer: `${METHOD}/scopes/1`,
    message: 'demo.get requires the scope "b"',
  },
  {
    rule: "scope-unused",
    bad: scoped({ ...A, b: { description: "Writes." } }, ["a"]),
    good: scoped(A, ["a"]),
    pointer: "/auth/oauth2/scopes/b",
    message: 'no method requires the scope "b"',
  },
  {
    rule: "paging-incomplete",
    bad: paged(["pageToken"], {}),
    good: paged(["pageToken"], { nextPageToken: TEXT }),
    pointer: `${METHOD}/response`,
    message: "its response has no nextPageToken",
  },
  {
    rule: "paging-incomplete",
    bad: paged([], { nextPageToken: TEXT }),
    good: paged([], {}),
    pointer: `${METHOD}/response`,
    message: "the method has no parameter pageToken",
  },
  {
    rule: "upload-incomplete",
    bad: method({
      supportsMediaUpload: true,
      mediaUpload: { protocols: { simple: { multipart: true } } },
    }),
    good: method({
      supportsMediaUpload: true,
      mediaUpload: { protocols: { simple: { path: "/upload/x" } } },
    }),
    pointer: `${METHOD}/mediaUpload/protocols/simple`,
    message: "the protocol simple has no path",
  },
  {
    rule: "download-incomplete",
    bad: method({ useMediaDownloadService: true }),
    good: method({
      useMediaDownloadService: true,
      supportsMediaDownload: true,
    }),
    pointer: `${METHOD}/useMediaDownloadService`,
    message: "without supportsMediaDownload",
  },
  {
    rule: "schema-unreachable",
    bad: schema({}, { Bar: { id: "Bar", type: "object" } }),
    // A description names the schema of a value that has type any.
    good: schema(
      { properties: { bar: { type: "any", description: "A `Bar`." } } },
      {
        Bar: {
          id: "Bar",
          type: "object",
          properties: { baz: { $ref: "Baz" } },
        },
        Baz: { id: "Baz", type: "object" },
      },
    ),
    pointer: "/schemas/Bar",
    message: "not used by any method: 1 of 2 schemas (Bar)",
  },
  {
    rule: "required-method-unknown",
    bad: property({
      type: "string",
      annotations: { required: ["demo.get", "demo.put"] },
    }),
    good: property({ type: "string", annotations: { required: ["demo.get"] } }),
    pointer: `${BAR}/annotations/required/1`,
    message: 'lists "demo.put", which is not a method',
  },
  {
    rule: "required-read-only",
    bad: property({
      type: "string",
      readOnly: true,
      annotations: { required: ["demo.get"] },
    }),
    good: property({ type: "string", readOnly: true }),
    pointer: `${BAR}/readOnly`,
    message: "Foo.bar is both read-only and required",
  },
  {
    rule: "alternatives-overlap",
    bad: schema({ type: "any", "x-one-of": [{ type: "integer" }, NUMBER] }),
    good: schema({ type: "any", "x-one-of": [TEXT, NUMBER] }),
    pointer: "/schemas/Foo/x-one-of/1",
    message: "the alternatives 1 and 2 can have a common value",
  },
  {
    rule: "variant-property-missing",
    bad: schema(
      {
        variant: {
          discriminant: "kind",
          map: [{ type_value: "b", $ref: "Bar" }],
        },
      },
      { Bar: { id: "Bar", type: "object", properties: { other: TEXT } } },
    ),
    good: schema(
      {
        variant: {
          discriminant: "kind",
          map: [{ type_value: "b", $ref: "Bar" }],
        },
      },
      { Bar: { id: "Bar", type: "object", properties: { kind: TEXT } } },
    ),
    pointer: "/schemas/Foo/variant/map/0",
    message: "Bar does not declare the discriminant kind",
  },
  {
    rule: "limit-contradiction",
    bad: property({
      type: "string",
      format: "int64",
      minimum: "9007199254740993",
      maximum: "9007199254740992",
    }),
    good: property({
      type: "string",
      format: "int64",
      minimum: "9007199254740992",
      maximum: "9007199254740993",
    }),
    pointer: `${BAR}/minimum`,
    message: "is greater than maximum",
  },
  {
    rule: "limit-misplaced",
    bad: property({ type: "boolean", pattern: "^a" }),
    good: property({ type: "string", pattern: "^a" }),
    pointer: `${BAR}/pattern`,
    message: "Foo.bar: pattern has no effect on type boolean",
  },
  {
    rule: "default-invalid",
    bad: property({
      type: "integer",
      format: "int32",
      default: "11",
      maximum: "10",
    }),
    good: property({
      type: "integer",
      format: "int32",
      default: "10",
      maximum: "10",
    }),
    pointer: `${BAR}/default`,
    message: 'default "11" is greater than the maximum "10"',
  },
  {
    rule: "enum-ignored",
    bad: property({ type: "integer", enum: ["1", "2"] }),
    good: property({ type: "string", enum: ["1", "2"] }),
    pointer: `${BAR}/enum`,
    message: "enum has no effect on type integer",
  },
  {
    rule: "integer-inexact",
    bad: property({ type: "integer", format: "int64" }),
    good: property({ type: "string", format: "int64" }),
    pointer: `${BAR}/format`,
    message: "type integer with format int64",
  },
  {
    rule: "pattern-dialect",
    bad: property({ type: "string", pattern: "\\Aa" }),
    good: property({ type: "string", pattern: "^[\\w-.]+\\.\\d{2}$" }),
    pointer: `${BAR}/pattern`,
    message:
      "\\A in the pattern is the letter A in JavaScript and the start of the text in RE2",
  },
];
