import { beforeAll, describe, expect, test } from "vitest";
import {
  ApiError,
  type Call,
  type ServerOptions,
} from "../../../src/runtime/server/index.js";
import { RawConnection, serve } from "../../attack/support/servers.js";
import { description } from "../../support/generate.js";
import { loadServer, type CreateServer } from "./generated.js";
import { library } from "./library.js";

const MB = 1024 * 1024;
const BOOKS = "/library/v1/books";
const UPLOAD = "/upload/library/v1/books:scan";
const NEXT = `GET ${BOOKS}/next HTTP/1.1\r\nHost: x\r\n\r\n`;

let create: CreateServer;
beforeAll(async () => {
  create = await loadServer(library);
});

const service = {
  get: ({ params }: Call) => params,
  insert: ({ body }: Call) => body,
};

function start(
  scan: (call: Call) => unknown,
  options?: ServerOptions,
): Promise<number> {
  return serve(create({ books: { ...service, scan } }, options));
}

const refuse = (): never => {
  throw new ApiError(403, "No.");
};

const stopEarly = async ({ media }: Call): Promise<object> => {
  for await (const _ of media!.chunks()) throw new ApiError(403, "No.");
  return {};
};

const simple = (length: number): string =>
  `POST ${UPLOAD}?uploadType=media HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: ${length}\r\n\r\n`;

const chunked = (target: string, type: string): string =>
  `POST ${target} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n`;

const CHUNK = `10000\r\n${"x".repeat(0x10000)}\r\n`;

describe("after a refused upload", () => {
  test.each([
    ["refused before the body is read", refuse],
    ["refused after the first chunk", stopEarly],
  ])("%s, the next request gets a response", async (_, scan) => {
    const port = await start(scan, { limits: { upload: 5 * MB } });
    const connection = new RawConnection(port);
    await connection.send(simple(1000));
    await connection.send("x".repeat(400));
    await connection.until(/HTTP\/1\.1 403/);
    await connection.send("x".repeat(600) + NEXT);
    const all = await connection.until(/"bookId":"next"/);
    expect(all).toContain('"bookId":"next"');
    expect(all).not.toMatch(/connection: close/i);
  });

  test("a large unread rest closes the connection after the client has read the response", async () => {
    const port = await start(stopEarly);
    const connection = new RawConnection(port);
    await connection.send(simple(4 * MB));
    await connection.sendBlocking("x".repeat(4 * MB));
    const all = await connection.until(/"No\."[^]*\}$/);
    expect(all).toMatch(/^HTTP\/1\.1 4\d\d/);
    expect(all).toMatch(/connection: close/i);
    await connection.until(/never/);
    expect(connection.isClosed).toBe(true);
  });

  test.each([
    ["malformed", "multipart/related; boundary=B", "--B\r\n\r\n{\r\n--B\r\n"],
    ["of one part", "multipart/related; boundary=B", "--B\r\n\r\n{}\r\n--B--"],
  ])("multipart body: %s", async (_, type, text) => {
    const port = await start(refuse);
    const connection = new RawConnection(port);
    await connection.send(
      `POST ${UPLOAD} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: ${text.length + 5}\r\n\r\n${text}`,
    );
    await connection.send(`12345${NEXT}`);
    const all = await connection.until(/"bookId":"next"/);
    expect(all).toMatch(/^HTTP\/1\.1 400/);
    expect(all).toContain('"bookId":"next"');
  });
});

describe("after a refused large upload", () => {
  const file = {
    id: "files.upload",
    path: "files",
    httpMethod: "POST",
    response: { $ref: "File" },
    supportsMediaUpload: true,
    mediaUpload: {
      protocols: { simple: { multipart: true, path: "/upload/files" } },
    },
  };
  const files = description({
    name: "files",
    servicePath: "",
    schemas: { File: { id: "File", type: "object" } },
    methods: { upload: file },
  });
  const head = (length: number): string =>
    `POST /upload/files?uploadType=media HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`;

  test.each([
    ["refused before the body is read", refuse],
    ["refused after the first chunk", stopEarly],
  ])("%s: the connection is reused or closed", async (_, upload) => {
    const createFiles = await loadServer(files);
    const port = await serve(createFiles({ upload }));
    for (const size of [100_000, 200_000, 260_000, 1_000_000, 3_000_000]) {
      const connection = new RawConnection(port);
      await connection.send(head(size));
      await connection.send("x".repeat(size));
      const all = await connection.until(/\}$/);
      expect(all).toMatch(/^HTTP\/1\.1 403/);
      if (/connection: close/i.test(all)) {
        expect(size).toBeGreaterThan(256 * 1024);
        await connection.until(/never/);
        expect(connection.isClosed).toBe(true);
        continue;
      }
      await connection.send("GET /none HTTP/1.1\r\nHost: x\r\n\r\n");
      expect(await connection.until(/ 404 [^]*\}$/)).toContain(" 404 ");
    }
  });
});

describe("a body beyond the limit", () => {
  const limits = { body: 1000, upload: 1000 };

  test.each([
    [
      "announced",
      `POST ${BOOKS} HTTP/1.1\r\nHost: x\r\nContent-Length: ${3 * MB}\r\n\r\n`,
      "x".repeat(3 * MB),
    ],
    [
      "in chunks",
      chunked(BOOKS, "application/json"),
      CHUNK.repeat(32) + "0\r\n\r\n",
    ],
    [
      "an upload",
      chunked(UPLOAD, "text/plain"),
      CHUNK.repeat(32) + "0\r\n\r\n",
    ],
  ])(
    "%s: a client that sends all first can read 413",
    async (_, head, body) => {
      const scan = async ({ media }: Call): Promise<object> => {
        await media!.bytes();
        return {};
      };
      const connection = new RawConnection(await start(scan, { limits }));
      await connection.send(head);
      await connection.send(body);
      const all = await connection.until(/\}$/);
      expect(all).toMatch(/^HTTP\/1\.1 413/);
      await connection.until(/never/);
      expect(connection.isClosed).toBe(true);
    },
  );
});

describe("origin and remote address", () => {
  const bodies = [
    ["media", "text/plain", "abc"],
    [
      "multipart",
      "multipart/related; boundary=B",
      "--B\r\n\r\n{}\r\n--B\r\ncontent-type: text/plain\r\n\r\nabc\r\n--B--\r\n",
    ],
  ] as const;

  test.each(bodies)(
    "are available after %s was read",
    async (type, mime, body) => {
      let logged: unknown;
      const scan = async ({ media, request }: Call): Promise<object> => {
        await media!.bytes();
        await new Promise((next) => setImmediate(next));
        return { title: `${request.origin} ${request.remoteAddress}` };
      };
      const port = await start(scan, {
        log: ({ request }) => (logged = request.remoteAddress),
      });
      const url = `http://127.0.0.1:${port}${UPLOAD}?uploadType=${type}`;
      const headers = { "content-type": mime };
      const response = await fetch(url, { method: "POST", headers, body });
      expect(await response.json()).toEqual({
        title: `http://127.0.0.1:${port} 127.0.0.1`,
      });
      expect(logged).toBe("127.0.0.1");
    },
  );

  test("a connection is reused for several multipart uploads, including chunked ones", async () => {
    const scan = async ({ media }: Call): Promise<object> => ({
      title: String((await media!.bytes()).length),
    });
    const connection = new RawConnection(await start(scan));
    const [, [, mime, body]] = bodies;
    const chunks = `${body.length.toString(16)}\r\n${body}\r\n`;
    for (let count = 1; count <= 3; count++) {
      await connection.send(chunked(UPLOAD, mime) + chunks);
      await connection.send("0\r\n\r\n");
      const all = new RegExp(`(?:"title":"3"[^]*){${count}}`);
      expect(await connection.until(all)).toMatch(all);
    }
    expect(connection.isClosed).toBe(false);
  });
});
