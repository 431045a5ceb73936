import type { Socket } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { parseRemoteUrl } from "../../../src/remote/http/url-policy.js";
import { fetchUrl } from "../../../src/remote/http/fetch-url.js";
import {
  RemoteError,
  type HttpSettings,
} from "../../../src/remote/http/http-settings.js";
import {
  rawServer,
  responseText,
  type SeenRequest,
} from "../../support/fault-servers.js";
import { testSettings } from "./support.js";

type Respond = (socket: Socket, request: SeenRequest) => void;

/** Requests a path of a server with some responses. */
async function request(
  respond: Respond,
  overrides: Partial<HttpSettings> = {},
): Promise<{ text: string; requests: SeenRequest[] }> {
  const { origin, requests } = await rawServer(respond);
  const settings = testSettings(overrides);
  const url = parseRemoteUrl(`${origin}/doc`, settings);
  const { body } = await fetchUrl(url, {}, settings);
  return { text: body.toString(), requests };
}

/** Returns `code message` of the failed request. */
async function failure(
  respond: Respond,
  overrides: Partial<HttpSettings> = {},
): Promise<string> {
  const error: unknown = await request(respond, overrides).then(
    () => "no failure",
    (reason: unknown) => reason,
  );
  if (!(error instanceof RemoteError)) throw error;
  return `${error.code} ${error.message}`;
}

const ok =
  (
    headers: Record<string, string | number>,
    body: Uint8Array | string,
  ): Respond =>
  (socket) =>
    socket.end(responseText("200 OK", headers, body));

describe("a body", () => {
  test.each([
    ["plain", {}, "text"],
    ["gzip", { "content-encoding": "gzip" }, gzipSync("text")],
    ["x-gzip", { "content-encoding": "X-Gzip" }, gzipSync("text")],
    ["deflate", { "content-encoding": "deflate" }, deflateSync("text")],
    ["br", { "content-encoding": "br" }, brotliCompressSync("text")],
  ])("%s", async (_, headers, body) => {
    expect((await request(ok(headers, body))).text).toBe("text");
  });

  test("without length, up to the end of the connection", async () => {
    const { text } = await request((socket) =>
      socket.end("HTTP/1.1 200 OK\r\n\r\ntext"),
    );
    expect(text).toBe("text");
  });
});

const LIMITS = { total: 2_000, idle: 200, size: 1_000, delays: [] };

describe("a server that", () => {
  test.each<[string, Respond, RegExp]>([
    [
      "sends less than announced",
      ok({ "content-length": 100 }, "short"),
      /remote-failed .*incomplete/,
    ],
    [
      "announces too much",
      ok({ "content-length": 1e9 }, "x"),
      /remote-response .*larger than 1000 bytes/,
    ],
    [
      "sends too much",
      ok({ "transfer-encoding": "chunked", "content-length": "" }, "x"),
      /remote-failed/,
    ],
    [
      "sends too much without a length",
      (socket) => socket.end(`HTTP/1.1 200 OK\r\n\r\n${"x".repeat(5_000)}`),
      /larger than 1000 bytes/,
    ],
    [
      "sends a gzip bomb",
      ok({ "content-encoding": "gzip" }, gzipSync(Buffer.alloc(900_000))),
      /larger than 1000 bytes/,
    ],
    [
      "sends a brotli bomb",
      ok(
        { "content-encoding": "br" },
        brotliCompressSync(Buffer.alloc(900_000)),
      ),
      /larger than 1000 bytes/,
    ],
    [
      "truncates gzip data",
      ok(
        { "content-encoding": "gzip" },
        gzipSync("text".repeat(50)).subarray(0, 20),
      ),
      /remote-response .*not valid gzip/,
    ],
    [
      "sends no gzip data",
      ok({ "content-encoding": "gzip" }, "text"),
      /not valid gzip/,
    ],
    [
      "uses an unknown coding",
      ok({ "content-encoding": "zstd" }, "text"),
      /Content-Encoding must be one of gzip, br, found "zstd"/,
    ],
    [
      "truncates chunks",
      (socket) =>
        socket.end(
          "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n100\r\nabc",
        ),
      /remote-failed .*incomplete/,
    ],
    ["sends nothing", () => {}, /remote-failed .*sent no data for 200 ms/],
    [
      "stops in the headers",
      (socket) => socket.write("HTTP/1.1 200 OK\r\nConte"),
      /sent no data for 200 ms/,
    ],
    [
      "stops in the body",
      (socket) =>
        socket.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nab"),
      /remote-failed .*sent no data/,
    ],
    [
      "closes at once",
      (socket) => socket.destroy(),
      /remote-failed .*the connection was closed/,
    ],
    [
      "is not HTTP",
      (socket) => socket.end("SSH-2.0-x\r\n"),
      /remote-failed .*does not match the HTTP/,
    ],
    [
      "sends huge headers",
      (socket) =>
        socket.end(`HTTP/1.1 200 OK\r\nx: ${"y".repeat(100_000)}\r\n\r\n`),
      /remote-failed .*Headers Overflow/,
    ],
    [
      "conflicts about the length",
      (socket) =>
        socket.end(
          "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
        ),
      /remote-failed/,
    ],
    [
      "redirects to itself",
      (socket) => socket.end(responseText("302 Found", { location: "/doc" })),
      /redirected more than 5 times/,
    ],
    [
      "redirects without a location",
      (socket) => socket.end(responseText("302 Found", {})),
      /no Location/,
    ],
    [
      "redirects to no URL",
      (socket) =>
        socket.end(responseText("302 Found", { location: "http://[" })),
      /not a URL/,
    ],
    [
      "redirects to a file",
      (socket) =>
        socket.end(
          responseText("302 Found", { location: "file:///etc/passwd" }),
        ),
      /remote-refused .*file is not supported/,
    ],
    [
      "redirects to metadata",
      (socket) =>
        socket.end(
          responseText("302 Found", {
            location: "http://169.254.169.254/latest",
          }),
        ),
      /remote-refused .*special-purpose network/,
    ],
    [
      "redirects to metadata in hexadecimal",
      (socket) =>
        socket.end(responseText("302 Found", { location: "//0xa9fea9fe/" })),
      /remote-refused/,
    ],
    [
      "is not found",
      (socket) =>
        socket.end(
          responseText(
            "404 Not Found",
            {},
            '{"error":{"message":"No such API."}}',
          ),
        ),
      /remote-failed .*404 Not Found: No such API\./,
    ],
    [
      "fails with a page",
      (socket) => socket.end(responseText("500 Oops", {}, "<html>")),
      /responded with 500 Oops$/,
    ],
    [
      "responds with 304",
      (socket) => socket.end(responseText("299 Odd", {})),
      /responded with 299 Odd/,
    ],
  ])("%s", async (_, respond, message) => {
    expect(await failure(respond, { limits: LIMITS })).toMatch(message);
  });

  test("sends a byte at a time is stopped at the deadline", async () => {
    const message = await failure(
      (socket) => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n");
        const timer = setInterval(() => socket.write("x"), 50);
        socket.on("close", () => clearInterval(timer));
      },
      { limits: { ...LIMITS, total: 400 } },
    );
    expect(message).toMatch(/no complete response within 400 ms/);
  });

  test("stops in a body without length", async () => {
    const message = await failure(
      (socket) => socket.write("HTTP/1.1 200 OK\r\n\r\n{}"),
      { limits: LIMITS },
    );
    expect(message).toMatch(/remote-failed .*incomplete/);
  });

  test("fails twice is requested three times", async () => {
    let count = 0;
    const { text, requests } = await request(
      (socket) =>
        socket.end(
          ++count < 3
            ? responseText("503 Busy", {})
            : responseText("200 OK", {}, "text"),
        ),
      { limits: { ...LIMITS, delays: [1, 1] } },
    );
    expect(text).toBe("text");
    expect(requests).toHaveLength(3);
  });
});

describe("credentials", () => {
  const SECRET = "hunter2-hunter2";

  test("are sent to their host only", async () => {
    const other = await rawServer((socket) =>
      socket.end(responseText("200 OK", {}, "text")),
    );
    const { requests } = await request(
      (socket, { target }) =>
        socket.end(
          target === "/doc"
            ? responseText("302 Found", { location: `/next` })
            : responseText("302 Found", { location: `${other.origin}/x` }),
        ),
      {
        headersOf: ({ host }): Record<string, string> =>
          host === `127.0.0.1:${other.port}` ? {} : { authorization: SECRET },
      },
    );
    expect(requests.map(({ head }) => head.includes(SECRET))).toEqual([
      true,
      true,
    ]);
    expect(other.requests.map(({ head }) => head.includes(SECRET))).toEqual([
      false,
    ]);
  });

  test("that a server repeats are not shown", async () => {
    const message = await failure(
      (socket) =>
        socket.end(
          responseText(
            "403 No",
            {},
            JSON.stringify({ error: { message: `bad ${SECRET}` } }),
          ),
        ),
      { secrets: [SECRET] },
    );
    expect(message).toContain("403 No: bad ***");
  });

  test("of a redirect are neither sent nor shown", async () => {
    const { requests } = await request((socket, { target }) =>
      socket.end(
        target === "/doc"
          ? responseText("302 Found", {
              location: `//user:${SECRET}@127.0.0.1:${socket.localPort}/x`,
            })
          : responseText("200 OK", {}, "text"),
      ),
    );
    expect(requests[1]?.head).not.toMatch(/authorization/i);
    const message = await failure(
      (socket) =>
        socket.end(
          responseText("302 Found", {
            location: `http://10.0.0.1/?sig=${SECRET}`,
          }),
        ),
      {
        headersOf: () => ({}),
        limits: LIMITS,
        allowPrivate: true,
        lookup: undefined,
      },
    ).catch(() => "");
    expect(message).not.toContain(SECRET);
  });
});

describe("names are resolved once, and the checked address is used", () => {
  const resolving =
    (...addresses: string[]): NonNullable<HttpSettings["lookup"]> =>
    (_, __, callback) =>
      callback(
        null,
        addresses.map((address) => ({
          address,
          family: address.includes(":") ? 6 : 4,
        })),
      );

  async function get(
    lookup: HttpSettings["lookup"],
    allowPrivate: boolean,
  ): Promise<string> {
    const { port } = await rawServer((socket) =>
      socket.end(responseText("200 OK", {}, "text")),
    );
    const settings = testSettings({ lookup, allowPrivate });
    const url = parseRemoteUrl(`http://shop.example:${port}/doc`, settings);
    try {
      return (await fetchUrl(url, {}, settings)).body.toString();
    } catch (error) {
      return (error as Error).message;
    }
  }

  test.each([
    [
      ["127.0.0.1"],
      /resolves to 127\.0\.0\.1, an address in a private network/,
    ],
    [["::ffff:127.0.0.1"], /private network/],
    [["169.254.169.254"], /special-purpose network/],
    [["10.1.2.3", "fd00::1"], /private network/],
    [[], /special-purpose network/],
  ])("%j is refused", async (addresses, message) => {
    expect(await get(resolving(...addresses), false)).toMatch(message);
  });

  test("private addresses can be permitted, forbidden ones can't", async () => {
    expect(await get(resolving("169.254.169.254", "127.0.0.1"), true)).toBe(
      "text",
    );
    expect(await get(resolving("169.254.169.254"), true)).toMatch(
      /special-purpose network/,
    );
  });

  test("a name server that changes its response is asked once", async () => {
    let count = 0;
    const lookup: HttpSettings["lookup"] = (_, __, callback) =>
      callback(null, [
        { address: count++ === 0 ? "127.0.0.1" : "169.254.169.254", family: 4 },
      ]);
    expect(await get(lookup, true)).toBe("text");
    expect(count).toBe(1);
  });
});

test.each([
  ["http://shop.example/", { allowHttp: false }, /must be an https URL/],
  ["ftp://shop.example/", {}, /ftp is not supported/],
  ["https://user@shop.example/", {}, /must not contain a user name/],
  [
    "https://shop.example/?key=AIza",
    {},
    /must not contain the credential "key"/,
  ],
  ["https://shop.example/?X-Goog-Signature=1", {}, /credential/],
  ["https://localhost/", { allowPrivate: false }, /private network/],
  ["https://a.localhost./", { allowPrivate: false }, /private network/],
  ["https://127.1/", { allowPrivate: false }, /private network/],
  ["https://2130706433/", { allowPrivate: false }, /private network/],
  ["https://[::1]/", { allowPrivate: false }, /private network/],
  ["https://[::ffff:169.254.169.254]/", {}, /special-purpose network/],
  ["https://0/", {}, /special-purpose network/],
  ["nothing", {}, /is not a URL/],
])("%s is refused", (text, overrides, message) => {
  const settings = testSettings(overrides);
  expect(() => parseRemoteUrl(text, settings)).toThrow(message);
  expect(() => parseRemoteUrl(text, settings)).toThrow(RemoteError);
});

describe("a proxy", () => {
  /** Requests a URL through a proxy; returns what the proxy has received. */
  async function viaProxy(
    text: string,
  ): Promise<{ head: string; result: string }> {
    const proxy = await rawServer((socket, { head }) =>
      socket.end(
        head.startsWith("CONNECT")
          ? "HTTP/1.1 407 Proxy Authentication Required\r\n\r\n"
          : responseText("200 OK", {}, "text"),
      ),
    );
    const address = `http://user:p%40ss-p%40ss@127.0.0.1:${proxy.port}`;
    const settings = testSettings({
      env: { HTTP_PROXY: address, HTTPS_PROXY: address },
      headersOf: () => ({ authorization: "Bearer hunter2" }),
    });
    const result = await fetchUrl(
      parseRemoteUrl(text, settings),
      {},
      settings,
    ).then(
      ({ body }) => body.toString(),
      (error: Error) => error.message,
    );
    return { head: proxy.requests[0]?.head ?? "", result };
  }
  const LOGIN = Buffer.from("user:p@ss-p@ss").toString("base64");

  test.each<[string, Respond, RegExp]>([
    ["closes the connection", (socket) => socket.destroy(), /the proxy 127/],
    ["sends nothing", () => {}, /no complete response within 400 ms/],
  ])("that %s is an error", async (_, respond, message) => {
    const { origin } = await rawServer(respond);
    const settings = testSettings({
      env: { HTTPS_PROXY: origin },
      limits: { ...LIMITS, total: 400 },
    });
    const url = parseRemoteUrl("https://shop.example/doc", settings);
    await expect(fetchUrl(url, {}, settings)).rejects.toThrow(message);
  });

  test("receives the complete URL of a request with http", async () => {
    const { head, result } = await viaProxy(
      "http://shop.example/doc?version=v1",
    );
    expect(result).toBe("text");
    expect(head).toMatch(/^GET http:\/\/shop\.example\/doc\?version=v1 HTTP/);
    expect(head).toMatch(/\r\nhost: shop\.example\r\n/i);
    expect(head).toContain(`proxy-authorization: Basic ${LOGIN}`);
  });

  test("receives no credentials of a request with https, and errors none of the proxy", async () => {
    const { head, result } = await viaProxy("https://shop.example/doc");
    expect(head).toMatch(/^CONNECT shop\.example:443 HTTP/);
    expect(head).toContain(`proxy-authorization: Basic ${LOGIN}`);
    expect(head).not.toContain("hunter2");
    expect(result).toMatch(
      /the proxy 127\.0\.0\.1:\d+: Proxy response \(407\)/,
    );
  });
});
