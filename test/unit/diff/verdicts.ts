import type { Json } from "./document.js";

/** Verdicts for client, server and types: breaking, warning, or info. */
export type Letters = `${"B" | "W" | "I"}${"B" | "W" | "I"}${"B" | "W" | "I"}`;

/** Edit of the document, and each rule that must report it with its verdicts. */
export type Row = readonly [
  name: string,
  edit: (document: Json) => void,
  expected: Readonly<Record<string, Letters>>,
  /** Edit of the old document, and of the new one before `edit`. */
  before?: (document: Json) => void,
];

const method = (document: Json, name: string): Json =>
  document["resources"].books.methods[name];
const parameters = (document: Json, name: string): Json =>
  method(document, name)["parameters"];
const request = (document: Json): Json =>
  document["schemas"].SortRequest.properties;
const response = (document: Json): Json =>
  document["schemas"].SortResponse.properties;
const book = (document: Json): Json => document["schemas"].Book.properties;

const WRITE = "https://www.example.com/auth/shelf";
const READ = `${WRITE}.readonly`;

/** Path of a method that the document does not tell from others. */
const OPEN_NAME = {
  path: "{+bookId}",
};

function renameSchema(document: Json, old: string, name: string): void {
  const text = JSON.stringify(document["schemas"]).replaceAll(
    `"$ref":"${old}"`,
    `"$ref":"${name}"`,
  );
  document["schemas"] = JSON.parse(text);
  document["schemas"][name] = { ...document["schemas"][old], id: name };
  delete document["schemas"][old];
  document["resources"] = JSON.parse(
    JSON.stringify(document["resources"]).replaceAll(
      `"$ref":"${old}"`,
      `"$ref":"${name}"`,
    ),
  );
}

/**
 * Changes and their expected verdicts. Written before the rules; rows of which
 * other tools differ or dispute the verdict are marked.
 */
export const rows: readonly Row[] = [
  // Documents
  [
    "rootUrl",
    (d) => (d["rootUrl"] = "https://other.example.com/"),
    { "root-url-changed": "BII" },
  ],
  [
    "servicePath",
    (d) => (d["servicePath"] = "shelf/v2/"),
    { "service-path-changed": "BII" },
  ],
  [
    "batchPath",
    (d) => (d["batchPath"] = "batch/shelf/v1"),
    { "batch-path-changed": "BII" },
  ],
  [
    "batchPath removed",
    (d) => delete d["batchPath"],
    { "batch-path-removed": "BIB" },
  ],
  ["title", (d) => (d["title"] = "Shelves"), { "information-changed": "III" }],
  [
    "label deprecated",
    (d) => (d["labels"] = ["deprecated"]),
    { "api-deprecated": "WII", "information-changed": "III" },
  ],
  [
    "label limited_availability",
    (d) => (d["labels"] = ["limited_availability"]),
    { "information-changed": "III" },
  ],
  [
    "deprecated resource",
    (d) => (d["resources"].books.deprecated = true),
    { "resource-deprecated": "WII" },
  ],
  [
    "resource no longer deprecated",
    (d) => delete d["resources"].books.deprecated,
    { "resource-undeprecated": "III" },
    (d) => (d["resources"].books.deprecated = true),
  ],
  [
    "deprecated endpoint",
    (d) => (d["endpoints"][0].deprecated = true),
    { "endpoint-deprecated": "WII" },
    (d) =>
      (d["endpoints"] = [
        { location: "us", endpointUrl: "https://us.example.com/" },
      ]),
  ],
  [
    "endpoint no longer deprecated",
    (d) => delete d["endpoints"][0].deprecated,
    { "endpoint-undeprecated": "III" },
    (d) =>
      (d["endpoints"] = [
        {
          location: "us",
          endpointUrl: "https://us.example.com/",
          deprecated: true,
        },
      ]),
  ],
  [
    "description of an endpoint",
    (d) => (d["endpoints"][0].description = "Data stays in the US."),
    { "endpoint-description-changed": "III" },
    (d) =>
      (d["endpoints"] = [
        { location: "us", endpointUrl: "https://us.example.com/" },
      ]),
  ],
  [
    "canonicalName",
    (d) => (d["canonicalName"] = "Bookshelf"),
    { "api-name-changed": "IIB" },
  ],
  ["revision and etag", (d) => ((d["revision"] = "2"), (d["etag"] = "x")), {}],
  [
    "unknown field of the document",
    (d) => (d["x-owner"] = "team"),
    { "document-field-changed": "III" },
  ],
  [
    "extension of the document",
    (d) => (d["x-errors"] = [{ status: "404", description: "Missing." }]),
    { "document-field-changed": "WWI" },
  ],
  [
    "unknown field of a schema",
    (d) => (d["schemas"].Book["x-table"] = "books"),
    { "other-changed": "III" },
  ],
  [
    "scope declared",
    (d) => (d["auth"].oauth2.scopes["https://x.example/auth/new"] = {}),
    { "declared-scope-added": "III" },
  ],
  [
    "scope no longer declared",
    (d) => {
      delete d["auth"].oauth2.scopes[READ];
      for (const resource of ["books", "shelves"])
        for (const each of Object.values<Json>(
          d["resources"][resource].methods,
        ))
          each["scopes"] = [WRITE];
    },
    {
      "declared-scope-removed": "IIB",
      "scope-removed": "BII",
      "scope-added": "III",
    },
  ],
  [
    "common parameter removed",
    (d) => delete d["parameters"].quotaUser,
    { "parameter-removed": "BBB" },
  ],
  [
    "value of alt removed",
    (d) => (d["parameters"].alt.enum = ["json", "media"]),
    { "enum-value-removed": "BWB" },
  ],

  // Methods
  [
    "method added",
    (d) =>
      (d["resources"].books.methods.touch = {
        id: "shelf.books.touch",
        path: "books:touch",
        httpMethod: "POST",
      }),
    { "method-added": "IWI" },
  ],
  [
    "method removed",
    (d) => delete d["resources"].books.methods.delete,
    { "method-removed": "BBB" },
  ],
  [
    "method renamed",
    (d) => {
      const { list, ...rest } = d["resources"].books.methods;
      rest.search = { ...list, id: "shelf.books.search" };
      d["resources"].books.methods = rest;
    },
    { "method-renamed": "IBB" },
  ],
  [
    "method renamed whose schema with alternatives is renamed too",
    (d) => {
      renameSchema(d, "SortRequest", "OrderRequest");
      const { sort, ...rest } = d["resources"].books.methods;
      rest.order = { ...sort, id: "shelf.books.order" };
      d["resources"].books.methods = rest;
    },
    { "method-renamed": "IBB", "schema-renamed": "IIB" },
    (d) =>
      (request(d)["content"] = {
        type: "any",
        "x-one-of": [{ type: "string" }, { $ref: "Author" }],
      }),
  ],
  [
    "only the id of a method",
    (d) => (method(d, "list")["id"] = "shelf.books.all"),
    { "method-id-changed": "III" },
  ],
  [
    "method moved to another resource",
    (d) => {
      d["resources"].shelves.methods.sort = method(d, "sort");
      delete d["resources"].books.methods.sort;
    },
    { "method-moved": "IBB" },
  ],
  [
    "method removed, and another with its URL and a different response",
    (d) => {
      const { list, ...rest } = d["resources"].books.methods;
      rest.search = {
        ...list,
        id: "shelf.books.search",
        response: { $ref: "Author" },
      };
      d["resources"].books.methods = rest;
    },
    {
      "method-removed": "BBB",
      "method-added": "IWI",
    },
  ],
  [
    "method removed, and another with the path v1/{+name}",
    (d) => {
      const { get, ...rest } = d["resources"].books.methods;
      const { flatPath: _, ...other } = get;
      rest.read = { ...other, id: "shelf.books.read", ...OPEN_NAME };
      d["resources"].books.methods = rest;
    },
    { "method-removed": "BBB", "method-added": "IWI" },
    (d) => {
      const { get } = d["resources"].books.methods;
      delete get.flatPath;
      Object.assign(get, OPEN_NAME);
    },
  ],
  [
    "HTTP method",
    (d) => (method(d, "sort")["httpMethod"] = "PUT"),
    { "http-method-changed": "BII" },
  ],
  [
    "path",
    (d) => (method(d, "sort")["path"] = "books:order"),
    { "path-changed": "BII" },
  ],
  [
    "path parameter renamed (disputed: the URL is the same)",
    (d) => {
      const { bookId, ...rest } = parameters(d, "get");
      Object.assign(method(d, "get"), {
        path: "books/{id}",
        flatPath: "books/{id}",
        parameterOrder: ["id"],
        parameters: { ...rest, id: bookId },
      });
    },
    { "path-parameter-renamed": "IBB" },
  ],
  [
    "flatPath only",
    (d) => (method(d, "get")["flatPath"] = "books/{booksId}/x"),
    { "flat-path-changed": "WWI" },
  ],
  [
    "variable of flatPath only",
    (d) => (method(d, "get")["flatPath"] = "books/{booksId}"),
    { "flat-path-changed": "III" },
  ],
  [
    "request body added",
    (d) => (method(d, "delete")["request"] = { $ref: "SortKey" }),
    { "request-added": "WII" },
  ],
  [
    "request body removed",
    (d) => delete method(d, "sort")["request"],
    { "request-removed": "BBB" },
  ],
  [
    "response body added",
    (d) => (method(d, "delete")["response"] = { $ref: "SortResponse" }),
    { "response-added": "IBW" },
  ],
  [
    "response body removed",
    (d) => delete method(d, "sort")["response"],
    { "response-removed": "BBB" },
  ],
  [
    "response type changed",
    (d) => (method(d, "sort")["response"] = { $ref: "Author" }),
    { "schema-replaced": "BBB" },
  ],
  [
    "response type changed to one of the same structure",
    (d) => {
      d["schemas"].Twin = {
        ...structuredClone(d["schemas"].SortResponse),
        id: "Twin",
      };
      method(d, "sort")["response"] = { $ref: "Twin" };
    },
    {
      "schema-replaced": "III",
      "schema-added": "III",
      // The names of equal inline enums conflict.
      "type-name-changed": "IIB",
    },
  ],
  [
    "scope of a method added",
    (d) => method(d, "sort")["scopes"].push(READ),
    { "scope-added": "III" },
  ],
  [
    "scope of a method removed",
    (d) => method(d, "get")["scopes"].shift(),
    { "scope-removed": "BII" },
  ],
  [
    "scopes required",
    (d) => (method(d, "sort")["scopes"] = [WRITE]),
    { "scopes-required": "BII" },
    (d) => delete method(d, "sort")["scopes"],
  ],
  [
    "no scopes required any more",
    (d) => (method(d, "sort")["scopes"] = []),
    { "scopes-dropped": "III" },
  ],
  [
    "media upload removed",
    (d) => {
      delete method(d, "insert")["mediaUpload"];
      delete method(d, "insert")["supportsMediaUpload"];
    },
    { "upload-removed": "BBB" },
  ],
  [
    "resumable upload removed",
    (d) => delete method(d, "insert")["mediaUpload"].protocols.resumable,
    { "upload-protocol-removed": "BII" },
  ],
  [
    "upload path",
    (d) =>
      (method(d, "insert")["mediaUpload"].protocols.simple.path = "/up/books"),
    { "upload-path-changed": "BII" },
  ],
  [
    "smaller uploads",
    (d) => (method(d, "insert")["mediaUpload"].maxSize = "1MB"),
    { "upload-limited": "BII" },
  ],
  [
    "other types of uploads",
    (d) => (method(d, "insert")["mediaUpload"].accept = ["image/png"]),
    { "upload-limited": "BII" },
  ],
  [
    "upload added",
    (d) =>
      (method(d, "sort")["mediaUpload"] = {
        protocols: { simple: { path: "/up/sort" } },
      }),
    { "upload-added": "IWI" },
  ],
  [
    "media download removed",
    (d) => (method(d, "get")["supportsMediaDownload"] = false),
    { "download-removed": "BBB" },
  ],
  [
    "media download added",
    (d) => (method(d, "sort")["supportsMediaDownload"] = true),
    { "download-added": "IWI" },
  ],
  [
    "method deprecated",
    (d) => (method(d, "sort")["deprecated"] = true),
    { "method-deprecated": "WII" },
  ],
  [
    "description only",
    (d) => (method(d, "sort")["description"] = "Sorts books."),
    { "description-changed": "III" },
  ],
  [
    "API version",
    (d) => (method(d, "sort")["apiVersion"] = "2026-01-01"),
    { "api-version-changed": "WII" },
  ],
  [
    "pages lost",
    (d) => delete d["schemas"].BookList.properties.nextPageToken,
    { "property-removed": "BBB", "call-type-changed": "IIB" },
  ],
  [
    "items of pages ambiguous",
    (d) =>
      (d["schemas"].BookList.properties.authors = {
        type: "array",
        items: { $ref: "Author" },
      }),
    { "property-added": "III" },
  ],

  // Parameters
  [
    "optional parameter added",
    (d) =>
      (parameters(d, "list")["sort"] = { type: "string", location: "query" }),
    { "parameter-added": "III" },
  ],
  [
    "required parameter added",
    (d) =>
      (parameters(d, "list")["sort"] = {
        type: "string",
        location: "query",
        required: true,
      }),
    { "required-parameter-added": "BIB" },
  ],
  [
    "required parameter with a default added (disputed)",
    (d) =>
      (parameters(d, "list")["sort"] = {
        type: "string",
        location: "query",
        required: true,
        default: "title",
      }),
    { "required-parameter-added": "WIB" },
  ],
  [
    "parameter removed",
    (d) => delete parameters(d, "list")["q"],
    { "parameter-removed": "BBB" },
  ],
  [
    "parameter required",
    (d) => (parameters(d, "list")["q"].required = true),
    { "parameter-required": "BIB" },
  ],
  [
    "parameter with a default required (disputed)",
    (d) => (parameters(d, "list")["pageSize"].required = true),
    { "parameter-required": "WIB" },
  ],
  [
    "default added together with required (disputed)",
    (d) =>
      Object.assign(parameters(d, "list")["q"], {
        required: true,
        default: "a",
      }),
    { "parameter-required": "WIB", "default-added": "III" },
  ],
  [
    "parameter optional",
    (d) => delete parameters(d, "list")["q"].required,
    { "parameter-optional": "IBI" },
    (d) => (parameters(d, "list")["q"].required = true),
  ],
  [
    "repeated on",
    (d) => (parameters(d, "list")["q"].repeated = true),
    { "parameter-repeated": "IBB" },
  ],
  [
    "repeated off",
    (d) => delete parameters(d, "list")["label"].repeated,
    { "parameter-not-repeated": "BBB" },
  ],
  [
    "default changed",
    (d) => (parameters(d, "list")["pageSize"].default = "50"),
    { "default-changed": "WWI" },
  ],
  [
    "default removed",
    (d) => delete parameters(d, "list")["pageSize"].default,
    { "default-removed": "WBI" },
  ],
  [
    "smaller maximum",
    (d) => (parameters(d, "list")["pageSize"].maximum = "50"),
    { "limit-narrowed": "BII" },
  ],
  [
    "larger maximum",
    (d) => (parameters(d, "list")["pageSize"].maximum = "500"),
    { "limit-widened": "IWI" },
  ],
  [
    "larger minimum",
    (d) => (parameters(d, "list")["pageSize"].minimum = "2"),
    { "limit-narrowed": "BII" },
  ],
  [
    "pattern changed",
    (d) => (parameters(d, "list")["q"].pattern = "^[a-f]+$"),
    { "pattern-changed": "BWI" },
  ],
  [
    "pattern removed",
    (d) => delete parameters(d, "list")["q"].pattern,
    { "pattern-removed": "IWI" },
  ],
  [
    "parameter enum value removed (disputed)",
    (d) => (parameters(d, "get")["view"].enum = ["BASIC"]),
    { "enum-value-removed": "BWW" },
  ],
  [
    "parameter enum value added",
    (d) => parameters(d, "get")["view"].enum.push("TINY"),
    { "enum-value-added": "IWI" },
  ],
  [
    "parameter enum dropped",
    (d) => delete parameters(d, "get")["view"].enum,
    { "enum-removed": "IWB" },
  ],
  [
    "parameter with a new enum",
    (d) => (parameters(d, "list")["q"].enum = ["a", "b"]),
    { "enum-added": "BII" },
  ],
  [
    "parameter int64 to int32",
    (d) =>
      (parameters(d, "get")["revision"] = {
        type: "integer",
        format: "int32",
        location: "query",
      }),
    { "type-changed": "BBB" },
  ],
  [
    "parameter deprecated",
    (d) => (parameters(d, "list")["q"].deprecated = true),
    { "parameter-deprecated": "WII" },
  ],

  // Properties of requests
  [
    "request property added",
    (d) => (request(d)["extra"] = { type: "string" }),
    { "property-added": "III" },
  ],
  [
    "required request property added",
    (d) => (request(d)["extra"] = { type: "string", required: true }),
    { "required-property-added": "BIB" },
  ],
  [
    "required request property with a default added (disputed)",
    (d) =>
      (request(d)["extra"] = { type: "string", required: true, default: "a" }),
    { "required-property-added": "BIB" },
  ],
  [
    "request property removed",
    (d) => delete request(d)["label"],
    { "property-removed": "BBB" },
  ],
  [
    "request property required",
    (d) => (request(d)["label"].required = true),
    { "property-required": "BIB" },
  ],
  [
    "request property required by a method",
    (d) =>
      (request(d)["label"].annotations = { required: ["shelf.books.sort"] }),
    { "body-member-required": "BIB" },
  ],
  [
    "request property read-only",
    (d) => (request(d)["label"].readOnly = true),
    { "property-read-only": "BBB" },
  ],
  [
    "request enum value removed (disputed)",
    (d) => (request(d)["by"].enum = ["TITLE"]),
    { "enum-value-removed": "BWW" },
  ],
  [
    "request enum value added",
    (d) => request(d)["by"].enum.push("WEIGHT"),
    { "enum-value-added": "IWI" },
  ],
  [
    "request int32 to int64 (number to string)",
    (d) => (request(d)["limit"] = { type: "string", format: "int64" }),
    { "type-changed": "BBB", "limit-widened": "IWI" },
  ],
  [
    "request maxLength",
    (d) => (request(d)["code"].maxLength = 5),
    { "limit-narrowed": "BII" },
  ],
  [
    "request pattern",
    (d) => (request(d)["label"].pattern = "^a$"),
    { "pattern-changed": "BWI" },
  ],
  [
    "request array to object (missed by others)",
    (d) =>
      (request(d)["names"] = {
        type: "object",
        additionalProperties: { type: "string" },
      }),
    { "array-changed": "BBB" },
  ],
  [
    "request map values retyped",
    (d) => (request(d)["options"].additionalProperties = { type: "boolean" }),
    { "type-changed": "BBB" },
  ],
  [
    "request property of any type",
    (d) => (request(d)["label"] = { type: "any" }),
    { "type-widened": "IBI" },
  ],

  // Properties of responses
  [
    "response property added",
    (d) => (response(d)["extra"] = { type: "string" }),
    { "property-added": "III" },
  ],
  [
    "required response property added",
    (d) => (response(d)["extra"] = { type: "string", required: true }),
    { "required-property-added": "IBW" },
  ],
  [
    "response property removed",
    (d) => delete response(d)["note"],
    { "property-removed": "BBB" },
  ],
  [
    "response property optional",
    (d) => delete response(d)["title"].required,
    { "property-optional": "BIB" },
  ],
  [
    "response property required",
    (d) => (response(d)["note"].required = true),
    { "property-required": "IBW" },
  ],
  [
    "response enum value removed (disputed: no client fails)",
    (d) => (response(d)["order"].enum = ["UP"]),
    { "enum-value-removed": "IBW" },
  ],
  [
    "response enum value added (open enums)",
    (d) => response(d)["order"].enum.push("FLAT"),
    { "enum-value-added": "WII" },
  ],
  [
    "response enum dropped",
    (d) => delete response(d)["order"].enum,
    { "enum-removed": "WIB" },
  ],
  [
    "response int32 to int64 (number to string)",
    (d) => (response(d)["count"] = { type: "string", format: "int64" }),
    { "type-changed": "BBB" },
  ],
  [
    "response array to object (missed by others)",
    (d) =>
      (response(d)["names"] = {
        type: "object",
        properties: { a: { type: "string" } },
      }),
    { "array-changed": "BBB" },
  ],
  [
    "response number with a format (NaN as string)",
    (d) => (response(d)["unit"].format = "double"),
    { "double-added": "WIB" },
  ],
  [
    "response property nullable",
    (d) => (response(d)["note"]["x-nullable"] = true),
    { "nullable-added": "BIB" },
  ],
  [
    "response property of a fixed type",
    (d) => (response(d)["any"] = { type: "string" }),
    { "type-narrowed": "IBW" },
  ],
  [
    "property deprecated",
    (d) => (response(d)["note"].deprecated = true),
    { "property-deprecated": "WII" },
  ],

  // Schemas
  [
    "schema renamed only (disputed: two verdicts)",
    (d) => renameSchema(d, "SortKey", "SortField"),
    { "schema-renamed": "IIB" },
  ],
  [
    "schema renamed that lists use",
    (d) => renameSchema(d, "Author", "Writer"),
    { "schema-renamed": "IIB" },
  ],
  [
    "schema added",
    (d) => (d["schemas"].Extra = { id: "Extra", type: "object" }),
    { "schema-added": "III" },
  ],
  [
    "unused schema removed",
    (d) => delete d["schemas"].Unused,
    { "schema-removed": "IIB" },
  ],
  [
    "property of an unused schema removed",
    (d) => delete d["schemas"].Unused.properties.topic,
    { "property-removed": "BBB" },
  ],
  [
    "inline schema replaced by an equal named one",
    (d) => {
      const shelves = d["schemas"].ShelfList.properties.shelves;
      d["schemas"].Shelf = { id: "Shelf", ...shelves.items };
      shelves.items = { $ref: "Shelf" };
    },
    { "schema-renamed": "IIB" },
  ],
  [
    "property of a schema of requests and responses retyped",
    (d) => (book(d)["pages"] = { type: "string" }),
    { "type-changed": "BBB" },
  ],
  [
    "read-only property removed",
    (d) => delete book(d)["id"],
    { "property-removed": "BBB", "input-type-removed": "IIB" },
  ],

  // Remaining rules
  [
    "endpoints",
    (d) =>
      (d["endpoints"] = [
        { location: "eu", endpointUrl: "https://eu2.example.com/" },
        { location: "asia", endpointUrl: "https://asia.example.com/" },
      ]),
    {
      "endpoint-added": "III",
      "endpoint-changed": "WII",
      "endpoint-removed": "WIB",
    },
    (d) =>
      (d["endpoints"] = [
        { location: "us", endpointUrl: "https://us.example.com/" },
        { location: "eu", endpointUrl: "https://eu.example.com/" },
      ]),
  ],
  [
    "features",
    (d) => (d["features"] = ["dataWrapper"]),
    { "feature-changed": "BII" },
  ],
  [
    "a method that takes the constant of another",
    (d) =>
      (d["resources"].books.methods.bulkSort = {
        id: "shelf.books.bulkSort",
        path: "books:bulk",
        httpMethod: "POST",
      }),
    { "method-added": "IWI", "export-renamed": "IIB" },
    (d) => {
      d["resources"].books.methods["bulk-sort"] = {
        id: "shelf.books.bulk-sort",
        path: "books:bulkSort",
        httpMethod: "POST",
      };
    },
  ],
  [
    "request property no longer required by a method",
    (d) => delete request(d)["label"].annotations,
    { "body-member-optional": "IBI" },
    (d) =>
      (request(d)["label"].annotations = { required: ["shelf.books.sort"] }),
  ],
  [
    "larger uploads",
    (d) => (method(d, "insert")["mediaUpload"].maxSize = "1GB"),
    { "upload-extended": "IWI" },
  ],
  [
    "no longer deprecated",
    (d) => {
      delete method(d, "sort")["deprecated"];
      delete parameters(d, "list")["q"].deprecated;
      delete response(d)["note"].deprecated;
    },
    {
      "method-undeprecated": "III",
      "parameter-undeprecated": "III",
      "property-undeprecated": "III",
    },
    (d) => {
      method(d, "sort")["deprecated"] = true;
      parameters(d, "list")["q"].deprecated = true;
      response(d)["note"].deprecated = true;
    },
  ],
  [
    "response headers",
    (d) =>
      (method(d, "sort")["x-response-headers"] = {
        "X-New": { type: "string" },
      }),
    { "response-header-added": "III", "response-header-removed": "BBB" },
    (d) =>
      (method(d, "sort")["x-response-headers"] = {
        "X-Old": { type: "string" },
      }),
  ],
  [
    "request header",
    (d) =>
      (method(d, "sort")["x-headers"] = {
        "X-Tenant": { type: "string", required: true },
      }),
    { "required-parameter-added": "BIB" },
  ],
  [
    "extension of a method",
    (d) => (method(d, "sort")["etagRequired"] = true),
    { "method-extension-changed": "WWI" },
  ],
  [
    "query parameter moved to the path",
    (d) => {
      method(d, "list")["path"] = "books/by/{q}";
      parameters(d, "list")["q"].location = "path";
    },
    {
      "path-changed": "BII",
      "parameter-location-changed": "BII",
      "parameter-required": "BIB",
    },
  ],
  [
    "property writable",
    (d) => delete book(d)["id"].readOnly,
    { "property-writable": "III", "input-type-removed": "IIB" },
  ],
  [
    "a schema that takes the type name of an inline enum",
    (d) => (d["schemas"].BookState = { id: "BookState", type: "object" }),
    { "schema-added": "III", "type-name-changed": "IIB" },
  ],
  [
    "undeclared properties of a request",
    (d) => (d["schemas"].SortRequest.additionalProperties = { type: "string" }),
    { "undeclared-properties-allowed": "IWI" },
  ],
  [
    "no undeclared properties of a response",
    (d) => delete d["schemas"].SortResponse.additionalProperties,
    { "undeclared-properties-removed": "IBB" },
    (d) =>
      (d["schemas"].SortResponse.additionalProperties = { type: "string" }),
  ],
  [
    "variant of a response",
    (d) =>
      (d["schemas"].Shape.variant = {
        discriminant: "form",
        map: [
          { type_value: "a", $ref: "Author" },
          { type_value: "c", $ref: "SortKey" },
        ],
      }),
    {
      "discriminant-changed": "BBB",
      "variant-option-added": "WIW",
      "variant-option-removed": "IBB",
    },
    (d) => {
      d["schemas"].Shape = {
        id: "Shape",
        type: "object",
        variant: {
          discriminant: "kind",
          map: [
            { type_value: "a", $ref: "Author" },
            { type_value: "b", $ref: "SortKey" },
          ],
        },
      };
      response(d)["shape"] = { $ref: "Shape" };
    },
  ],
  [
    "alternatives of a request",
    (d) =>
      (request(d)["content"]["x-one-of"] = [
        { type: "string" },
        { type: "array", items: { type: "integer" } },
        { $ref: "Author" },
      ]),
    {
      "alternative-added": "IBI",
      "alternative-removed": "BIB",
      "type-changed": "BBB",
    },
    (d) =>
      (request(d)["content"] = {
        type: "any",
        "x-one-of": [
          { type: "string" },
          { type: "array", items: { type: "string" } },
          { type: "boolean" },
        ],
      }),
  ],
  [
    "alternatives of a response",
    (d) => response(d)["content"]["x-one-of"].push({ type: "boolean" }),
    { "alternative-added": "BIB" },
    (d) =>
      (response(d)["content"] = {
        type: "any",
        "x-one-of": [{ type: "string" }, { type: "integer" }],
      }),
  ],
  [
    "a type that became an alternative",
    (d) =>
      (request(d)["content"] = {
        type: "any",
        "x-one-of": [{ type: "string" }, { type: "integer" }],
      }),
    { "type-widened": "IBI" },
    (d) => (request(d)["content"] = { type: "string" }),
  ],
  [
    "an alternative that became the type",
    (d) => (request(d)["content"] = { type: "string" }),
    { "type-narrowed": "BIB" },
    (d) =>
      (request(d)["content"] = {
        type: "any",
        "x-one-of": [{ type: "string" }, { type: "integer" }],
      }),
  ],
  [
    "schema deprecated",
    (d) => (d["schemas"].Author.deprecated = true),
    { "schema-deprecated": "WII" },
  ],
  [
    "integer of a request with a fraction",
    (d) => (request(d)["limit"] = { type: "number", maximum: "10" }),
    { "integer-widened": "IWI" },
  ],
  [
    "integer of a response with a fraction (disputed)",
    (d) => (response(d)["count"] = { type: "number" }),
    { "integer-widened": "BIW" },
  ],
  [
    "number of a response without a fraction",
    (d) => (response(d)["unit"] = { type: "integer" }),
    { "integer-narrowed": "IWI" },
  ],
  [
    "integer of a request with a smaller range",
    (d) => (parameters(d, "list")["pageSize"].format = "uint32"),
    { "format-changed": "WWI" },
  ],
  [
    "int32 to int64 of the type integer",
    (d) => (request(d)["limit"].format = "int64"),
    { "format-widened": "IWI" },
  ],
  [
    "string with the format of integers",
    (d) => (request(d)["label"].format = "int64"),
    { "format-narrowed": "BII" },
  ],
  [
    "string with a date",
    (d) => (response(d)["note"].format = "date-time"),
    { "format-changed": "WWI" },
  ],
  [
    "number of a response without a format",
    (d) => delete response(d)["unit"].format,
    { "double-removed": "IWI" },
    (d) => (response(d)["unit"].format = "double"),
  ],
  [
    "property of a request not nullable",
    (d) => delete request(d)["label"]["x-nullable"],
    { "nullable-removed": "BIB" },
    (d) => (request(d)["label"]["x-nullable"] = true),
  ],
  [
    "enum value deprecated",
    (d) => (response(d)["order"].enumDeprecated = [false, true]),
    { "enum-value-deprecated": "WII" },
  ],
  [
    "enum of a request closed",
    (d) => delete request(d)["by"]["x-open-enum"],
    { "enum-closed": "BII" },
    (d) => (request(d)["by"]["x-open-enum"] = true),
  ],
  [
    "enum of a response opened",
    (d) => (response(d)["order"]["x-open-enum"] = true),
    { "enum-opened": "WII" },
  ],
  [
    "servicePath moved to paths",
    (d) => {
      d["servicePath"] = "";
      for (const resource of Object.values<Json>(d["resources"]))
        for (const each of Object.values<Json>(resource["methods"])) {
          each["path"] = `shelf/v1/${each["path"]}`;
          delete each["flatPath"];
        }
    },
    { "service-path-changed": "III" },
  ],
  [
    "a value of one of two equal enums",
    (d) => d["schemas"].First.properties.color.enum.push("GREEN"),
    { "enum-value-added": "WWI", "type-name-changed": "III" },
    (d) => {
      for (const id of ["First", "SecondOne"])
        d["schemas"][id] = {
          id,
          type: "object",
          properties: { color: { type: "string", enum: ["RED", "BLUE"] } },
        };
    },
  ],
];
