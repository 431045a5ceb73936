import { expect } from "vitest";
import { acceptance, type Statement } from "../acceptance.js";
import { changes, directoryOf, findings } from "./documents.js";
import { fieldStatements, type Field } from "./fields.js";
import { library, type Draft } from "./library.js";
import { edited, programOf } from "./program.js";

const VERBS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

const document = library();
document.resources.verbs = {
  methods: Object.fromEntries(
    VERBS.map((httpMethod) => [
      httpMethod.toLowerCase(),
      {
        id: `library.verbs.${httpMethod.toLowerCase()}`,
        path: "verbs",
        httpMethod,
        response: { $ref: "Author" },
      },
    ]),
  ),
};
document.resources.files = {
  methods: Object.fromEntries(
    ["2KB", "1MB", "3GB", "4TB"].map((maxSize) => [
      `size${maxSize}`,
      {
        id: `library.files.size${maxSize}`,
        path: `files/${maxSize}`,
        httpMethod: "POST",
        response: { $ref: "Author" },
        supportsMediaUpload: true,
        mediaUpload: {
          accept: ["image/*", "text/plain"],
          maxSize,
          protocols: {
            simple: {
              multipart: false,
              path: `/upload/library/v1/files/${maxSize}`,
            },
          },
        },
      },
    ]),
  ),
};
const program = await programOf(document);
const directory = await directoryOf({ "library.json": library() });
const insertPage = await directory.page(
  "/apis/library/v1/methods/books/insert",
);
const getPage = await directory.page("/apis/library/v1/methods/books/get");
const books = program.text("resources/books.ts");
const routes = program.text("routes.ts");

/** Returns the comment and declaration of a flat function. */
function functionText(name: string): string {
  const end = books.indexOf(`export const ${name}:`);
  return books.slice(books.lastIndexOf("/**", end), books.indexOf(");", end));
}

const handlers = {
  books: {
    get: ({ params, wantsContent }: Draft) =>
      wantsContent
        ? program.module.content({ body: "pages", contentType: "text/plain" })
        : { title: params.name },
    list: () => ({ items: [] }),
    insert: async ({ params, body, media }: Draft) => ({
      title: `${params.hall} ${params.stamp} ${body?.title}`,
      shelf:
        media === undefined
          ? "none"
          : Buffer.from(await media.bytes()).toString(),
    }),
  },
  verbs: Object.fromEntries(
    VERBS.map((verb) => [verb.toLowerCase(), () => ({ name: verb })]),
  ),
  files: Object.fromEntries(
    ["2KB", "1MB", "3GB", "4TB"].map((size) => [
      `size${size}`,
      async ({ media }: Draft) => {
        if (media !== undefined) await media.bytes();
        return { name: size };
      },
    ]),
  ),
};

const { client, exchanges } = program.connect(handlers);

/** Returns the requests that a call sends. */
async function sent(call: () => unknown): Promise<typeof exchanges> {
  const before = exchanges.length;
  await call();
  return exchanges.slice(before);
}

async function status(
  method: string,
  path: string,
  body?: string | Uint8Array,
  type = "application/json",
): Promise<number> {
  const response = await program.send(
    handlers,
    new Request(`https://x.test${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { body: body as string, headers: { "content-type": type } }),
    }),
  );
  await response.arrayBuffer();
  return response.status;
}

const insert = {
  hall: "h",
  stamp: "s",
  requestBody: { title: "One" },
};
const image = { body: "picture", mimeType: "image/png" };

const METHODS = ["resources", "books", "methods"];
const of = (
  method: string,
  name: string,
  type: string,
  removed?: string,
  more: Partial<Field> = {},
): Field => ({
  name,
  type,
  path: [...METHODS, method],
  ...(removed === undefined ? {} : { removed }),
  ...more,
});

const fields: readonly Field[] = [
  of("insert", "id", "a string", undefined, {
    changed: ["library.books.add", "method-id-changed"],
  }),
  of("insert", "path", "a string", undefined, {
    changed: ["rooms/{hall}/books", "path-changed"],
  }),
  of("get", "flatPath", "a string", "flat-path-changed"),
  of("insert", "httpMethod", "a string", undefined, {
    changed: ["PUT", "http-method-changed"],
  }),
  of("insert", "description", "a string", "description-changed"),
  of("insert", "deprecated", "a boolean", "method-undeprecated"),
  of("list", "parameters", "map of schemas", "parameter-removed"),
  of("insert", "parameterOrder", "array of strings"),
  of("insert", "request", "an object", "request-removed"),
  of("insert", "response", "an object", "response-removed"),
  of("insert", "scopes", "array of strings", "scopes-dropped"),
  of("get", "supportsMediaDownload", "a boolean", "download-removed"),
  of("insert", "supportsMediaUpload", "a boolean"),
  of("insert", "mediaUpload", "an object", "upload-removed"),
  of("list", "supportsSubscription", "a boolean", "method-extension-changed"),
];

const UPLOAD = [...METHODS, "insert", "mediaUpload"];
const uploads: readonly Field[] = [
  {
    name: "accept",
    type: "array of strings",
    path: UPLOAD,
    changed: [["image/png"], "upload-limited"],
  },
  {
    name: "maxSize",
    type: "a string",
    path: UPLOAD,
    removed: "upload-extended",
  },
  {
    name: "protocols",
    type: "an object",
    path: UPLOAD,
    removed: "upload-removed",
  },
  {
    name: "simple",
    type: "an object",
    path: [...UPLOAD, "protocols"],
    removed: "upload-protocol-removed",
  },
  {
    name: "resumable",
    type: "an object",
    path: [...UPLOAD, "protocols"],
    removed: "upload-protocol-removed",
  },
];
const protocols = (["simple", "resumable"] as const).map((name) => ({
  name,
  fields: [
    {
      name: "multipart",
      type: "a boolean",
      path: [...UPLOAD, "protocols", name],
    },
    {
      name: "path",
      type: "a string",
      path: [...UPLOAD, "protocols", name],
      changed: ["/upload/other", "upload-path-changed"] as const,
    },
  ],
}));

const bodies = (["request", "response"] as const).map((name) => ({
  name,
  fields: [
    {
      name: "$ref",
      type: "a string",
      path: [...METHODS, "insert", name],
      changed: ["Author", "schema-replaced"] as const,
    },
  ],
}));

const effects: readonly Statement[] = [
  {
    id: "format/method/id/unique",
    statement: "Two methods with the same id are reported.",
    check: async () =>
      expect(
        await findings(
          edited((d) => (d.resources.books.methods.list.id = "library.status")),
        ),
      ).toContainEqual(expect.stringContaining("method-duplicate")),
  },
  {
    id: "format/method/id/match",
    statement: "`gen diff` finds a moved method by its id.",
    check: () => {
      const moved = edited((d) => {
        d.resources.shelves = {
          methods: { list: d.resources.books.methods.list },
        };
        delete d.resources.books.methods.list;
      });
      const rules = changes(moved).map(({ rule }) => rule);
      expect(rules).toContain("method-moved");
      expect(rules).not.toContain("method-removed");
    },
  },
  {
    id: "format/method/id/output",
    statement: "Clients and servers name each method by its id.",
    check: () => {
      expect(books).toContain('id: "library.books.insert"');
      expect(routes).toContain('id: "library.books.insert"');
    },
  },
  {
    id: "format/method/path/client",
    statement: "A request has the service path followed by the method's path.",
    check: async () => {
      const [request] = await sent(() => client.books.insert(insert));
      expect(request!.url.pathname).toBe("/library/v1/halls/h/books");
    },
  },
  {
    id: "format/method/path/server",
    statement: "The server finds methods by the same path.",
    check: async () =>
      expect(
        await status(
          "POST",
          "/library/v1/halls/h/books?stamp=s",
          '{"title":"t"}',
        ),
      ).toBe(200),
  },
  {
    id: "format/method/path/reserved",
    statement: "A variable `{+name}` keeps slashes.",
    check: async () => {
      const [request] = await sent(() =>
        client.books.get({ name: "north/racks/r1" }),
      );
      expect(request!.url.pathname).toBe("/library/v1/books/north/racks/r1");
    },
  },
  {
    id: "format/method/path/documented",
    statement: "Functions and pages show the HTTP method and the path.",
    check: () => {
      expect(functionText("insert")).toContain(
        "`POST library/v1/halls/{hall}/books`",
      );
      expect(insertPage).toContain("/library/v1/halls/{hall}/books");
    },
  },
  {
    id: "format/method/path/undeclared",
    statement: "A variable of the path without a parameter is reported.",
    check: async () =>
      expect(
        await findings(
          edited((d) => (d.resources.books.methods.list.path = "books/{none}")),
        ),
      ).toContainEqual(expect.stringContaining("parameter-undeclared")),
  },
  {
    id: "format/method/flatPath/server",
    statement: "A server gives `{+name}` the number of segments of `flatPath`.",
    check: async () => {
      const path = "/library/v1/books/north/racks/r1";
      expect(await status("GET", path)).toBe(200);
      expect(await status("GET", `${path}/more`)).toBe(404);
      expect(await status("GET", "/library/v1/books/north")).toBe(404);
    },
  },
  {
    id: "format/method/flatPath/page",
    statement: "Pages show `flatPath`.",
    check: () =>
      expect(getPage).toContain("/library/v1/books/{hall}/racks/{rack}"),
  },
  {
    id: "format/method/flatPath/mismatch",
    statement: "A `flatPath` that does not supplement `path` is reported.",
    check: async () =>
      expect(
        await findings(
          edited((d) => (d.resources.books.methods.insert.flatPath = "x/{y}")),
        ),
      ).toContainEqual(expect.stringContaining("path-flat-mismatch")),
  },
  ...VERBS.flatMap((verb) => [
    {
      id: `format/method/httpMethod/${verb}-client`,
      statement: `A method with ${verb} sends ${verb}.`,
      check: async () => {
        const [request] = await sent(() => client.verbs[verb.toLowerCase()]());
        expect(request!.method).toBe(verb);
      },
    },
    {
      id: `format/method/httpMethod/${verb}-server`,
      statement: `The server calls the handler of the method with ${verb}.`,
      check: async () => {
        const response = await program.send(
          handlers,
          new Request("https://x.test/library/v1/verbs", { method: verb }),
        );
        expect(await response.json()).toEqual({ name: verb });
      },
    },
  ]),
  {
    id: "format/method/httpMethod/other",
    statement: "An HTTP method that no method of the path has is refused.",
    check: async () =>
      expect([404, 405]).toContain(
        await status("DELETE", "/library/v1/status"),
      ),
  },
  {
    id: "format/method/httpMethod/unknown",
    statement: "A name that is not an HTTP method is reported.",
    check: async () =>
      expect(
        await findings(
          edited((d) => (d.resources.books.methods.list.httpMethod = "GRAB")),
        ),
      ).toContainEqual(expect.stringContaining("method-http-unknown")),
  },
  {
    id: "format/method/description/documented",
    statement: "Functions, handlers and pages have the description.",
    check: () => {
      expect(functionText("insert")).toContain("Adds a book.");
      expect(program.text("server.ts")).toContain("Adds a book.");
      expect(insertPage).toContain("Adds a book.");
    },
  },
  {
    id: "format/method/deprecated/client",
    statement: "The function of a deprecated method is deprecated.",
    check: () => {
      expect(functionText("insert")).toContain("@deprecated");
      expect(functionText("list")).not.toContain("@deprecated");
    },
  },
  {
    id: "format/method/deprecated/server",
    statement: "The handler of a deprecated method is deprecated.",
    check: () =>
      expect(program.text("server.ts")).toMatch(
        /Adds a book\.(?:(?!\*\/)[^])*@deprecated\s*\*\/\s*insert\?/,
      ),
  },
  {
    id: "format/method/deprecated/page",
    statement: "Pages mark a deprecated method.",
    check: () => {
      expect(insertPage).toMatch(/<h1[^]*deprecated[^]*<\/h1>/);
      expect(getPage).not.toMatch(/<h1[^]*deprecated[^]*<\/h1>/);
    },
  },
  {
    id: "format/method/deprecated/diff",
    statement: "`gen diff` lists a method that became deprecated.",
    check: () =>
      expect(
        changes(
          edited((d) => (d.resources.books.methods.get.deprecated = true)),
        ).map(({ rule }) => rule),
      ).toContain("method-deprecated"),
  },
  {
    id: "format/method/parameters/client",
    statement: "A call takes the parameters of its method.",
    check: async () => {
      const [request] = await sent(() => client.books.insert(insert));
      expect(request!.url.searchParams.get("stamp")).toBe("s");
    },
  },
  {
    id: "format/method/parameters/server",
    statement: "A handler receives the parameters of its method.",
    check: async () =>
      expect(await client.books.insert(insert)).toMatchObject({
        title: "h s One",
      }),
  },
  {
    id: "format/method/parameters/page",
    statement: "The page of a method lists its parameters.",
    check: () => {
      expect(insertPage).toContain("stamp");
      expect(insertPage).toContain("hall");
    },
  },
  {
    id: "format/method/parameterOrder/order",
    statement: "The type of parameters begins with those of `parameterOrder`.",
    check: () => {
      const start = books.indexOf("interface InsertParameters");
      const text = books.slice(start, books.indexOf("}", start));
      expect(text.indexOf("stamp:")).toBeLessThan(text.indexOf("hall:"));
    },
  },
  {
    id: "format/method/parameterOrder/swapped",
    statement: "Another order changes the order of the type.",
    check: async () => {
      const { generated } = await programOf(
        edited((d) => {
          d.resources.books.methods.insert.parameterOrder = ["hall", "stamp"];
        }),
      );
      const text = generated.files.get("library/v1/resources/books.ts")!;
      const start = text.indexOf("interface InsertParameters");
      const type = text.slice(start, text.indexOf("}", start));
      expect(type.indexOf("hall:")).toBeLessThan(type.indexOf("stamp:"));
    },
  },
  {
    id: "format/method/parameterOrder/optional",
    statement: "An optional parameter in `parameterOrder` is reported.",
    check: async () =>
      expect(
        await findings(
          edited(
            (d) => (d.resources.books.methods.list.parameterOrder = ["code"]),
          ),
        ),
      ).toContainEqual(expect.stringContaining("parameter-order-optional")),
  },
  {
    id: "format/method/parameterOrder/incomplete",
    statement: "A required parameter that `parameterOrder` omits is reported.",
    check: async () =>
      expect(
        await findings(
          edited(
            (d) => (d.resources.books.methods.insert.parameterOrder = ["hall"]),
          ),
        ),
      ).toContainEqual(expect.stringContaining("parameter-order-incomplete")),
  },
  {
    id: "format/method/request/type",
    statement: "The body of a call has the type of the request's schema.",
    check: () =>
      expect(books).toContain("requestBody: WithRequired<Input<Book>"),
  },
  {
    id: "format/method/request/client",
    statement: "The client sends the body as JSON.",
    check: async () => {
      const [request] = await sent(() => client.books.insert(insert));
      expect(JSON.parse(String(request!.body))).toEqual({ title: "One" });
      expect(request!.headers.get("content-type")).toMatch(
        /^application\/json/,
      );
    },
  },
  {
    id: "format/method/request/server",
    statement: "The server checks the body against the request's schema.",
    check: async () =>
      expect(
        await status(
          "POST",
          "/library/v1/halls/h/books?stamp=s",
          '{"title":"t","pages":"many"}',
        ),
      ).toBe(400),
  },
  {
    id: "format/method/request/parameterName",
    statement: "The deprecated `parameterName` has no effect.",
    check: async () => {
      const plain = await programOf(
        edited((d) => {
          delete d.resources.books.methods.insert.request.parameterName;
        }),
      );
      const named = await programOf(library());
      expect([...plain.generated.files]).toEqual([...named.generated.files]);
    },
  },
  {
    id: "format/method/request/missing",
    statement: "A request with a schema that is absent is reported.",
    check: async () =>
      expect(
        await findings(
          edited(
            (d) => (d.resources.books.methods.insert.request.$ref = "None"),
          ),
        ),
      ).toContainEqual(expect.stringContaining("ref-missing")),
  },
  {
    id: "format/method/response/type",
    statement: "The result of a call has the type of the response's schema.",
    check: () => expect(functionText("list")).toContain("Call<BookList>"),
  },
  {
    id: "format/method/response/server",
    statement: "The server can check responses against the response's schema.",
    check: async () => {
      const wrong = { books: { list: () => ({ items: [{ pages: "x" }] }) } };
      const request = new Request("https://x.test/library/v1/books");
      const options = { validateResponses: true };
      expect((await program.send(wrong, request.clone())).status).toBe(200);
      expect((await program.send(wrong, request, options)).status).toBe(500);
    },
  },
  {
    id: "format/method/response/page",
    statement: "The page of a method links to the schemas of its bodies.",
    check: () => expect(insertPage).toContain("/apis/library/v1/schemas/Book"),
  },
  {
    id: "format/method/scopes/documented",
    statement: "Functions and pages list the scopes of a method.",
    check: () => {
      const scope = "https://library.example.com/auth/lend";
      expect(functionText("insert").replace(/\n \*/g, "")).toContain(scope);
      expect(insertPage).toContain(scope);
    },
  },
  {
    id: "format/method/scopes/client",
    statement: "A program can find the scopes that its methods need.",
    check: () => {
      const { scopesFor } = program.module.scopes;
      expect(scopesFor(client.books.insert)).toEqual([
        "https://library.example.com/auth/lend",
      ]);
    },
  },
  {
    id: "format/method/scopes/server",
    statement: "The server's authentication receives the scopes of the method.",
    check: async () => {
      let scopes: unknown;
      const authenticate = ({ method }: Draft): void => {
        scopes = method.scopes;
      };
      const url = "https://x.test/library/v1/books/a/racks/b";
      await program.send(handlers, new Request(url), { authenticate });
      expect(scopes).toEqual(["https://library.example.com/auth/read"]);
    },
  },
  {
    id: "format/method/supportsMediaDownload/client",
    statement: "A call can download the content.",
    check: async () => {
      const media = await client.books.get({ name: "a/racks/b" }).media();
      expect(await media.text()).toBe("pages");
      expect(exchanges.at(-1)!.url.searchParams.get("alt")).toBe("media");
    },
  },
  {
    id: "format/method/supportsMediaDownload/type",
    statement: "Only calls of methods with downloads have that form.",
    check: () => {
      expect(functionText("get")).toContain("MediaCall<Book>");
      expect(functionText("list")).not.toContain("MediaCall");
    },
  },
  {
    id: "format/method/supportsMediaDownload/page",
    statement: "The page of a method shows that it has downloads.",
    check: () => expect(getPage).toContain("alt=media"),
  },
  {
    id: "format/method/supportsMediaUpload/client",
    statement: "A call of a method with uploads takes content.",
    check: async () =>
      expect(
        await client.books.insert({ ...insert, media: image }),
      ).toMatchObject({ shelf: "picture" }),
  },
  {
    id: "format/method/supportsMediaUpload/type",
    statement: "Only parameters of methods with uploads have content.",
    check: () =>
      expect(books.match(/media\?: MediaParameter/g)).toHaveLength(1),
  },
  {
    id: "format/method/supportsMediaUpload/page",
    statement: "The page of a method shows its uploads.",
    check: () => expect(insertPage).toContain("image/* up to 1MB"),
  },
  {
    id: "format/method/supportsMediaUpload/incomplete",
    statement: "The flag without `mediaUpload` is reported.",
    check: async () =>
      expect(
        await findings(
          edited((d) => delete d.resources.books.methods.insert.mediaUpload),
        ),
      ).toContainEqual(expect.stringContaining("upload-incomplete")),
  },
  {
    id: "format/method/accept/client",
    statement: "The client refuses content of a type outside the ranges.",
    check: async () => {
      const before = exchanges.length;
      await expect(
        Promise.resolve(
          client.books.insert({
            ...insert,
            media: { body: "x", mimeType: "text/plain" },
          }),
        ),
      ).rejects.toThrow(/text\/plain/);
      expect(exchanges).toHaveLength(before);
    },
  },
  {
    id: "format/method/accept/server",
    statement: "The server refuses content of a type outside the ranges.",
    check: async () => {
      const url = "/upload/library/v1/files/1MB?uploadType=media";
      expect(await status("POST", url, "x", "text/plain")).toBe(200);
      expect(await status("POST", url, "x", "image/gif")).toBe(200);
      expect([400, 415]).toContain(
        await status("POST", url, "x", "audio/mpeg"),
      );
    },
  },
  ...(
    [
      ["2KB", 2 * 1024],
      ["1MB", 1024 ** 2],
      ["3GB", 3 * 1024 ** 3],
      ["4TB", 4 * 1024 ** 4],
    ] as const
  ).map(([size, bytes]) => ({
    id: `format/method/maxSize/${size.slice(1)}`,
    statement: `A size in ${size.slice(1)} limits uploads.`,
    check: () => expect(routes).toContain(`maxSize: ${bytes},`),
  })),
  {
    id: "format/method/maxSize/server",
    statement: "The server refuses content beyond the maximum size.",
    check: async () => {
      const url = "/upload/library/v1/files/2KB?uploadType=media";
      const send = (bytes: number): Promise<number> =>
        status("POST", url, new Uint8Array(bytes), "image/png");
      expect(await send(2048)).toBe(200);
      expect(await send(2049)).toBe(413);
    },
  },
  {
    id: "format/method/maxSize/client",
    statement: "The client refuses content beyond the maximum size.",
    check: async () => {
      const body = new Uint8Array(1024 ** 2 + 1);
      const call = client.books.insert({
        ...insert,
        media: { body, mimeType: "image/png" },
      });
      await expect(Promise.resolve(call)).rejects.toThrow();
    },
  },
  {
    id: "format/method/maxSize/invalid",
    statement: "A maximum size without a known unit is reported.",
    check: async () =>
      expect(
        await findings(
          edited(
            (d) =>
              (d.resources.books.methods.insert.mediaUpload.maxSize =
                "9 books"),
          ),
        ),
      ).toContainEqual(expect.stringContaining("limit-invalid")),
  },
  {
    id: "format/method/maxSize/documented",
    statement: "The function is documented with types and size.",
    check: () =>
      expect(functionText("insert")).toContain("`image/*`, at most 1 MiB"),
  },
  {
    id: "format/method/simple/single",
    statement: "A simple upload is one request.",
    check: async () => {
      const requests = await sent(() =>
        client.files.size1MB(
          { media: { body: "x", mimeType: "text/plain" } },
          { upload: "media" },
        ),
      );
      expect(
        requests.map(({ url }) => url.searchParams.get("uploadType")),
      ).toEqual(["media"]);
    },
  },
  {
    id: "format/method/simple/path",
    statement: "A simple upload goes to the root URL and the upload path.",
    check: async () => {
      const [request] = await sent(() =>
        client.books.insert({ ...insert, media: image }),
      );
      expect(request!.url.origin + request!.url.pathname).toBe(
        "https://library.example.com/upload/library/v1/halls/h/books",
      );
    },
  },
  {
    id: "format/method/multipart/client",
    statement: "Metadata and content are sent in one multipart request.",
    check: async () => {
      const [request, ...others] = await sent(() =>
        client.books.insert(
          { ...insert, media: image },
          { upload: "multipart" },
        ),
      );
      expect(others).toEqual([]);
      expect(request!.url.searchParams.get("uploadType")).toBe("multipart");
      expect(request!.headers.get("content-type")).toMatch(
        /^multipart\/related/,
      );
    },
  },
  {
    id: "format/method/multipart/server",
    statement: "A handler receives metadata and content of one request.",
    check: async () =>
      expect(
        await client.books.insert(
          { ...insert, media: image },
          { upload: "multipart" },
        ),
      ).toMatchObject({ title: "h s One", shelf: "picture" }),
  },
  {
    id: "format/method/multipart/absent",
    statement: "A method without multipart uploads does not send them.",
    check: async () => {
      const call = client.files.size1MB(
        { media: { body: "x", mimeType: "text/plain" } },
        { upload: "multipart" },
      );
      await expect(Promise.resolve(call)).rejects.toThrow(/multipart/);
    },
  },
  {
    id: "format/method/resumable/client",
    statement: "A resumable upload starts a session and sends chunks.",
    check: async () => {
      const body = new Uint8Array(300 * 1024);
      const requests = await sent(() =>
        client.books.insert(
          { ...insert, media: { body, mimeType: "image/png" } },
          { upload: "resumable", chunkSize: 256 * 1024 },
        ),
      );
      expect(requests.map(({ status }) => status)).toEqual([200, 308, 200]);
    },
  },
  {
    id: "format/method/resumable/path",
    statement:
      "A resumable upload starts at the root URL and the path of its protocol.",
    check: async () => {
      const only = await programOf(
        edited((d) => {
          delete d.resources.books.methods.insert.mediaUpload.protocols.simple;
        }),
      );
      const connected = only.connect(handlers);
      await connected.client.books.insert({ ...insert, media: image });
      const [{ url }] = connected.exchanges as [(typeof exchanges)[0]];
      expect(url.origin + url.pathname).toBe(
        "https://library.example.com/resumable/upload/library/v1/halls/h/books",
      );
    },
  },
  {
    id: "format/method/resumable/path-client",
    statement: "Clients use the resumable path beside a simple one.",
    decision: "Format",
    check: async () => {
      const [request] = await sent(() =>
        client.books.insert(
          { ...insert, media: image },
          { upload: "resumable" },
        ),
      );
      expect(request!.url.pathname).toBe("/upload/library/v1/halls/h/books");
      expect(request!.url.searchParams.get("uploadType")).toBe("resumable");
    },
  },
  {
    id: "format/method/resumable/path-server",
    statement: "Servers accept the start of a session at the resumable path.",
    check: async () => {
      const url =
        "/resumable/upload/library/v1/halls/h/books?uploadType=resumable&stamp=s";
      const request = new Request(`https://x.test${url}`, {
        method: "POST",
        body: '{"title":"t"}',
        headers: {
          "content-type": "application/json",
          "x-upload-content-type": "image/png",
        },
      });
      const response = await program.send(handlers, request);
      expect(response.status).toBe(200);
      expect(response.headers.get("location")).toContain("upload_id=");
    },
  },
  {
    id: "format/method/supportsSubscription/client",
    statement: "The function is documented with its support of subscriptions.",
    check: () => expect(functionText("list")).toMatch(/subscri/i),
  },
  {
    id: "format/method/supportsSubscription/page",
    statement: "The page of a method shows its support of subscriptions.",
    check: async () =>
      expect(
        await directory.page("/apis/library/v1/methods/books/list"),
      ).toMatch(/subscri/i),
  },
];

acceptance({ seed: 1, section: "Method object" }, [
  ...fieldStatements("a method", "format/method", fields),
  ...fieldStatements("`mediaUpload`", "format/media-upload", uploads),
  ...protocols.flatMap(({ name, fields: members }) =>
    fieldStatements(`\`protocols.${name}\``, `format/upload-${name}`, members),
  ),
  ...bodies.flatMap(({ name, fields: members }) =>
    fieldStatements(`\`${name}\``, `format/${name}`, members),
  ),
  ...fieldStatements("`request`", "format/request", [
    {
      name: "parameterName",
      type: "a string",
      path: [...METHODS, "insert", "request"],
      isChecked: false,
    },
  ]),
  ...effects,
]);
