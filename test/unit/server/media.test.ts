import { beforeAll, describe, expect, test } from "vitest";
import {
  content,
  type Call,
  type Server,
} from "../../../src/runtime/server/index.js";
import { loadServer } from "./generated.js";
import { library } from "./library.js";

const ROOT = "https://books.example/";
const UPLOAD = `${ROOT}upload/library/v1/books:scan`;
const DATA = new TextEncoder().encode("0123456789");

let server: Server;
beforeAll(async () => {
  const create = await loadServer(library);
  server = create({
    books: {
      async scan({ media, body }: Call) {
        const text = new TextDecoder().decode(await media?.bytes());
        const { title } = Object(body) as { title?: string };
        return { title: `${title ?? "-"}|${media?.contentType}|${text}` };
      },
      get({ wantsContent, params }: Call<{ bookId: string }>) {
        if (params.bookId === "stream") return content({ body: slowly() });
        return wantsContent
          ? content({ body: DATA, contentType: "text/plain", etag: '"v1"' })
          : { id: params.bookId };
      },
    },
  });
});

async function* slowly(): AsyncGenerator<Uint8Array> {
  yield DATA.subarray(0, 4);
  yield DATA.subarray(4);
}

async function send(
  url: string,
  init: RequestInit = {},
): Promise<{ status: number; headers: Headers; text: string }> {
  const response = await server.fetch(new Request(url, init));
  return {
    status: response.status,
    headers: response.headers,
    text: await response.text(),
  };
}

/** Uploads content and returns what the handler received. */
async function scan(
  query: string,
  type: string,
  body: string,
): Promise<string> {
  const init = { method: "POST", headers: { "content-type": type }, body };
  const { status, text } = await send(`${UPLOAD}${query}`, init);
  const value = JSON.parse(text) as {
    title?: string;
    error?: { message: string };
  };
  return value.title ?? `${status} ${value.error?.message}`;
}

describe("uploads in one request", () => {
  test("content alone", async () => {
    expect(await scan("?uploadType=media", "text/plain", "abc")).toBe(
      "-|text/plain|abc",
    );
    expect(await scan("?uploadType=media", "text/html", "abc")).toContain(
      "400 Media type",
    );
    expect(
      await scan("?uploadType=media", "text/plain", "x".repeat(1025)),
    ).toContain("413");
  });

  const META = 'Content-Type: application/json\r\n\r\n{"title":"T"}';
  const lines = (text: string, line: string): string =>
    text.replaceAll("\r\n", line);

  test.each([
    ["boundary=B", "\r\n", "B"],
    ['boundary="B C"', "\r\n", "B C"],
    ["boundary='==B=='", "\n", "==B=="],
    ["type=x; BOUNDARY=B; q=1", "\n", "B"],
  ])("multipart with %s", async (parameter, line, boundary) => {
    const body = lines(
      `--${boundary}\r\n${META}\r\n--${boundary}\r\nContent-Type: text/plain\r\n\r\nabc\r\n--${boundary}--`,
      line,
    );
    const type = `multipart/related; ${parameter}`;
    expect(await scan("?uploadType=multipart", type, body)).toBe(
      "T|text/plain|abc",
    );
    expect(await scan("", type, `${body}${line}epilogue`)).toBe(
      "T|text/plain|abc",
    );
  });

  test.each([
    ["a part without headers", "\r\nabc", "T|application/octet-stream|abc"],
    [
      "lines that resemble the boundary",
      "Content-Type: text/plain\r\n\r\n--Bx\r\nx--B\r\n--B-\r\n-",
      "T|text/plain|--Bx\r\nx--B\r\n--B-\r\n-",
    ],
    [
      "base64",
      "Content-Type: text/plain\r\nContent-Transfer-Encoding: base64\r\n\r\nYW\r\nJj",
      "T|text/plain|abc",
    ],
    ["nothing", "Content-Type: text/plain\r\n\r\n", "T|text/plain|"],
    [
      "content that ends with a line end",
      "Content-Type: text/plain\r\n\r\nabc\r\n",
      "T|text/plain|abc\r\n",
    ],
  ])("%s", async (_, part, expected) => {
    const body = `--B\r\n${META}\r\n--B\r\n${part}\r\n--B--\r\n`;
    const seen = await scan(
      "?uploadType=multipart",
      "multipart/related; boundary=B",
      body,
    );
    const isTyped = expected.includes("octet");
    expect(seen).toBe(
      isTyped
        ? '400 Media type "application/octet-stream" is not supported. Valid media types: image/*, text/plain.'
        : expected,
    );
  });

  test.each([
    ["one part", `--B\r\n${META}\r\n--B--`],
    [
      "three parts",
      `--B\r\n${META}\r\n--B\r\nContent-Type: text/plain\r\n\r\na\r\n--B\r\nContent-Type: text/plain\r\n\r\nb\r\n--B--`,
    ],
    [
      "a missing closing delimiter",
      `--B\r\n${META}\r\n--B\r\nContent-Type: text/plain\r\n\r\nabc`,
    ],
    ["no parts", "abc"],
    ["bad metadata", "--B\r\n\r\n{\r\n--B\r\n\r\n\r\n--B--"],
  ])("%s is refused", async (_, body) => {
    expect(
      await scan(
        "?uploadType=multipart",
        "multipart/related; boundary=B",
        body,
      ),
    ).toMatch(/^400/);
  });
});

describe("resumable uploads", () => {
  async function start(
    headers: Record<string, string> = {},
    path = UPLOAD,
  ): Promise<string> {
    const { status, headers: answer } = await send(
      `${path}?uploadType=resumable`,
      {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "x-upload-content-type": "text/plain",
          ...headers,
        },
        body: '{"title":"T"}',
      },
    );
    expect(status).toBe(200);
    return answer.get("location")!;
  }

  async function put(
    url: string,
    range: string | undefined,
    body: string,
    more: Record<string, string> = {},
  ): Promise<string> {
    const headers = {
      ...(range === undefined ? {} : { "content-range": range }),
      ...more,
    };
    const {
      status,
      headers: answer,
      text,
    } = await send(url, { method: "PUT", headers, body });
    expect(status === 308 ? answer.get("location") : null).toBeNull();
    const title =
      status < 300 && text !== ""
        ? (JSON.parse(text) as { title: string }).title
        : "";
    return [status, answer.get("range") ?? "", title].join(" ").trim();
  }

  test.each([
    ["complete content", [[undefined, "abcdef", "200  T|text/plain|abcdef"]]],
    [
      "complete content with a range",
      [["bytes 0-5/6", "abcdef", "200  T|text/plain|abcdef"]],
    ],
    [
      "chunks",
      [
        ["bytes 0-2/6", "abc", "308 bytes=0-2"],
        ["bytes */6", "", "308 bytes=0-2"],
        ["bytes 3-5/6", "def", "200  T|text/plain|abcdef"],
        ["bytes */6", "", "200  T|text/plain|abcdef"],
      ],
    ],
    [
      "chunks of unknown length",
      [
        ["bytes 0-2/*", "abc", "308 bytes=0-2"],
        ["bytes 3-5/*", "def", "308 bytes=0-5"],
        ["bytes */6", "", "200  T|text/plain|abcdef"],
      ],
    ],
    [
      "a range to the end of the request",
      [["bytes 0-*/*", "abcdef", "200  T|text/plain|abcdef"]],
    ],
    [
      "bytes that are already stored",
      [
        ["bytes 0-2/6", "abc", "308 bytes=0-2"],
        ["bytes 1-5/6", "bcdef", "200  T|text/plain|abcdef"],
      ],
    ],
    [
      "a gap",
      [
        ["bytes 3-5/6", "def", "503"],
        ["bytes */*", "", "308"],
      ],
    ],
    ["empty content", [["bytes */0", "", "200  T|text/plain|"]]],
    [
      "an invalid range",
      [
        ["bytes 5-2/6", "abc", "400"],
        ["pages 1-2/3", "", "400"],
      ],
    ],
    ["more bytes than the range", [["bytes 0-1/6", "abc", "400"]]],
  ] as const)("%s", async (_, steps) => {
    const url = await start();
    for (const [range, body, expected] of steps)
      expect(await put(url, range, body)).toBe(expected);
  });

  test("on the additional path in the document", async () => {
    const url = await start(
      {},
      `${ROOT}resumable/upload/library/v1/books:scan`,
    );
    expect(await put(url, undefined, "abc")).toBe("200  T|text/plain|abc");
  });

  test("clients without support for 308", async () => {
    const url = await start();
    const { status, headers } = await send(url, {
      method: "POST",
      headers: { "content-range": "bytes 0-2/6", "x-guploader-no-308": "yes" },
      body: "abc",
    });
    expect([status, headers.get("x-http-status-code-override")]).toEqual([
      200,
      "308",
    ]);
  });

  test("the announced length must match", async () => {
    const url = await start({ "x-upload-content-length": "6" });
    expect(await put(url, "bytes 0-2/7", "abc")).toBe("400");
    expect(await put(url, undefined, "abcdef")).toContain("200");
    const long = await send(`${UPLOAD}?uploadType=resumable`, {
      method: "POST",
      headers: {
        "x-upload-content-type": "text/plain",
        "x-upload-content-length": "2000",
      },
    });
    expect(long.status).toBe(413);
  });

  test("canceled and unknown uploads", async () => {
    const url = await start();
    expect((await send(url, { method: "DELETE" })).status).toBe(499);
    expect(await put(url, undefined, "abc")).toBe("404");
    expect((await send(UPLOAD, { method: "PUT" })).status).toBe(405);
  });
});

describe("downloads", () => {
  const URL = `${ROOT}library/v1/books/1?alt=media`;

  test("a parameter may be repeated with the same value only", async () => {
    expect((await send(`${URL}&alt=media`)).text).toBe("0123456789");
    expect((await send(`${URL}&alt=json`)).status).toBe(400);
  });

  test.each([
    [{}, 200, "0123456789", null],
    [{ range: "bytes=2-4" }, 206, "234", "bytes 2-4/10"],
    [{ range: "bytes=7-" }, 206, "789", "bytes 7-9/10"],
    [{ range: "bytes=-3" }, 206, "789", "bytes 7-9/10"],
    [{ range: "bytes=-30" }, 206, "0123456789", "bytes 0-9/10"],
    [{ range: "bytes=8-100" }, 206, "89", "bytes 8-9/10"],
    [{ range: "bytes=0-0,2-3" }, 200, "0123456789", null],
    [{ range: "bytes=2-4", "if-range": '"v0"' }, 200, "0123456789", null],
    [{ range: "bytes=2-4", "if-range": '"v1"' }, 206, "234", "bytes 2-4/10"],
    [{ "if-none-match": 'W/"v1", "v2"' }, 304, "", null],
    [{ "if-none-match": '"v2"' }, 200, "0123456789", null],
    [{ "if-match": '"v1"' }, 200, "0123456789", null],
  ])("%j", async (headers, status, text, range) => {
    const answer = await send(URL, { headers });
    expect([answer.status, answer.text]).toEqual([status, text]);
    expect(answer.headers.get("content-range")).toBe(range);
    expect(answer.headers.get("content-location")).toBeNull();
  });

  test("unsatisfiable ranges and failed preconditions", async () => {
    const range = await send(URL, { headers: { range: "bytes=10-" } });
    expect([range.status, range.headers.get("content-range")]).toEqual([
      416,
      "bytes */10",
    ]);
    const match = await send(URL, { headers: { "if-match": '"v2"' } });
    expect(match.status).toBe(412);
  });

  test("streams and metadata", async () => {
    const stream = await send(`${ROOT}library/v1/books/stream?alt=media`);
    expect([stream.status, stream.text]).toEqual([200, "0123456789"]);
    expect((await send(`${ROOT}library/v1/books/1`)).text).toBe('{"id":"1"}');
  });
});

describe("batch", () => {
  test("several calls in one request", async () => {
    const body = [
      "--B",
      "Content-Type: application/http",
      "Content-ID: <abc + 1>",
      "",
      "GET /library/v1/books/7?fields=id HTTP/1.1",
      "",
      "--B",
      "Content-Type: application/http",
      "Content-ID: <abc + 2>",
      "",
      "GET /library/v1/nothing HTTP/1.1",
      "Accept: application/json",
      "",
      "",
      "--B",
      "Content-Type: application/http",
      "",
      "nonsense",
      "--B--",
      "",
    ].join("\n");
    const { status, headers, text } = await send(`${ROOT}batch/library/v1`, {
      method: "POST",
      headers: { "content-type": 'multipart/mixed; boundary="B"' },
      body,
    });
    expect(status).toBe(200);
    expect(headers.get("content-type")).toMatch(/^multipart\/mixed; boundary=/);
    expect(text).toContain("content-id: <response-abc + 1>\r\n");
    expect(text).toContain("HTTP/1.1 200 OK\r\n");
    expect(text).toContain('\r\n\r\n{"id":"7"}\r\n');
    expect(text).toContain("HTTP/1.1 404 Not Found\r\n");
    expect(text.match(/HTTP\/1\.1 400/g)).toHaveLength(1);
  });

  test("a malformed batch is a single error", async () => {
    const post = async (type: string, body: string): Promise<number> =>
      (
        await send(`${ROOT}batch/library/v1`, {
          method: "POST",
          headers: { "content-type": type },
          body,
        })
      ).status;
    expect(await post("text/plain", "x")).toBe(400);
    expect(await post("multipart/mixed", "x")).toBe(400);
    expect(await post("multipart/mixed; boundary=B", "--B--")).toBe(400);
  });
});
