import { description } from "../support/generate.js";

const text = { type: "string" };
const time = { type: "string", format: "google-datetime", readOnly: true };

function named(name: string, pattern: string): object {
  return {
    [name]: { ...text, location: "path", required: true, pattern },
  };
}

const PAGES = {
  pageSize: { type: "integer", format: "int32", location: "query" },
  pageToken: { ...text, location: "query" },
};

const BOOK = "^shelves/[^/]+/books/[^/]+$";
const SHELF = "^shelves/[^/]+$";
const book = { $ref: "Book" };

/** API with resource names: shelves, books, settings, operations. */
export const PRESS: Readonly<Record<string, unknown>> = description({
  name: "press",
  parameters: { alt: { ...text, location: "query" } },
  schemas: {
    Book: {
      id: "Book",
      type: "object",
      properties: {
        name: text,
        title: text,
        pages: { type: "integer", format: "int32", minimum: "1" },
        isbn: { ...text, pattern: "^97[89]-[0-9]{10}$" },
        labels: { type: "object", additionalProperties: text },
        cover: { $ref: "Cover" },
        createTime: time,
        updateTime: time,
        etag: text,
      },
    },
    Cover: {
      id: "Cover",
      type: "object",
      properties: { color: text, finish: text, sequel: book },
    },
    Books: {
      id: "Books",
      type: "object",
      properties: {
        books: { type: "array", items: book },
        nextPageToken: text,
        totalSize: { type: "integer", format: "int32" },
      },
    },
    Settings: {
      id: "Settings",
      type: "object",
      properties: { loud: { type: "boolean" }, language: text },
    },
    Operation: {
      id: "Operation",
      type: "object",
      properties: {
        name: text,
        done: { type: "boolean" },
        error: { type: "object", properties: { code: { type: "integer" } } },
        response: { type: "object", additionalProperties: { type: "any" } },
      },
    },
    Empty: { id: "Empty", type: "object", properties: {} },
  },
  resources: {
    settings: {
      methods: {
        get: {
          id: "press.settings.get",
          path: "v1/settings",
          httpMethod: "GET",
          response: { $ref: "Settings" },
        },
        update: {
          id: "press.settings.update",
          path: "v1/settings",
          httpMethod: "PATCH",
          parameters: { updateMask: { ...text, location: "query" } },
          request: { $ref: "Settings" },
          response: { $ref: "Settings" },
        },
      },
    },
    books: {
      methods: {
        list: {
          id: "press.books.list",
          path: "v1/{+parent}/books",
          httpMethod: "GET",
          parameters: { ...named("parent", SHELF), ...PAGES },
          response: { $ref: "Books" },
        },
        create: {
          id: "press.books.create",
          path: "v1/{+parent}/books",
          httpMethod: "POST",
          parameters: {
            ...named("parent", SHELF),
            bookId: { ...text, location: "query" },
          },
          request: book,
          response: book,
        },
        get: {
          id: "press.books.get",
          path: "v1/{+name}",
          httpMethod: "GET",
          parameters: named("name", BOOK),
          response: book,
        },
        patch: {
          id: "press.books.patch",
          path: "v1/{+name}",
          httpMethod: "PATCH",
          parameters: {
            ...named("name", BOOK),
            updateMask: { ...text, location: "query" },
          },
          request: book,
          response: book,
        },
        delete: {
          id: "press.books.delete",
          path: "v1/{+name}",
          httpMethod: "DELETE",
          parameters: named("name", BOOK),
          response: { $ref: "Empty" },
        },
        print: {
          id: "press.books.print",
          path: "v1/{+name}:print",
          httpMethod: "POST",
          parameters: named("name", BOOK),
          response: { $ref: "Operation" },
        },
      },
    },
  },
});
