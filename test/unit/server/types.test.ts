import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { node } from "../../compile/process.js";
import { MATRIX, typecheck } from "../../compile/typescript.js";
import { description } from "../../support/generate.js";
import { ROOT } from "../../support/paths.js";
import { library } from "./library.js";

/** Services that compile. */
const GOOD = `
import { createLibraryServer, type LibraryService } from "./out/library/v1/server.js";
import { createChatServer } from "./out/chat/v1/server.js";
import { createMigrationServer } from "./out/migration/v1/server.js";
import { createDemoServer, type DemoService } from "./out/demo/v1/server.js";
import { ApiError, content, page, reply, toExpress, toFastifyPlugin, toHono, toNodeListener, type Server } from "./out/runtime/server/index.js";

interface User { readonly name: string }

const service: LibraryService<User> = {
  books: {
    list: ({ params, auth }) => {
      const { q, pageSize, tag, since, isNew } = params;
      const size: number = pageSize;
      const text: string = q + auth.name + (since ?? "") + (tag?.join() ?? "");
      return { items: [{ title: text, pages: size, id: "1" }], nextPageToken: String(isNew) };
    },
    async get({ params, wantsContent, signal }) {
      signal.throwIfAborted();
      if (params.bookId === "") throw new ApiError(404, "No such book.", { reason: "notFound" });
      return wantsContent ? content({ body: new Uint8Array() }) : { id: params.bookId };
    },
    insert: ({ body }) => reply({ title: body.title }, { status: 201 }),
    patch: ({ body }) => ({ title: body?.title ?? "" }),
    delete: async () => {},
    scan: async ({ media }) => ({ title: media?.contentType ?? "" }),
  },
};

export const server: Server = createLibraryServer(service, {
  authenticate: ({ method, credential }) => {
    if (credential === undefined) throw new ApiError(401, method.scopes.join());
    return { name: credential.token };
  },
});
export const listener: unknown = toNodeListener(server);
export const empty: Server = createLibraryServer({});

export const chat: Server = createChatServer({
  chat: {
    completions: {
      create: async ({ body, credential }) =>
        body.stream === true ? events() : { id: credential?.token ?? "", created: 1, model: body.model, object: "chat.completion", choices: [] },
    },
  },
});

async function* events() {
  yield { id: "1", created: 1, model: "m", object: "chat.completion.chunk", choices: [] };
}

export const migration: Server = createMigrationServer({
  migrations: {
    downloadArchiveForOrg: ({ params }) => "https://files.example/" + params["X-Vendor-Api-Version"],
    listForOrg: ({ params }) => page([], { hasMore: params.page < 3 }),
    listReposForOrg: async () =>
      reply(page([], { total: 1 }), { headers: { "X-Vendor-Api-Version-Selected": "2022-11-28", etag: '"1"' } }),
    getStatusForOrg: () => { throw new ApiError(404, ""); },
  },
});

export const demo: Server = createDemoServer({
  make: async ({ params }) =>
    params.id === "1"
      ? reply({ id: "1" }, { headers: { "X-Count": 1, "X-Note": "n", etag: '"1"' } })
      : reply({ id: "2" }, { status: 201, headers: { "X-Count": 2 } }),
  go: () => "https://files.example/",
});
export const adapters: readonly unknown[] = [
  toExpress(server, { fallThrough: true }),
  toFastifyPlugin(server),
  toHono(server),
];
export type Demo = DemoService;
`;

/** Mistakes that the compiler must reject. */
const BAD = [
  `createLibraryServer({ books: { get: () => ({ id: 1 }) } });`,
  `createLibraryServer({ books: { gett: () => ({}) } });`,
  `createLibraryServer({ books: { get: ({ params }) => ({ id: params.nothing }) } });`,
  `createLibraryServer({ books: { list: ({ params }) => ({ nextPageToken: params.pageSize }) } });`,
  `createLibraryServer({ books: { get: ({ body }) => ({ id: body }) } });`,
  `createLibraryServer({ books: { insert: ({ body }) => ({ title: body.id }) } });`,
  `createLibraryServer({ books: { delete: () => ({ id: "1" }) } } satisfies LibraryService);`,
  `createDemoServer({ make: () => ({ id: "1" }) });`,
  `createDemoServer({ make: () => reply({ id: "1" }) });`,
  `createDemoServer({ make: () => reply({ id: "1" }, { headers: { "X-Note": "n" } }) });`,
  `createDemoServer({ make: () => reply({ id: "1" }, { headers: { "X-Count": "1" } }) });`,
  `createDemoServer({ make: () => page([], { total: 1 }) });`,
  `createMigrationServer({ migrations: { listForOrg: () => page([1], { total: 1 }) } });`,
  `createMigrationServer({ migrations: { listForOrg: () => page([], { count: 1 }) } });`,
  `createMigrationServer({ migrations: { listForOrg: () => reply([], { headers: { "X-Vendor-Api-Version-Selected": 1 } }) } });`,
];

/** Response headers, one of which is required. */
const DEMO = description({
  name: "demo",
  schemas: {
    Thing: {
      id: "Thing",
      type: "object",
      properties: { id: { type: "string" } },
    },
  },
  methods: {
    make: {
      id: "demo.make",
      path: "make/{id}",
      httpMethod: "POST",
      parameters: { id: { type: "string", location: "path", required: true } },
      response: { $ref: "Thing" },
      "x-response-headers": {
        "X-Count": { type: "integer", required: true },
        "X-Note": { type: "string" },
      },
    },
    go: {
      id: "demo.go",
      path: "go",
      httpMethod: "GET",
      "x-status": 302,
      "x-response-headers": { Location: { type: "string", required: true } },
    },
  },
});

const folder = mkdtempSync(path.join(tmpdir(), "gen-server-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeAll(async () => {
  const spec = path.join(folder, "library.json");
  writeFileSync(spec, JSON.stringify(library));
  const demo = path.join(folder, "demo.json");
  writeFileSync(demo, JSON.stringify(DEMO));
  writeFileSync(path.join(folder, "good.ts"), GOOD);
  const head = [
    'import { createLibraryServer, type LibraryService } from "./out/library/v1/server.js";',
    'import { createDemoServer } from "./out/demo/v1/server.js";',
    'import { createMigrationServer } from "./out/migration/v1/server.js";',
    'import { page, reply } from "./out/runtime/server/index.js";',
    "export const used: unknown = [createLibraryServer, createDemoServer, createMigrationServer, page, reply];",
  ].join("\n");
  BAD.forEach((text, index) =>
    writeFileSync(
      path.join(folder, `bad${index}.ts`),
      `${head}\nexport type X = LibraryService;\n${text}\n`,
    ),
  );
  const both = ["--target", "client,server", "--out", path.join(folder, "out")];
  const specs = [
    "--spec",
    spec,
    "--spec",
    demo,
    "--spec",
    path.join(ROOT, "specs"),
  ];
  const args = [path.join(ROOT, "bin/gen.js"), "--quiet", ...both, ...specs];
  const { code, output } = await node(args);
  expect(output).toBe("");
  expect(code).toBe(0);
}, 60_000);

test.each(MATRIX)("TypeScript %s, %s", async (compiler, platform) => {
  expect(await typecheck(folder, compiler, platform, ["out", "good.ts"])).toBe(
    "",
  );
});

test("the compiler rejects every mistake", async () => {
  const errors = await typecheck(folder, "7", "DOM", ["bad*.ts"]);
  const files = new Set(errors.match(/bad\d+(?=\.ts\()/g));
  expect(files.size).toBe(BAD.length);
});
