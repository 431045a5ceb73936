import fs from "node:fs/promises";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { Store } from "../../src/mock/store.js";
import {
  fileUploads,
  memoryUploads,
  type Call,
  type ServerOptions,
  type UploadSession,
  type UploadStore,
} from "../../src/runtime/server/index.js";
import { temporaryFolder } from "../support/paths.js";
import { loadServer, type CreateServer } from "../unit/server/generated.js";
import { library } from "../unit/server/library.js";
import { forEachSeed, type Choices } from "./support/seeds.js";
import { ask, request } from "./support/servers.js";

const MB = 1024 * 1024;
const UPLOAD = "/upload/library/v1/books:scan";

let create: CreateServer;
beforeAll(async () => {
  create = await loadServer(library);
});

let ids = 0;
const session = (rest: Partial<UploadSession> = {}): UploadSession => ({
  id: String(++ids).padStart(32, "0"),
  method: "library.books.scan",
  params: {},
  body: undefined,
  auth: undefined,
  form: {},
  contentType: "text/plain",
  limit: Infinity,
  ...rest,
});

async function* bytes(...sizes: number[]): AsyncGenerator<Uint8Array> {
  for (const size of sizes) yield new Uint8Array(size).fill(65);
}

/** Returns the status of a refused action; 0 if it succeeds. */
const refusal = (work: Promise<unknown>): Promise<number> =>
  work.then(
    () => 0,
    (error: { status: number }) => error.status,
  );

async function read(store: UploadStore, id: string): Promise<string> {
  let text = "";
  for await (const chunk of store.read(id))
    text += new TextDecoder().decode(chunk);
  return text;
}

describe("uploads in memory", () => {
  test("finished uploads count only with their responses", async () => {
    const store = memoryUploads({ maxBytes: 2 * MB });
    for (let count = 0; count < 100; count++) {
      const one = session();
      await store.create(one);
      await store.append(one.id, bytes(MB));
      await store.finish(one.id, { status: 200, headers: {}, body: "{}" });
      expect((await store.find(one.id))?.response?.body).toBe("{}");
    }
  });

  test("an upload removed while it is written leaves nothing", async () => {
    const store = memoryUploads({ maxBytes: 2 * MB });
    for (let count = 0; count < 20; count++) {
      const one = session();
      await store.create(one);
      async function* interrupted(): AsyncGenerator<Uint8Array> {
        yield new Uint8Array(MB);
        await store.remove(one.id);
        yield new Uint8Array(MB / 2);
      }
      expect(await refusal(store.append(one.id, interrupted()))).toBe(404);
      expect(await store.find(one.id)).toBeUndefined();
    }
    const last = session();
    await store.create(last);
    expect(await store.append(last.id, bytes(MB, MB - 4096))).toBe(
      2 * MB - 4096,
    );
  });

  test("metadata and empty sessions count", async () => {
    const store = memoryUploads({ maxBytes: MB });
    const body = { title: "x".repeat(100_000) };
    let count = 0;
    while ((await refusal(store.create(session({ body })))) === 0) count++;
    expect(count).toBeLessThan(10);
    expect(await refusal(store.create(session({ body })))).toBe(503);
    const small = memoryUploads({ maxBytes: MB });
    count = 0;
    while ((await refusal(small.create(session()))) === 0) count++;
    expect(count).toBeLessThanOrEqual(1024);
  });

  test("small metadata values count with their memory", async () => {
    const body = JSON.parse(`[${"{},".repeat(20_000)}{}]`) as unknown;
    const store = memoryUploads({ maxBytes: MB });
    expect(await refusal(store.create(session({ body })))).toBe(503);
  });

  test("abandoned uploads expire", async () => {
    const store = memoryUploads({ maxBytes: 4096, maxAge: -1 });
    for (let count = 0; count < 100; count++) {
      const one = session();
      await store.create(one);
    }
  });

  test("chunks of one byte take about a byte", async () => {
    const store = memoryUploads({ maxBytes: 64 * MB });
    const one = session();
    await store.create(one);
    async function* drops(): AsyncGenerator<Uint8Array> {
      const drop = Uint8Array.of(65);
      for (let count = 0; count < 300_000; count++) yield drop;
    }
    expect(await store.append(one.id, drops())).toBe(300_000);
    let pieces = 0;
    for await (const _ of store.read(one.id)) pieces++;
    expect(pieces).toBeLessThan(30);
    expect((await read(store, one.id)).length).toBe(300_000);
  });

  test("the content is returned unchanged", async () => {
    await forEachSeed(async (random) => {
      const store = memoryUploads();
      const one = session();
      await store.create(one);
      let sent = "";
      for (let appends = 1 + random.int(3); appends > 0; appends--) {
        const chunks = Array.from({ length: random.int(20) }, () =>
          String.fromCharCode(97 + random.int(26)).repeat(random.int(3000)),
        );
        sent += chunks.join("");
        async function* encoded(): AsyncGenerator<Uint8Array> {
          for (const chunk of chunks) yield new TextEncoder().encode(chunk);
        }
        expect(await store.append(one.id, encoded())).toBe(sent.length);
      }
      expect(await read(store, one.id)).toBe(sent);
    });
  });
});

describe("uploads in files", () => {
  test("abandoned uploads are removed when another one starts", async () => {
    const folder = temporaryFolder();
    const old = fileUploads({ fs, folder });
    const abandoned = Array.from({ length: 5 }, () => session());
    for (const one of abandoned) await old.create(one);
    await fs.rm(path.join(folder, abandoned[4]!.id, "content"));
    await fs.writeFile(path.join(folder, "of others"), "");
    const long = new Date(Date.now() - 10_000_000);
    for (const { id } of abandoned) {
      const content = path.join(folder, id, "content");
      await fs.utimes(content, long, long).catch(() => {});
      await fs.utimes(path.join(folder, id), long, long);
    }
    const fresh = session();
    const store = fileUploads({ fs, folder, maxAge: 5_000_000 });
    await store.create(fresh);
    while ((await fs.readdir(folder)).length > 2)
      await new Promise((next) => setTimeout(next, 5));
    expect((await fs.readdir(folder)).sort()).toEqual([fresh.id, "of others"]);
  });

  test("an upload removed while it is written, or before its response, leaves nothing", async () => {
    const folder = temporaryFolder();
    const store = fileUploads({ fs, folder });
    const one = session();
    await store.create(one);
    async function* interrupted(): AsyncGenerator<Uint8Array> {
      yield new Uint8Array(10);
      await store.remove(one.id);
    }
    expect(await refusal(store.append(one.id, interrupted()))).toBe(404);
    await store.finish(one.id, { status: 200, headers: {} });
    expect(await fs.readdir(folder)).toEqual([]);
  });

  test("IDs that contain paths are unknown", async () => {
    const folder = temporaryFolder();
    const store = fileUploads({ fs, folder });
    for (const id of ["..", "../x", "", "0".repeat(31), `${"0".repeat(32)}/..`])
      expect(await store.find(id)).toBeUndefined();
  });
});

describe("the mock's store", () => {
  test("counts values, names and tombstones", () => {
    const store = new Store();
    const title = "x".repeat(10 * MB);
    let count = 0;
    const fill = (): void => {
      for (;;) store.put("books", String(count++), { value: { title } });
    };
    expect(fill).toThrow("The mock has reached its storage limit");
    expect(count).toBeLessThan(30);
    store.put("books", "0", { value: {} });
    store.put("books", "new", { value: { title } });
  });

  test("names alone can reach the limit", () => {
    const store = new Store();
    const name = "x".repeat(MB);
    const fill = (): void => {
      for (let count = 0; count < 1000; count++)
        store.remove("books", `${name}${count}`);
    };
    expect(fill).toThrow("The mock has reached its storage limit");
  });
});

describe("a server", () => {
  const scan = async ({ media, body }: Call): Promise<object> => {
    const got = media === undefined ? 0 : (await media.bytes()).length;
    const { title = "" } = Object(body) as { title?: string };
    return { title: `${title}|${got}` };
  };
  const start = async (options: ServerOptions): Promise<string> => {
    const server = create({ books: { scan } }, options);
    const begun = await ask(
      server,
      request(
        "POST",
        `${UPLOAD}?uploadType=resumable`,
        { "x-upload-content-type": "text/plain" },
        ['{"title":"T"}'],
      ),
    );
    return new URL(begun.headers["location"]!).search;
  };

  test.each([["memory"], ["files"]])(
    "DELETE during a PUT: the PUT fails, nothing is stored (%s)",
    async (kind) => {
      const folder = temporaryFolder();
      const uploads =
        kind === "files" ? fileUploads({ fs, folder }) : memoryUploads();
      const options = { uploads };
      const query = await start(options);
      const server = create({ books: { scan } }, options);
      const made = request("PUT", UPLOAD + query);
      const cut = Object.assign(made, {
        async *chunks() {
          yield new Uint8Array(10);
          const gone = await ask(server, request("DELETE", UPLOAD + query));
          expect(gone.status).toBe(499);
          yield new Uint8Array(10);
        },
      });
      expect((await ask(server, cut)).status).toBe(404);
      expect((await ask(server, request("PUT", UPLOAD + query))).status).toBe(
        404,
      );
      expect(await fs.readdir(folder)).toEqual([]);
    },
  );

  test("a bomb is refused by its decoded size, in one request or resumed", async () => {
    const bomb = gzipSync(new Uint8Array(100 * MB));
    const server = create({ books: { scan } });
    const headers = {
      "content-type": "text/plain",
      "content-encoding": "gzip",
    };
    const target = `${UPLOAD}?uploadType=media`;
    const made = request("POST", target, headers, [bomb]);
    expect((await ask(server, made)).status).toBe(413);
    const query = await start({});
    void query;
    const options: ServerOptions = {};
    const resumed = await start(options);
    const other = create({ books: { scan } }, options);
    const put = request("PUT", UPLOAD + resumed, headers, [bomb]);
    expect((await ask(other, put)).status).toBe(413);
  });

  test("seeded: random uploads get a response", async () => {
    const options: ServerOptions = {
      uploads: memoryUploads({ maxBytes: 10_000 }),
      limits: { body: 5000 },
    };
    const server = create({ books: { scan } }, options);
    const known: string[] = [];
    await forEachSeed(async (random) => {
      if (random.chance(0.2)) known.push(await tryStart(random));
      const told = await ask(server, hostileUpload(random, known));
      expect(told.status).not.toBe(500);
      expect(told.text.length).toBeLessThan(10_000);
      expect(told.text).not.toMatch(/node_modules|src\/runtime|TypeError/);
    });

    async function tryStart(random: Choices): Promise<string> {
      const body = [JSON.stringify({ title: "x".repeat(random.int(300)) })];
      const headers = { "x-upload-content-type": "text/plain" };
      const target = `${UPLOAD}?uploadType=resumable`;
      const begun = await ask(server, request("POST", target, headers, body));
      const { location } = begun.headers;
      return location === undefined ? "" : new URL(location).search;
    }
  });
});

const TYPES = [
  "text/plain",
  "image/png",
  "multipart/related; boundary=B",
  'multipart/related; boundary="B',
  "multipart/related",
  "application/json",
  "\u00e4",
] as const;

const RANGES = [
  "bytes 0-9/10",
  "bytes 5-9/*",
  "bytes */*",
  "bytes */10",
  "bytes 0-*/*",
  "bytes 9-0/10",
  "bytes 99999999999999999999-1/2",
  "bytes 0--1/0",
  "x",
] as const;

const CONTENT: readonly (string | Uint8Array)[] = [
  "--B\r\n",
  "content-type: application/json\r\n\r\n",
  '{"title":"T"}',
  "null",
  "\r\n--B\r\ncontent-type: text/plain\r\n\r\n",
  "content-transfer-encoding: base64\r\n\r\n",
  "YWJj",
  "\r\n--B--",
  "0123456789",
  gzipSync("0123456789"),
  gzipSync("0123456789").subarray(0, 15),
  Uint8Array.of(0xff, 0xfe, 0),
];

function hostileUpload(
  random: Choices,
  known: readonly string[],
): ReturnType<typeof request> {
  const headers: Record<string, string> = {
    "content-type": random.pick(TYPES),
  };
  if (random.chance(0.3)) headers["content-range"] = random.pick(RANGES);
  if (random.chance(0.2))
    headers["content-encoding"] = random.pick([
      "gzip",
      "br",
      "deflate",
      "a, b",
    ]);
  if (random.chance(0.2))
    headers["x-upload-content-length"] = random.pick(["5", "-1", "9e9", "x"]);
  const query =
    random.chance(0.5) && known.length > 0
      ? random.pick(known)
      : `?uploadType=${random.pick(["media", "multipart", "resumable", "x", ""])}`;
  const pieces = Array.from({ length: random.int(12) }, () =>
    random.pick(CONTENT),
  );
  const method = random.pick(["POST", "PUT", "PUT", "DELETE"]);
  return request(method, UPLOAD + query, headers, pieces);
}
