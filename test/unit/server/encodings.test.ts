import { deflateSync, gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import type { Call, Server } from "../../../src/runtime/server/index.js";
import { ask, request } from "../../attack/support/servers.js";
import { description } from "../../support/generate.js";
import { loadServer } from "./generated.js";
import { library } from "./library.js";

const BOOKS = "/library/v1/books";
const UPLOAD = "/upload/library/v1/books:scan";

let server: Server;
beforeAll(async () => {
  const create = await loadServer(library);
  const given = ({ params, body }: Call): object => ({ params, body });
  server = create({
    books: {
      insert: given,
      list: given,
      patch: ({ body }: Call) => ({
        body: body === undefined ? "absent" : body,
      }),
      async scan({ media, body }: Call) {
        const text = new TextDecoder().decode(await media?.bytes());
        return { body, text, size: media?.size };
      },
    },
  });
});

async function send(
  method: string,
  target: string,
  headers: Record<string, string>,
  body: Uint8Array | string,
): Promise<unknown> {
  const { status, text } = await ask(
    server,
    request(method, target, headers, [body]),
  );
  return status === 200 ? JSON.parse(text) : `${status} ${text}`;
}

describe("encoded bodies", () => {
  test.each([
    ["gzip", gzipSync],
    ["x-gzip", gzipSync],
    ["GZIP", gzipSync],
    ["deflate", deflateSync],
  ])("%s: JSON", async (encoding, pack) => {
    const headers = {
      "content-encoding": encoding,
      "content-type": "application/json",
    };
    const body = pack('{"title":"\u00e9"}');
    expect(await send("POST", BOOKS, headers, body)).toMatchObject({
      body: { title: "\u00e9" },
    });
  });

  test("a GET as a form", async () => {
    const headers = {
      "content-encoding": "gzip",
      "content-type": "application/x-www-form-urlencoded",
      "x-http-method-override": "GET",
    };
    expect(await send("POST", BOOKS, headers, gzipSync("q=a+b"))).toMatchObject(
      {
        params: { q: "a b" },
      },
    );
  });

  test("content alone, and multipart", async () => {
    const packed = { "content-encoding": "gzip", "content-length": "33" };
    const plain = { ...packed, "content-type": "text/plain" };
    expect(
      await send("POST", `${UPLOAD}?uploadType=media`, plain, gzipSync("abc")),
    ).toEqual({ text: "abc" });
    const both = { ...packed, "content-type": "multipart/related; boundary=B" };
    const body = gzipSync(
      '--B\r\n\r\n{"title":"T"}\r\n--B\r\ncontent-type: text/plain\r\n\r\nabc\r\n--B--',
    );
    expect(
      await send("POST", `${UPLOAD}?uploadType=multipart`, both, body),
    ).toMatchObject({ body: { title: "T" }, text: "abc" });
  });

  test("the start and the bytes of a resumable upload", async () => {
    const packed = { "content-encoding": "gzip" };
    const target = `${UPLOAD}?uploadType=resumable`;
    const type = { ...packed, "x-upload-content-type": "text/plain" };
    const { headers } = await ask(
      server,
      request("POST", target, type, [gzipSync('{"title":"T"}')]),
    );
    const { search } = new URL(headers["location"]!);
    const put = { ...packed, "content-range": "bytes 0-2/3" };
    expect(await send("PUT", UPLOAD + search, put, gzipSync("abc"))).toEqual({
      body: { title: "T" },
      text: "abc",
      size: 3,
    });
  });

  test("over the Fetch standard, a batch", async () => {
    const body = gzipSync(
      `--B\r\n\r\nPOST ${BOOKS}\r\ncontent-type: application/json\r\n\r\n{"title":"T"}\r\n--B--`,
    );
    const response = await server.fetch(
      new Request("http://localhost/batch/library/v1", {
        method: "POST",
        headers: {
          "content-encoding": "gzip",
          "content-type": "multipart/mixed; boundary=B",
        },
        body,
      }),
    );
    expect(await response.text()).toContain('{"title":"T"}');
  });
});

describe("a null body", () => {
  const json = { "content-type": "application/json" };

  test("counts as absent if the body is optional", async () => {
    expect(await send("PATCH", `${BOOKS}/1`, json, " null\n")).toEqual({
      body: "absent",
    });
  });

  test("is refused if the body is required", async () => {
    expect(await send("POST", BOOKS, json, "null")).toContain("400");
  });

  test("counts as absent metadata of an upload", async () => {
    const type = { "content-type": "multipart/related; boundary=B" };
    const body =
      "--B\r\n\r\nnull\r\n--B\r\ncontent-type: text/plain\r\n\r\nabc\r\n--B--";
    expect(await send("POST", UPLOAD, type, body)).toEqual({ text: "abc" });
  });
});

describe("64-bit integers as numbers", () => {
  const long = (rest: object = {}): object => ({
    type: "string",
    format: "int64",
    ...rest,
  });

  test("are accepted if exact, and converted to text", async () => {
    const create = await loadServer(
      description({
        name: "demo",
        schemas: {
          Thing: {
            id: "Thing",
            type: "object",
            properties: {
              size: long({ minimum: "5" }),
              free: { type: "string", format: "uint64" },
              list: { type: "array", items: long() },
              lists: {
                type: "array",
                items: { type: "array", items: long() },
              },
              map: { type: "object", additionalProperties: long() },
              child: { $ref: "Thing" },
              children: { type: "array", items: { $ref: "Thing" } },
            },
          },
        },
        methods: {
          insert: {
            id: "demo.insert",
            path: "things",
            httpMethod: "POST",
            request: { $ref: "Thing" },
            response: { $ref: "Thing" },
          },
        },
      }),
    );
    const demo = create({ insert: ({ body }: Call) => body });
    const insert = async (body: string): Promise<unknown> => {
      const { status, text } = await ask(
        demo,
        request("POST", "/things", {}, [body]),
      );
      return status === 200 ? JSON.parse(text) : status;
    };
    expect(
      await insert(
        '{"size":5,"free":0,"list":[1,"2",-3],"lists":[[4],[]],"map":{"a":6,"b":"7"},"child":{"size":8},"children":[{"list":[9007199254740991]}]}',
      ),
    ).toEqual({
      size: "5",
      free: "0",
      list: ["1", "2", "-3"],
      lists: [["4"], []],
      map: { a: "6", b: "7" },
      child: { size: "8" },
      children: [{ list: ["9007199254740991"] }],
    });
    for (const bad of [
      '{"size":4}',
      '{"size":5.5}',
      '{"free":-1}',
      '{"list":[9007199254740993]}',
      '{"map":{"a":1e300}}',
      '{"size":true}',
    ])
      expect([bad, await insert(bad)]).toEqual([bad, 400]);
  });
});

describe("CORS and vary", () => {
  test("fields set by handlers and hooks are preserved", async () => {
    const create = await loadServer(library);
    const { reply } = await import("../../../src/runtime/server/index.js");
    const cors = { origins: ["https://a.example"] };
    const get = (): unknown =>
      reply({ id: "1" }, { headers: { vary: "Accept-Language" } });
    const vary = async (
      options: object,
      origin = "https://a.example",
    ): Promise<string | undefined> => {
      const one = create({ books: { get } }, { cors, ...options });
      const made = request("GET", `${BOOKS}/1`, { origin });
      return (await ask(one, made)).headers["vary"];
    };
    expect(await vary({})).toBe("Accept-Language, origin");
    expect(await vary({}, "https://b.example")).toBe("Accept-Language, origin");
    const headers = (): object => ({ vary: "cookie, Origin" });
    expect(await vary({ headers })).toBe("Accept-Language, origin, cookie");
  });
});
