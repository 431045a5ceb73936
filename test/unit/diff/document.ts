import { description } from "../../support/generate.js";

/** JSON object that an edit changes. */
export type Json = Record<string, any>;

const READ = "https://www.example.com/auth/shelf.readonly";
const WRITE = "https://www.example.com/auth/shelf";

/** Returns a new copy of a document with each construct that the rules compare. */
export function shelfDocument(): Json {
  return structuredClone(
    description({
      id: "shelf:v1",
      name: "shelf",
      revision: "20260101",
      title: "Shelf",
      servicePath: "shelf/v1/",
      batchPath: "batch/shelf",
      auth: {
        oauth2: {
          scopes: {
            [READ]: { description: "View books" },
            [WRITE]: { description: "Manage books" },
          },
        },
      },
      parameters: {
        alt: {
          type: "string",
          enum: ["json", "media", "proto"],
          location: "query",
        },
        quotaUser: { type: "string", location: "query" },
      },
      resources: { books, shelves: { methods: { list: shelfList } } },
      schemas,
    }),
  );
}

const bookId = { type: "string", location: "path", required: true };

const books = {
  methods: {
    get: {
      id: "shelf.books.get",
      path: "books/{bookId}",
      flatPath: "books/{bookId}",
      httpMethod: "GET",
      parameterOrder: ["bookId"],
      parameters: {
        bookId,
        view: { type: "string", location: "query", enum: ["BASIC", "FULL"] },
        revision: { type: "string", location: "query", format: "int64" },
      },
      response: { $ref: "Book" },
      scopes: [READ, WRITE],
      supportsMediaDownload: true,
    },
    list: {
      id: "shelf.books.list",
      path: "books",
      httpMethod: "GET",
      parameters: {
        pageToken: { type: "string", location: "query" },
        pageSize: {
          type: "integer",
          format: "int32",
          location: "query",
          minimum: "1",
          maximum: "100",
          default: "20",
        },
        q: { type: "string", location: "query", pattern: "^[a-z]+$" },
        label: { type: "string", location: "query", repeated: true },
      },
      response: { $ref: "BookList" },
      scopes: [READ, WRITE],
    },
    insert: {
      id: "shelf.books.insert",
      path: "books",
      httpMethod: "POST",
      request: { $ref: "Book" },
      response: { $ref: "Book" },
      scopes: [WRITE],
      supportsMediaUpload: true,
      mediaUpload: {
        accept: ["image/*"],
        maxSize: "10MB",
        protocols: {
          simple: { multipart: true, path: "/upload/shelf/v1/books" },
          resumable: {
            multipart: true,
            path: "/resumable/upload/shelf/v1/books",
          },
        },
      },
    },
    sort: {
      id: "shelf.books.sort",
      path: "books:sort",
      httpMethod: "POST",
      request: { $ref: "SortRequest" },
      response: { $ref: "SortResponse" },
      scopes: [WRITE],
    },
    delete: {
      id: "shelf.books.delete",
      path: "books/{bookId}",
      httpMethod: "DELETE",
      parameterOrder: ["bookId"],
      parameters: { bookId },
      scopes: [WRITE],
    },
  },
};

const shelfList = {
  id: "shelf.shelves.list",
  path: "shelves",
  httpMethod: "GET",
  response: { $ref: "ShelfList" },
  scopes: [READ],
};

const schemas = {
  Book: {
    id: "Book",
    type: "object",
    properties: {
      id: { type: "string", readOnly: true },
      title: { type: "string", description: "Title." },
      pages: { type: "integer", format: "int32" },
      state: { type: "string", enum: ["NEW", "USED"] },
      authors: { type: "array", items: { $ref: "Author" } },
      weight: { type: "number" },
    },
  },
  Author: {
    id: "Author",
    type: "object",
    properties: { name: { type: "string" } },
  },
  BookList: {
    id: "BookList",
    type: "object",
    properties: {
      books: { type: "array", items: { $ref: "Book" } },
      nextPageToken: { type: "string" },
    },
  },
  SortRequest: {
    id: "SortRequest",
    type: "object",
    properties: {
      by: { type: "string", enum: ["TITLE", "PAGES"] },
      key: { $ref: "SortKey" },
      limit: { type: "integer", format: "int32", maximum: "10" },
      code: { type: "string", pattern: "^[a-z]+$", maxLength: 10 },
      names: { type: "array", items: { type: "string" } },
      options: { type: "object", additionalProperties: { type: "string" } },
      label: { type: "string" },
    },
  },
  SortKey: {
    id: "SortKey",
    type: "object",
    properties: { field: { type: "string" } },
  },
  SortResponse: {
    id: "SortResponse",
    type: "object",
    properties: {
      order: { type: "string", enum: ["UP", "DOWN"] },
      count: { type: "integer", format: "int32" },
      names: { type: "array", items: { type: "string" } },
      any: { type: "any" },
      title: { type: "string", required: true },
      note: { type: "string" },
      unit: { type: "number" },
    },
  },
  ShelfList: {
    id: "ShelfList",
    type: "object",
    properties: {
      shelves: {
        type: "array",
        items: {
          type: "object",
          properties: { kind: { type: "string", enum: ["OPEN", "CLOSED"] } },
        },
      },
    },
  },
  Unused: {
    id: "Unused",
    type: "object",
    properties: { topic: { type: "string" } },
  },
};
