import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { createChat, isChatError } from "../../../generated/chat/v1/index.js";
import {
  createMarketplace,
  isMarketplaceError,
} from "../../../generated/marketplace/v1/index.js";
import { details } from "../../../generated/marketplace/v1/resources/account.js";
import { createBareClient } from "../../../generated/marketplace/v1/service.js";
import {
  createMigration,
  isMigrationError,
} from "../../../generated/migration/v1/index.js";
import { ApiError } from "../../../src/runtime/client/index.js";
import { nodeTransport } from "../../../src/runtime/client/node.js";
import { openMedia } from "../../../src/runtime/client/open-media.js";

/** In-memory server that returns responses in order and records requests. */
function server(...answers: (() => Response)[]) {
  const asked: { url: string; headers: Record<string, string> }[] = [];
  const transport = async (url: string, init: RequestInit) => {
    asked.push({ url, headers: { ...(init.headers as object) } });
    const answer = answers[Math.min(asked.length, answers.length) - 1]!;
    return answer();
  };
  return { asked, transport };
}

const json = (value: unknown, init: ResponseInit = {}) =>
  new Response(JSON.stringify(value), {
    ...init,
    headers: { "content-type": "application/json", ...init.headers },
  });

async function errorOf(call: PromiseLike<unknown>): Promise<ApiError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof Error) return error as ApiError;
  }
  throw new Error("the call did not fail");
}

test("a credential in the query is added unless the call has it", async () => {
  const { asked, transport } = server(() => json({}));
  const shop = createMarketplace({ auth: "s3cret&", transport });
  await shop.account.details();
  await shop.items.item({ item_id: 5 });
  await shop.items.item({ item_id: 5, api_key: "own" });
  await details(createBareClient({ auth: async () => "k", transport }));
  const root = "https://marketplace.example.com/api";
  expect(asked.map(({ url }) => url)).toEqual([
    `${root}/account/details?api_key=s3cret%26`,
    `${root}/items/item?item_id=5&api_key=s3cret%26`,
    `${root}/items/item?item_id=5&api_key=own`,
    `${root}/account/details?api_key=k`,
  ]);
  for (const { headers } of asked)
    expect(JSON.stringify(headers)).not.toMatch(/s3cret|authorization|\?/);
});

test("a credential in the query is neither in errors nor visible to interceptors", async () => {
  const seen: string[] = [];
  const shop = createMarketplace({
    auth: "s3cret",
    retry: false,
    interceptors: [
      (request, next) => {
        seen.push(JSON.stringify(request));
        return next(request);
      },
    ],
    transport: (url) => Promise.reject(new Error(`cannot reach ${url}`)),
  });
  const error = await errorOf(shop.account.details());
  expect(error).toMatchObject({ kind: "network" });
  expect(`${String(error)} ${JSON.stringify(error)} ${seen}`).not.toContain(
    "s3cret",
  );
  expect(seen).toHaveLength(1);
});

test("after a 401 the source of credentials bypasses its cache", async () => {
  const auth = vi.fn(
    ({ refresh }: { readonly refresh?: boolean | undefined }) =>
      refresh ? "new" : "old",
  );
  const { asked, transport } = server(
    () => json({}, { status: 401 }),
    () => json({}),
  );
  await createMarketplace({ auth, transport }).account.details();
  expect(asked.map(({ url }) => url.split("?")[1])).toEqual([
    "api_key=old",
    "api_key=new",
  ]);
});

test("header parameters have defaults, and headers of the call override them", async () => {
  const { asked, transport } = server(() => json([]));
  const migration = createMigration({ auth: "t", transport });
  const org = "acme";
  await migration.migrations.listForOrg({ org });
  await migration.migrations.listForOrg(
    { org, accept: "text/x", "X-Vendor-Api-Version": "2022-11-28" },
    { headers: new Headers({ "x-trace": "1" }) },
  );
  await migration.migrations.listForOrg(
    { org, "X-Vendor-Api-Version": "2022-11-28" },
    { headers: { "x-vendor-api-version": "2026-03-10" } },
  );
  expect(asked.map(({ headers }) => headers)).toEqual([
    { accept: "application/vnd.vendor+json", authorization: "Bearer t" },
    {
      accept: "text/x",
      "x-vendor-api-version": "2022-11-28",
      "x-trace": "1",
      authorization: "Bearer t",
    },
    {
      accept: "application/vnd.vendor+json",
      "x-vendor-api-version": "2026-03-10",
      authorization: "Bearer t",
    },
  ]);
  for (const { url } of asked)
    expect(url).toBe("https://migration.example.com/orgs/acme/migrations");
  const bad = migration.migrations.listForOrg({ org, accept: "a\nb" });
  expect(await errorOf(bad)).toMatchObject({ kind: "request" });
});

const link = (page: number) => ({
  headers: {
    Link: `<https://elsewhere.example.com/x?per_page=2&page=${page}>; rel="next", <https://elsewhere.example.com/x?page=9>; rel="last"`,
  },
});

test("a page link repeats the call with another page number", async () => {
  const { asked, transport } = server(
    () => json([{ id: 1 }, { id: 2 }], link(2)),
    () => json([{ id: 3 }], { headers: { Link: '<x?page=1>; rel="first"' } }),
  );
  const migration = createMigration({ auth: "t", transport });
  const ids: number[] = [];
  const call = migration.migrations.listForOrg({ org: "acme", per_page: 2 });
  for await (const { id } of call) ids.push(id);
  expect(ids).toEqual([1, 2, 3]);
  expect(asked.map(({ url }) => url)).toEqual([
    "https://migration.example.com/orgs/acme/migrations?per_page=2",
    "https://migration.example.com/orgs/acme/migrations?per_page=2&page=2",
  ]);
  expect(asked[1]!.headers["authorization"]).toBe("Bearer t");
});

test("a link without a new page number is an error", async () => {
  const { transport } = server(() => json([], link(2)));
  const list = (page: number) => async () => {
    const { migrations } = createMigration({ transport });
    const call = migrations.listReposForOrg({
      org: "o",
      migration_id: 1,
      page,
    });
    for await (const _ of call.pages());
  };
  expect(await errorOf(list(1)())).toMatchObject({ kind: "decode" });
  const none = server(() => json([], { headers: { link: "<x>; rel=next" } }));
  const { migrations } = createMigration({ transport: none.transport });
  const all = async () => {
    for await (const _ of migrations.listForOrg({ org: "o" }));
  };
  expect((await errorOf(all())).message).toContain(
    "has no query parameter page",
  );
});

const archive = { org: "acme", migration_id: 7 };
const away = (location: string) => () =>
  new Response(null, { status: 302, headers: { location } });
const bytes = () =>
  new Response("bytes", { headers: { "content-type": "text/plain" } });

test("a redirect is followed to the content, without the credential at another origin", async () => {
  const { asked, transport } = server(
    away("/archives/7"),
    away("https://store.example.com/7?signature=s3cret"),
    bytes,
  );
  const { migrations } = createMigration({ auth: "t", transport });
  const blob = await migrations.downloadArchiveForOrg(archive);
  expect(await blob.text()).toBe("bytes");
  expect(asked.map(({ url }) => url)).toEqual([
    "https://migration.example.com/orgs/acme/migrations/7/archive",
    "https://migration.example.com/archives/7",
    "https://store.example.com/7?signature=s3cret",
  ]);
  expect(asked[1]!.headers["authorization"]).toBe("Bearer t");
  expect(asked[2]!.headers).toEqual({ accept: "application/vnd.vendor+json" });
});

test("a redirect is readable as a stream and as URL", async () => {
  const { asked, transport } = server(
    away("https://store.example.com/7"),
    bytes,
    away("https://store.example.com/7"),
  );
  const { migrations } = createMigration({ auth: "t", transport });
  const media = await migrations.downloadArchiveForOrg(archive).media();
  expect(await media.text()).toBe("bytes");
  const { data, response } = await migrations
    .downloadArchiveForOrg(archive)
    .unfollowed();
  expect(data).toBe("https://store.example.com/7");
  expect(response.status).toBe(302);
  expect(response.headers.get("Location")).toBe(data);
  expect(asked).toHaveLength(3);
  for (const { url } of asked) expect(url).not.toContain("alt=");
});

test("redirects are limited and do not leave https", async () => {
  const around = server(away("https://migration.example.com/x"));
  const { migrations } = createMigration({ transport: around.transport });
  const endless = await errorOf(migrations.downloadArchiveForOrg(archive));
  expect(endless).toMatchObject({ kind: "http", status: 302 });
  expect(around.asked).toHaveLength(6);
  const down = server(away("http://store.example.com/7"), bytes);
  const other = createMigration({ transport: down.transport }).migrations;
  const error = await errorOf(other.downloadArchiveForOrg(archive));
  expect(error).toMatchObject({ kind: "http", status: 302 });
  expect(down.asked).toHaveLength(1);
});

test("errors have the properties of their description", async () => {
  const body = {
    message: "Validation Failed",
    documentation_url: "https://www.example.com/docs",
    status: "422",
    errors: [
      { resource: "Migration", field: "repositories", code: "missing" },
      { resource: "Migration", code: "custom", message: "no" },
    ],
    // Longer than the part of a body that an error contains.
    more: "x".repeat(5000),
  };
  const { transport } = server(() => json(body, { status: 422 }));
  const { migrations } = createMigration({ transport });
  const error = await errorOf(
    migrations.startForOrg({ org: "o", requestBody: { repositories: [] } }),
  );
  if (!isMigrationError(error) || error.status !== 422) throw error;
  expect(error.data.errors?.[0]?.field).toBe("repositories");
  expect(error).toMatchObject({
    message: "migration.migrations.startForOrg: 422 Validation Failed",
    code: 422,
    serverCode: "missing",
    field: "repositories",
    problems: [{ field: "repositories", code: "missing" }, { message: "no" }],
  });
});

test("errors of other forms are read by the standard reader", async () => {
  const page = () =>
    new Response("<title>Off</title>", {
      status: 404,
      headers: { "content-type": "text/html" },
    });
  const { transport } = server(page, () => json([1], { status: 404 }));
  const { items } = createMarketplace({ transport });
  for (const body of ["<title>Off</title>", "[1]"]) {
    const error = await errorOf(items.all());
    expect(isMarketplaceError(error)).toBe(false);
    expect(error).toMatchObject({ kind: "http", status: 404, body });
    expect(error.data).toBeUndefined();
  }
});

test("errors of all APIs have the same properties", async () => {
  const chat = server(() =>
    json(
      {
        error: {
          message: "No such model",
          type: "invalid_request_error",
          param: "model",
          code: "model_not_found",
        },
      },
      { status: 404 },
    ),
  );
  const { models } = createChat({ transport: chat.transport });
  const error = await errorOf(models.get({ model: "m" }));
  if (!isChatError(error)) throw error;
  expect(error.data.error.code).toBe("model_not_found");
  expect(error).toMatchObject({
    reason: "invalid_request_error",
    code: 404,
    serverCode: "model_not_found",
    field: "model",
    problems: [{ message: "No such model" }],
  });
  expect(isMarketplaceError(error)).toBe(false);
});

test("x-should-retry of the server overrides the default", async () => {
  const wish = (status: number, value: string) => () =>
    json({}, { status, headers: { "x-should-retry": value } });
  const no = server(wish(503, "false"));
  const { models } = createChat({ transport: no.transport });
  await errorOf(models.list());
  expect(no.asked).toHaveLength(1);
  const yes = server(wish(409, "true"), () => json({ data: [] }));
  const retry = { delay: 1 };
  await createChat({ transport: yes.transport, retry }).models.list();
  expect(yes.asked).toHaveLength(2);
});

test("an error among the events of a stream has the described form", async () => {
  const error = { message: "Busy", type: "server_error", code: "overloaded" };
  const { transport } = server(
    () =>
      new Response(`data: ${JSON.stringify({ error })}\n\n`, {
        headers: { "content-type": "text/event-stream" },
      }),
  );
  const { chat } = createChat({ transport });
  const all = async () => {
    const requestBody = {
      model: "m",
      messages: [{ role: "user" as const, content: "Hi" }],
    };
    for await (const _ of chat.completions.create({ requestBody }));
  };
  expect(await errorOf(all())).toMatchObject({
    serverCode: "overloaded",
    reason: "server_error",
    data: { error },
  });
});

/** Listens on a free port until the test ends; returns the URL. */
async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test.each([
  ["fetch", undefined],
  ["the Node transport", nodeTransport()],
])("a redirect over the network, by %s", async (_, transport) => {
  const seen: (string | undefined)[] = [];
  const store = await listen(
    createServer(({ headers }, response) => {
      seen.push(headers.authorization);
      const part = headers.range === "bytes=1-2";
      const head = part ? { "content-range": "bytes 1-2/5" } : {};
      response.writeHead(part ? 206 : 200, head).end(part ? "yt" : "bytes");
    }),
  );
  const rootUrl = await listen(
    createServer(({ headers, url }, response) => {
      seen.push(headers.authorization, url);
      response.writeHead(302, { location: `${store}/7` }).end();
    }),
  );
  const { migrations } = createMigration({ auth: "t", rootUrl, transport });
  const blob = await migrations.downloadArchiveForOrg(archive);
  expect(await blob.text()).toBe("bytes");
  const path = "/orgs/acme/migrations/7/archive";
  expect(seen).toEqual(["Bearer t", path, undefined]);
  const call = migrations.downloadArchiveForOrg(archive);
  const media = await openMedia(call, { range: [1, 2] });
  expect(await media.text()).toBe("yt");
  expect(seen.slice(3)).toEqual(["Bearer t", path, undefined]);
  const { data } = await migrations.downloadArchiveForOrg(archive).unfollowed();
  expect(data).toBe(`${store}/7`);
  expect(seen).toHaveLength(8);
});
