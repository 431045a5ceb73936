/** Document value in which a test replaces members. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests edit documents by path
export type Draft = any;

/** Returns a document that has every field of the format. */
export function library(): Draft {
  return {
    kind: "discovery#restDescription",
    discoveryVersion: "v1",
    id: "library:v1",
    name: "library",
    canonicalName: "Town Library",
    version: "v1",
    revision: "20260101",
    title: "Town Library API",
    description: "Lends books to readers.",
    icons: {
      x16: "https://library.example.com/icon-16.png",
      x32: "https://library.example.com/icon-32.png",
    },
    documentationLink: "https://library.example.com/docs",
    labels: ["limited_availability", "deprecated"],
    protocol: "rest",
    baseUrl: "https://old.example.com/base/",
    basePath: "/base/",
    rootUrl: "https://library.example.com/",
    servicePath: "library/v1/",
    batchPath: "batch",
    endpoints: [
      {
        endpointUrl: "https://north.library.example.com/",
        location: "north-1",
        description: "Rack of the northern town.",
        deprecated: true,
      },
    ],
    parameters: {
      trace: {
        type: "string",
        description: "Label of the call in traces.",
        location: "query",
      },
    },
    auth: {
      oauth2: {
        scopes: {
          "https://library.example.com/auth/read": {
            description: "See the books of the library",
          },
          "https://library.example.com/auth/lend": {
            description: "Lend books to readers",
          },
        },
      },
    },
    features: ["lending"],
    schemas: {
      Book: {
        id: "Book",
        type: "object",
        description: "A book of the library.",
        properties: {
          title: {
            type: "string",
            description: "Title on the cover.",
            annotations: { required: ["library.books.insert"] },
          },
          shelf: { type: "string", pattern: "[A-Z][0-9]{2}" },
          pages: {
            type: "integer",
            format: "int32",
            minimum: "1",
            maximum: "5000",
          },
          copies: { type: "string", format: "int64" },
          condition: {
            type: "string",
            default: "good",
            enum: ["good", "worn", "lost"],
            enumDescriptions: ["As new.", "Much read.", "Not on its shelf."],
            enumDeprecated: [false, false, true],
          },
          ribbon: { type: "boolean", deprecated: true },
          author: { $ref: "Author" },
          authors: { type: "array", items: { $ref: "Author" } },
          ratings: {
            type: "object",
            additionalProperties: { type: "number", format: "double" },
          },
          isbn: { type: "string", format: "[0-9]{13}" },
        },
      },
      Author: {
        id: "Author",
        type: "object",
        description: "A writer.",
        deprecated: true,
        properties: { name: { type: "string" } },
      },
      BookList: {
        id: "BookList",
        type: "object",
        properties: { items: { type: "array", items: { $ref: "Book" } } },
      },
    },
    methods: {
      status: {
        id: "library.status",
        path: "status",
        httpMethod: "GET",
        description: "Tells if the library is open.",
        response: { $ref: "Author" },
      },
    },
    resources: {
      books: {
        deprecated: true,
        methods: {
          get: {
            id: "library.books.get",
            path: "books/{+name}",
            flatPath: "books/{hall}/racks/{rack}",
            httpMethod: "GET",
            description: "Returns a book.",
            parameters: {
              name: {
                type: "string",
                description: "Name of the book.",
                required: true,
                location: "path",
                pattern: "^[^/]+/racks/[^/]+$",
              },
            },
            parameterOrder: ["name"],
            response: { $ref: "Book" },
            scopes: ["https://library.example.com/auth/read"],
            supportsMediaDownload: true,
          },
          list: {
            id: "library.books.list",
            path: "books",
            flatPath: "books",
            httpMethod: "GET",
            description: "Lists books.",
            parameters: {
              subject: {
                type: "string",
                description: "Subjects of the books.",
                repeated: true,
                location: "query",
              },
              most: {
                type: "integer",
                format: "int32",
                minimum: "1",
                maximum: "50",
                default: "10",
                location: "query",
              },
              order: {
                type: "string",
                enum: ["title", "age"],
                enumDescriptions: ["By title.", "Oldest first."],
                enumDeprecated: [false, true],
                location: "query",
              },
              code: { type: "string", pattern: "^[a-z]+$", location: "query" },
              floor: {
                type: "string",
                deprecated: true,
                location: "query",
              },
            },
            response: { $ref: "BookList" },
            supportsSubscription: true,
          },
          insert: {
            id: "library.books.insert",
            path: "halls/{hall}/books",
            flatPath: "halls/{hall}/books",
            httpMethod: "POST",
            description: "Adds a book.",
            deprecated: true,
            parameters: {
              hall: { type: "string", required: true, location: "path" },
              stamp: { type: "string", required: true, location: "query" },
            },
            parameterOrder: ["stamp", "hall"],
            request: { $ref: "Book", parameterName: "resource" },
            response: { $ref: "Book" },
            scopes: ["https://library.example.com/auth/lend"],
            supportsMediaUpload: true,
            mediaUpload: {
              accept: ["image/*"],
              maxSize: "1MB",
              protocols: {
                simple: {
                  multipart: true,
                  path: "/upload/library/v1/halls/{hall}/books",
                },
                resumable: {
                  multipart: true,
                  path: "/resumable/upload/library/v1/halls/{hall}/books",
                },
              },
            },
          },
        },
        resources: {
          reviews: {
            methods: {
              get: {
                id: "library.books.reviews.get",
                path: "reviews/{review}",
                httpMethod: "GET",
                parameters: {
                  review: { type: "string", required: true, location: "path" },
                },
                parameterOrder: ["review"],
                response: { $ref: "Author" },
              },
            },
            resources: {
              votes: {
                methods: {
                  list: {
                    id: "library.books.reviews.votes.list",
                    path: "votes",
                    httpMethod: "GET",
                    response: { $ref: "BookList" },
                  },
                },
              },
            },
          },
        },
      },
    },
  };
}
