import { description } from "../../support/generate.js";

/** Description that uses every feature of servers. */
export const library: object = description({
  name: "library",
  servicePath: "library/v1/",
  batchPath: "batch/library/v1",
  parameters: {
    alt: {
      type: "string",
      default: "json",
      enum: ["json", "media"],
      location: "query",
    },
    fields: { type: "string", location: "query" },
    key: { type: "string", location: "query" },
    access_token: { type: "string", location: "query" },
    prettyPrint: { type: "boolean", default: "true", location: "query" },
  },
  auth: {
    oauth2: {
      scopes: { "https://x.example/auth/read": { description: "Read." } },
    },
  },
  schemas: {
    Book: {
      id: "Book",
      type: "object",
      properties: {
        id: { type: "string", readOnly: true },
        title: {
          type: "string",
          annotations: { required: ["library.books.insert"] },
        },
        pages: { type: "integer", format: "int32" },
        author: { $ref: "Author" },
      },
    },
    Author: {
      id: "Author",
      type: "object",
      properties: {
        name: { type: "string" },
        born: { type: "string", format: "date" },
      },
    },
    BookList: {
      id: "BookList",
      type: "object",
      properties: {
        items: { type: "array", items: { $ref: "Book" } },
        nextPageToken: { type: "string" },
      },
    },
  },
  resources: {
    books: {
      methods: {
        list: {
          id: "library.books.list",
          path: "books",
          httpMethod: "GET",
          scopes: ["https://x.example/auth/read"],
          parameters: {
            q: { type: "string", required: true, location: "query" },
            pageSize: {
              type: "integer",
              format: "int32",
              default: "10",
              minimum: "1",
              maximum: "100",
              location: "query",
            },
            order: {
              type: "string",
              enum: ["title", "pages"],
              location: "query",
            },
            tag: { type: "string", repeated: true, location: "query" },
            since: { type: "string", format: "int64", location: "query" },
            ratio: { type: "number", format: "double", location: "query" },
            isNew: { type: "boolean", location: "query" },
            code: { type: "string", pattern: "^[a-z]+$", location: "query" },
          },
          response: { $ref: "BookList" },
        },
        get: {
          id: "library.books.get",
          path: "books/{bookId}",
          httpMethod: "GET",
          parameters: {
            bookId: { type: "string", required: true, location: "path" },
          },
          response: { $ref: "Book" },
          supportsMediaDownload: true,
        },
        insert: {
          id: "library.books.insert",
          path: "books",
          httpMethod: "POST",
          request: { $ref: "Book" },
          response: { $ref: "Book" },
        },
        patch: {
          id: "library.books.patch",
          path: "books/{bookId}",
          httpMethod: "PATCH",
          parameters: {
            bookId: { type: "string", required: true, location: "path" },
          },
          request: { $ref: "Book" },
          response: { $ref: "Book" },
        },
        delete: {
          id: "library.books.delete",
          path: "books/{bookId}",
          httpMethod: "DELETE",
          parameters: {
            bookId: { type: "string", required: true, location: "path" },
          },
        },
        scan: {
          id: "library.books.scan",
          path: "books:scan",
          httpMethod: "POST",
          request: { $ref: "Book" },
          response: { $ref: "Book" },
          supportsMediaUpload: true,
          mediaUpload: {
            accept: ["image/*", "text/plain"],
            maxSize: "1KB",
            protocols: {
              simple: {
                multipart: true,
                path: "/upload/library/v1/books:scan",
              },
              resumable: {
                multipart: true,
                path: "/resumable/upload/library/v1/books:scan",
              },
            },
          },
        },
      },
    },
  },
});
