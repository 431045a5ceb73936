import http from "node:http";
import { gunzipSync, brotliDecompressSync } from "node:zlib";
import { mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createDiscovery } from "../../generated/discovery/v1/index.js";
import {
  validateDirectoryList,
  validateRestDescription,
} from "../../generated/discovery/v1/validators.js";
import { demo, start } from "../../src/services/directory/index.js";
import { ConfigError } from "../../src/services/service.js";
import { memoryStore } from "../../src/services/store/open.js";
import { ROOT } from "../support/paths.js";
import { shop, startDirectory, until } from "./directory-support.js";

const LIST = "/discovery/v1/apis";

interface List {
  readonly items?: readonly {
    readonly id: string;
    readonly preferred: boolean;
    readonly discoveryRestUrl: string;
  }[];
}

/** Sends a request with a path or headers that fetch would not send. */
function raw(
  origin: string,
  target: string,
  headers: http.OutgoingHttpHeaders = {},
  method = "GET",
): Promise<{
  status: number;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
}> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    http
      .request({ hostname, port, path: target, headers, method }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on("data", (chunk: Buffer) => chunks.push(chunk));
        answer.on("end", () =>
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            body: Buffer.concat(chunks),
          }),
        );
      })
      .on("error", reject)
      .end();
  });
}

describe("list", () => {
  it("lists all documents and itself, valid by its own description", async () => {
    const directory = await startDirectory({
      "shop.json": shop({
        labels: ["deprecated", "nonsense"],
        icons: { x16: "https://a/16", x32: "https://a/32" },
        documentationLink: "https://docs.example.com/",
      }),
      "below/other.json": shop({ name: "other", id: "other:v1" }),
    });
    const list = await directory.json(LIST);
    expect(validateDirectoryList(list, { mode: "response" })).toMatchObject({
      valid: true,
    });
    expect(list).toMatchObject({
      kind: "discovery#directoryList",
      discoveryVersion: "v1",
      items: [{ id: "discovery:v1" }, { id: "other:v1" }, { id: "shop:v1" }],
    });
    expect((list as { items: unknown[] }).items[2]).toEqual({
      kind: "discovery#directoryItem",
      id: "shop:v1",
      name: "shop",
      version: "v1",
      title: "Shop API",
      description: "Sells books. And more.",
      discoveryRestUrl: `${directory.origin}/discovery/v1/apis/shop/v1/rest`,
      discoveryLink: "./apis/shop/v1/rest",
      icons: { x16: "https://a/16", x32: "https://a/32" },
      documentationLink: "https://docs.example.com/",
      labels: ["deprecated"],
      preferred: true,
    });
  });

  it("prefers one version of each name, and filters by name and preference", async () => {
    const versions = ["v1", "v2beta1", "v1.1", "v3alpha", "v10", "v2"];
    const files = Object.fromEntries(
      versions.map((version) => [
        `${version}.json`,
        shop({ version, id: `shop:${version}` }),
      ]),
    );
    const directory = await startDirectory({
      ...files,
      "a.json": shop({ name: "a", id: "a:v1beta", version: "v1beta" }),
    });
    const idsOf = async (query: string): Promise<string[] | undefined> =>
      ((await directory.json(LIST + query)) as List).items?.map(({ id }) => id);
    expect(await idsOf("?name=shop")).toEqual([
      "shop:v10",
      "shop:v2",
      "shop:v1.1",
      "shop:v1",
      "shop:v2beta1",
      "shop:v3alpha",
    ]);
    expect(await idsOf("?preferred=true")).toEqual([
      "a:v1beta",
      "discovery:v1",
      "shop:v10",
    ]);
    expect(await idsOf("?preferred=true&name=shop")).toEqual(["shop:v10"]);
    expect(await directory.json(`${LIST}?name=nobody`)).toEqual({
      kind: "discovery#directoryList",
      discoveryVersion: "v1",
    });
  });

  it("does not list descriptions without methods, but serves them", async () => {
    const directory = await startDirectory({
      "file.json": shop({
        name: "file",
        id: "file:v1",
        methods: undefined,
        resources: undefined,
      }),
      "empty.json": shop({
        name: "empty",
        id: "empty:v1",
        methods: {},
        resources: {},
      }),
      "shop.json": shop(),
    });
    const { items } = (await directory.json(LIST)) as List;
    expect(items?.map(({ id }) => id)).toEqual(["discovery:v1", "shop:v1"]);
    expect(await directory.json(`${LIST}/file/v1/rest`)).toMatchObject({
      id: "file:v1",
    });
  });

  it("accepts fields, prettyPrint and unknown parameters; refuses invalid values", async () => {
    const directory = await startDirectory({ "shop.json": shop() });
    const query = "?name=shop&fields=items(id,preferred)&pp=0&x=y";
    expect(await directory.json(LIST + query)).toEqual({
      items: [{ id: "shop:v1", preferred: true }],
    });
    const pretty = await directory.get(`${LIST}?prettyPrint=true`);
    expect(await pretty.text()).toContain('{\n  "kind"');
    const wrong = await directory.get(`${LIST}?preferred=maybe`);
    expect(wrong.status).toBe(400);
    expect(await wrong.json()).toMatchObject({
      error: {
        code: 400,
        errors: [
          {
            domain: "global",
            reason: "invalidParameter",
            location: "preferred",
          },
        ],
      },
    });
  });

  it("is readable by the generated client, including the service's own description", async () => {
    const directory = await startDirectory({ "shop.json": shop() });
    const client = createDiscovery({ rootUrl: `${directory.origin}/` });
    const { items = [] } = await client.apis.list({ name: "shop" });
    expect(items.map(({ id }) => id)).toEqual(["shop:v1"]);
    const own = await client.apis.getRest({ api: "discovery", version: "v1" });
    expect(own).toMatchObject({
      rootUrl: `${directory.origin}/`,
      baseUrl: `${directory.origin}/discovery/v1/`,
      servicePath: "discovery/v1/",
    });
    expect(validateRestDescription(own, { mode: "response" }).valid).toBe(true);
    await expect(
      client.apis.getRest({ api: "nobody", version: "v1" }),
    ).rejects.toMatchObject({ status: 404, reason: "notFound" });
    const [list, document] = await client.batch([
      client.apis.list({ preferred: true }),
      client.apis.getRest({ api: "shop", version: "v1" }),
    ]);
    expect(list).toMatchObject({ items: [{}, {}] });
    expect(document).toMatchObject({ id: "shop:v1" });
  });
});

describe("a document", () => {
  const REST = `${LIST}/shop/v1/rest`;

  it("has the bytes of the file, under all paths", async () => {
    const text = `{"kind":"discovery#restDescription", "version":"v1", "name":"shop",\n "x-big": 12345678901234567890, "é":"\\u00e9","rootUrl":"https://h.example:8/"}\n`;
    const directory = await startDirectory({ "shop.json": text });
    for (const target of [
      REST,
      `${REST}?alt=json&key=k`,
      "/shop/$discovery/rest?version=v1",
      "/shop/%24discovery/rest?version=v1",
      "/shop/$discovery/rest",
    ]) {
      const answer = await directory.get(target);
      expect([target, answer.status, await answer.text()]).toEqual([
        target,
        200,
        text,
      ]);
    }
    const own = await directory.get("/$discovery/rest?version=v1");
    expect(await own.json()).toMatchObject({ id: "discovery:v1" });
    const byHost = await raw(directory.origin, "/$discovery/rest?version=v1", {
      host: "h.example:8",
    });
    expect(byHost.body.toString()).toBe(text);
  });

  it("has no byte order mark", async () => {
    const directory = await startDirectory({
      "shop.json": `\ufeff${JSON.stringify(shop())}`,
    });
    const { body } = await raw(directory.origin, REST);
    expect(body.toString()).toBe(JSON.stringify(shop()));
  });

  it("supports partial responses and other white space", async () => {
    const directory = await startDirectory({ "shop.json": shop() });
    expect(
      await directory.json(`${REST}?fields=name,resources/books/methods/*/id`),
    ).toEqual({
      name: "shop",
      resources: { books: { methods: { get: { id: "shop.books.get" } } } },
    });
    const compact = await directory.get(`${REST}?prettyPrint=false`);
    expect(await compact.text()).toBe(JSON.stringify(shop()));
    expect((await directory.get(`${REST}?fields=a(`)).status).toBe(400);
  });

  it("keeps rootUrl, or replaces it by the origin if configured", async () => {
    const files = { "shop.json": shop() };
    const kept = await startDirectory(files);
    expect(await kept.json(REST)).toEqual(shop());
    const here = await startDirectory(files, { rootUrl: "origin" });
    expect(await here.json(REST)).toEqual({
      ...shop(),
      rootUrl: `${here.origin}/`,
      baseUrl: `${here.origin}/shop/v1/`,
    });
  });

  it.each([
    "/discovery/v1/apis/nobody/v1/rest",
    "/discovery/v1/apis/shop/v9/rest",
    "/discovery/v1/apis/../shop/v1/rest",
    "/discovery/v1/apis/%2e%2e/shop/v1/rest",
    "/discovery/v1/apis/..%2fshop/v1/rest",
    "/discovery/v1/apis/shop%2fv1/v1/rest",
    "/discovery/v1/apis/shop%00/v1/rest",
    "/discovery/v1/apis/shop/v1%00/rest",
    "/discovery/v1/apis/__proto__/v1/rest",
    "/discovery/v1/apis/shop/v1",
    "/shop/$discovery/rest?version=v9",
    "/$discovery/rest?version=",
    "/$discovery/rest?version=../x",
  ])("is not found under %s", async (target) => {
    const directory = await startDirectory({ "shop.json": shop() });
    const { status, headers, body } = await raw(directory.origin, target);
    expect(status).toBe(404);
    expect(headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(JSON.parse(body.toString())).toMatchObject({
      error: {
        code: 404,
        errors: [{ domain: "global", reason: "notFound" }],
      },
    });
  });
});

describe("HTTP", () => {
  it("responds with 304 without a body to a matching entity tag", async () => {
    const directory = await startDirectory({ "shop.json": shop() });
    for (const target of [LIST, `${LIST}/shop/v1/rest`, "/"]) {
      const first = await raw(directory.origin, target);
      const { etag } = first.headers;
      expect(etag).toMatch(/^"[\w-]{27}"$/);
      for (const tags of [etag, `"a", W/${etag} , "b"`, "*"]) {
        const again = await raw(directory.origin, target, {
          "if-none-match": tags,
        });
        expect([again.status, again.body.length]).toEqual([304, 0]);
        expect(again.headers).toMatchObject({ etag, vary: "accept-encoding" });
        expect(again.headers["content-type"]).toBeUndefined();
      }
      const other = await raw(directory.origin, target, {
        "if-none-match": '"other"',
      });
      expect([other.status, other.body]).toEqual([200, first.body]);
    }
  });

  it("has the same entity tag for the same bytes, and another for others", async () => {
    const one = await startDirectory({ "shop.json": shop() });
    const two = await startDirectory({ "b.json": shop() });
    const three = await startDirectory({ "b.json": shop({ title: "Other" }) });
    const tagOf = async ({ get }: typeof one): Promise<string | null> =>
      (await get(`${LIST}/shop/v1/rest`)).headers.get("etag");
    expect(await tagOf(one)).toBe(await tagOf(two));
    expect(await tagOf(one)).not.toBe(await tagOf(three));
  });

  it("compresses with accepted content codings", async () => {
    const directory = await startDirectory({
      "shop.json": shop({ description: "Books. ".repeat(200) }),
    });
    const target = `${LIST}/shop/v1/rest`;
    const ask = (accept: string) =>
      raw(directory.origin, target, { "accept-encoding": accept });
    const plain = await ask("identity");
    const gzip = await ask("gzip, deflate");
    const brotli = await ask("gzip;q=1, br");
    expect(gunzipSync(gzip.body)).toEqual(plain.body);
    expect(brotliDecompressSync(brotli.body)).toEqual(plain.body);
    expect(gzip.headers["content-encoding"]).toBe("gzip");
    expect(brotli.headers["content-encoding"]).toBe("br");
    expect(plain.headers["content-encoding"]).toBeUndefined();
    const tags = [plain, gzip, brotli].map(({ headers }) => headers.etag);
    expect(new Set(tags).size).toBe(3);
    for (const etag of tags) {
      const { status } = await raw(directory.origin, target, {
        "accept-encoding": "br",
        "if-none-match": etag,
      });
      expect(status).toBe(304);
    }
    expect((await ask("br;q=0, gzip;q=0.1")).headers["content-encoding"]).toBe(
      "gzip",
    );
    expect((await ask("deflate")).headers["content-encoding"]).toBeUndefined();
  });

  it("responds to HEAD like GET without the body", async () => {
    const directory = await startDirectory({ "shop.json": shop() });
    const target = `${LIST}/shop/v1/rest`;
    const get = await raw(directory.origin, target);
    const head = await raw(directory.origin, target, {}, "HEAD");
    expect([head.status, head.body.length]).toEqual([200, 0]);
    expect(head.headers["content-length"]).toBe(String(get.body.length));
    expect(head.headers.etag).toBe(get.headers.etag);
  });

  it("allows pages of all origins to read", async () => {
    const directory = await startDirectory({ "shop.json": shop() });
    const preflight = await raw(
      directory.origin,
      LIST,
      {
        origin: "https://app.example",
        "access-control-request-method": "GET",
        "access-control-request-headers": "x-javascript-user-agent",
      },
      "OPTIONS",
    );
    expect(preflight.status).toBe(204);
    expect(preflight.headers).toMatchObject({
      "access-control-allow-origin": "*",
      "access-control-allow-headers": "x-javascript-user-agent",
    });
    for (const target of [LIST, `${LIST}/nobody/v1/rest`]) {
      const { headers } = await raw(directory.origin, target);
      expect(headers["access-control-allow-origin"]).toBe("*");
    }
  });

  it("uses the origin of the request in URLs, and of proxies only if trusted", async () => {
    const files = { "shop.json": shop() };
    const urlOf = async (
      config: object,
      headers: http.OutgoingHttpHeaders,
    ): Promise<string | undefined> => {
      const directory = await startDirectory(files, config);
      const { body } = await raw(
        directory.origin,
        `${LIST}?name=shop`,
        headers,
      );
      const { items } = JSON.parse(body.toString()) as List;
      return items?.[0]?.discoveryRestUrl;
    };
    const path = "/discovery/v1/apis/shop/v1/rest";
    const forwarded = {
      host: "inner:81",
      "x-forwarded-host": "outer.example",
      "x-forwarded-proto": "https",
    };
    expect(await urlOf({}, forwarded)).toBe(`http://inner:81${path}`);
    expect(await urlOf({ trustForwarded: true }, forwarded)).toBe(
      `https://outer.example${path}`,
    );
    expect(await urlOf({ origin: "https://fixed.example" }, forwarded)).toBe(
      `https://fixed.example${path}`,
    );
  });

  it.each(['a"b', "a b", "a/b", "<script>", "x".repeat(300)])(
    "refuses the host %s",
    async (host) => {
      const directory = await startDirectory();
      const { status } = await raw(directory.origin, LIST, { host });
      expect(status).toBe(400);
    },
  );

  it("refuses unsupported methods", async () => {
    const directory = await startDirectory();
    expect((await raw(directory.origin, "/", {}, "POST")).status).toBe(405);
    expect((await raw(directory.origin, LIST, {}, "DELETE")).status).toBe(405);
  });
});

describe("a folder", () => {
  it("with invalid documents serves the others and reports each error with its position", async () => {
    const directory = await startDirectory({
      "shop.json": shop(),
      "cut.json": '{\n  "name": "cut",\n  "version": "v1",\n  "schemas": {',
      "shape.json": `{
  "name": "shape", "version": "v1",
  "schemas": { "A": { "type": 5 } }
}`,
      "openapi.json": { openapi: "3.1.0" },
      "empty.json": "",
      "name.json": shop({ name: "../../etc" }),
      "twin.json": shop({ title: "Twin" }),
      "large.json": `"${"x".repeat(17 * 1024 * 1024)}"`,
      "notes.txt": "no document",
    });
    // A request for a document triggers its check.
    expect((await directory.get(`${LIST}/shape/v1/rest`)).status).toBe(404);
    await until(() => directory.log.length >= 7, "seven reports");
    const list = (await directory.json(LIST)) as List;
    expect(list.items?.map(({ id }) => id)).toEqual([
      "discovery:v1",
      "shop:v1",
    ]);
    expect(await directory.json(`${LIST}/shop/v1/rest`)).toEqual(shop());
    const said = directory.log.map(({ file, code, event, line, column }) =>
      [file, code ?? event, line, column].filter(Boolean).join(" "),
    );
    expect(said.sort()).toEqual([
      "cut.json json-syntax 4 15",
      "empty.json json-empty",
      "large.json source-too-large",
      "name.json directory-name",
      "openapi.json kind-openapi 1 1",
      "shape.json shape-wrong-type 3 23",
      "twin.json document-twin",
    ]);
    expect(directory.log.every(({ fix }) => typeof fix === "string")).toBe(
      true,
    );
  });

  it("does not follow links out of the folder or read devices", async () => {
    const outside = mkdtempSync(path.join(tmpdir(), "gen-outside-"));
    const secret = path.join(outside, "secret.json");
    writeFileSync(secret, JSON.stringify(shop({ name: "secret" })));
    const directory = await startDirectory({ "shop.json": shop() });
    symlinkSync(secret, path.join(directory.folder, "link.json"));
    symlinkSync(outside, path.join(directory.folder, "linked"));
    symlinkSync("/dev/zero", path.join(directory.folder, "zero.json"));
    symlinkSync(directory.folder, path.join(directory.folder, "loop"));
    directory.write("late.json", shop({ name: "late", id: "late:v1" }));
    await until(
      async () => (await directory.get(`${LIST}/late/v1/rest`)).ok,
      "the document that was added last",
    );
    const list = (await directory.json(LIST)) as List;
    expect(list.items?.map(({ id }) => id)).toEqual([
      "discovery:v1",
      "late:v1",
      "shop:v1",
    ]);
    expect(directory.log.map(({ message }) => message)).toContain(
      "link.json is a link to a target outside the folder",
    );
  });

  it("defaults to the descriptions in the package", async () => {
    const { config, help } = await demo();
    const service = await start({
      store: memoryStore(),
      now: Date.now,
      log: () => {},
      folder: undefined,
      config,
    });
    expect(help("http://here").join("\n")).toContain(
      "curl http://here/discovery/v1/apis",
    );
    expect(service.paths).toContain("/chat/$discovery/rest");
    await service.close();
    const own = readFileSync(
      path.join(ROOT, "specs/discovery.v1.json"),
      "utf8",
    );
    expect(own).toContain("discovery.apis.list");
  });
});

describe("the config", () => {
  it.each([
    [[], ""],
    [{ foldr: "x" }, "/foldr"],
    [{ folder: 5 }, "/folder"],
    [{ folder: "/nowhere/at/all" }, "/folder"],
    [{ origin: "https://a/b" }, "/origin"],
    [{ origin: "javascript:alert(1)" }, "/origin"],
    [{ trustForwarded: "yes" }, "/trustForwarded"],
    [{ rootUrl: "replace" }, "/rootUrl"],
  ])("%j is invalid at %s", async (config, pointer) => {
    const store = memoryStore();
    const log = (): void => {};
    const context = { store, now: Date.now, log, folder: undefined, config };
    const error: unknown = await start(context).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(ConfigError);
    expect((error as ConfigError).pointer).toBe(pointer);
  });
});
