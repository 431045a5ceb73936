import { mkdtempSync, rmSync } from "node:fs";
import fs from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  ApiError,
  fileUploads,
  type Call,
  type Server,
} from "../../../src/runtime/server/index.js";
import { loadServer } from "./generated.js";
import { library } from "./library.js";

const UPLOAD = "https://books.example/upload/library/v1/books:scan";

/** Contents that the handler received. */
const received: string[] = [];
const folder = mkdtempSync(path.join(tmpdir(), "gen-uploads-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const servers: Record<string, Server> = {};
beforeAll(async () => {
  const create = await loadServer(library);
  const service = {
    books: {
      async scan({ media, body }: Call) {
        const text = new TextDecoder().decode(await media?.bytes());
        received.push(text);
        if (text === "refused") throw new ApiError(403, "No.");
        if (text === "later" && received.length === 1)
          throw new ApiError(503, "Later.");
        const { title } = Object(body) as { title?: string };
        return { title: `${title ?? "-"}|${media?.contentType}|${text}` };
      },
    },
  };
  servers["memory"] = create(service);
  servers["files"] = create(service, { uploads: fileUploads({ fs, folder }) });
});

describe.each(["memory", "files"])("commands, uploads in %s", (store) => {
  /** Sends a request; returns status, upload headers and the body. */
  async function send(
    url: string,
    headers: Record<string, string>,
    body: string = "",
    method: string = "POST",
  ): Promise<{ told: string; url: string; body: string }> {
    const response = await servers[store]!.fetch(
      new Request(url, { method, headers, body }),
    );
    const text = await response.text();
    const { title, error } = (text === "" ? {} : JSON.parse(text)) as {
      title?: string;
      error?: { message: string };
    };
    const state = response.headers.get("x-goog-upload-status");
    const size = response.headers.get("x-goog-upload-size-received");
    return {
      told: [response.status, state, size, title].join(" ").trim(),
      url: response.headers.get("x-goog-upload-url") ?? "",
      body: error?.message ?? text,
    };
  }

  async function start(headers: Record<string, string> = {}): Promise<string> {
    received.length = 0;
    const { told, url } = await send(
      `${UPLOAD}?prettyPrint=false`,
      {
        "x-goog-upload-protocol": "resumable",
        "x-goog-upload-command": "start",
        "x-goog-upload-header-content-type": "text/plain",
        "content-type": "application/json",
        ...headers,
      },
      '{"title":"T"}',
    );
    expect(told).toBe("200 active 0");
    expect(url).toMatch(/upload_id=[0-9a-f]{32}$/);
    expect(received).toEqual([]);
    return url;
  }

  async function command(
    url: string,
    name: string,
    offset?: number,
    body?: string,
    method?: string,
  ): Promise<string> {
    const headers = {
      "x-goog-upload-command": name,
      ...(offset === undefined
        ? {}
        : { "x-goog-upload-offset": String(offset) }),
    };
    return (await send(url, headers, body, method)).told;
  }

  test("content in one request", async () => {
    const url = await start({ "x-goog-upload-header-content-length": "3" });
    const done = "200 final 3 T|text/plain|abc";
    expect(await command(url, "upload, finalize", 0, "abc")).toBe(done);
    expect(await command(url, "query")).toBe(done);
    expect(await command(url, "upload,finalize", 0, "abc")).toBe(done);
    expect(await command(url, "cancel")).toBe(done);
    expect(received).toEqual(["abc"]);
  });

  test("content in chunks, and a request without content at the end", async () => {
    const url = await start();
    expect(await command(url, "query")).toBe("200 active 0");
    expect(await command(url, "upload", 0, "abc")).toBe("200 active 3");
    expect(await command(url, "Upload", 3, "def", "PUT")).toBe("200 active 6");
    expect(await command(url, "query")).toBe("200 active 6");
    expect(await command(url, "finalize")).toBe(
      "200 final 6 T|text/plain|abcdef",
    );
  });

  test("empty content", async () => {
    const url = await start({ "x-goog-upload-header-content-length": "0" });
    expect(await command(url, "upload, finalize", 0, "")).toBe(
      "200 final 0 T|text/plain|",
    );
  });

  test("wrong offsets are errors and change nothing", async () => {
    const url = await start();
    expect(await command(url, "upload", 0, "abc")).toBe("200 active 3");
    for (const offset of [0, 2, 4, undefined])
      expect(await command(url, "upload, finalize", offset, "xyz")).toBe(
        "400 active 3",
      );
    expect(await command(url, "upload, finalize", 3, "d")).toBe(
      "200 final 4 T|text/plain|abcd",
    );
    expect(received).toEqual(["abcd"]);
  });

  test("the declared length holds", async () => {
    const url = await start({ "x-goog-upload-header-content-length": "4" });
    expect(await command(url, "upload, finalize", 0, "abcde")).toBe("413");
    expect(await command(url, "upload", 0, "abc")).toBe("200 active 3");
    expect(await command(url, "finalize")).toBe("400");
    expect(await command(url, "upload, finalize", 3, "d")).toBe(
      "200 final 4 T|text/plain|abcd",
    );
  });

  test("commands that are unknown, missing or lose content", async () => {
    const url = await start();
    for (const name of ["start", "upload, query", "finalize, upload", ""])
      expect(await command(url, name, 0, "abc")).toBe("400");
    expect((await send(url, {}, "abc", "PUT")).told).toBe("400");
    expect(await command(url, "finalize", undefined, "abc")).toBe("400");
    expect(await command(url, "query")).toBe("200 active 0");
    expect(received).toEqual([]);
  });

  test("canceled uploads", async () => {
    const url = await start();
    expect(await command(url, "cancel")).toBe("200 cancelled");
    expect(await command(url, "query")).toBe("404");
  });

  test("an error of the handler is final, unless it is the server's", async () => {
    const refused = await start();
    expect(await command(refused, "upload, finalize", 0, "refused")).toBe(
      "403 final 7",
    );
    const url = await start();
    expect(await command(url, "upload, finalize", 0, "later")).toBe("503");
    expect(await command(url, "query")).toBe("200 active 5");
    expect(await command(url, "upload, finalize", 5, "")).toBe(
      "200 final 5 T|text/plain|later",
    );
  });

  test.each([
    ["an unknown protocol", { "x-goog-upload-protocol": "batch" }],
    ["no command", { "x-goog-upload-protocol": "resumable" }],
    [
      "another first command",
      {
        "x-goog-upload-protocol": "resumable",
        "x-goog-upload-command": "upload, finalize",
      },
    ],
    ["a command alone", { "x-goog-upload-command": "start" }],
  ])("%s is refused, not stored as content", async (_, headers) => {
    received.length = 0;
    const all = { ...headers, "content-type": "text/plain" };
    for (const query of ["", "?uploadType=media"])
      expect((await send(`${UPLOAD}${query}`, all, "abc")).told).toBe("400");
    expect(received).toEqual([]);
  });

  test("the protocols raw and multipart", async () => {
    const raw = {
      "x-goog-upload-protocol": "raw",
      "x-goog-upload-header-content-type": "text/plain",
      "content-type": "application/x-www-form-urlencoded",
    };
    expect((await send(UPLOAD, raw, "abc")).told).toContain("-|text/plain|abc");
    const multipart = {
      "x-goog-upload-protocol": "multipart",
      "content-type": "multipart/related; boundary=B",
    };
    const body =
      '--B\r\n\r\n{"title":"T"}\r\n--B\r\nContent-Type: text/plain\r\n\r\nabc\r\n--B--';
    expect((await send(UPLOAD, multipart, body)).told).toContain(
      "T|text/plain|abc",
    );
  });
});

test("strict servers know the parameters of the upload protocol", async () => {
  const create = await loadServer(library);
  const server = create(
    { books: { scan: async () => ({ title: "Scan" }) } },
    { unknownParameters: "reject" },
  );
  const post = (url: string, init: RequestInit = {}): Promise<Response> =>
    server.fetch(new Request(url, { method: "POST", body: "x", ...init }));
  expect((await post(`${UPLOAD}?uploadType=media`)).status).toBe(200);
  expect((await post(`${UPLOAD}?uploadType=media&other=1`)).status).toBe(400);
  const started = await post(`${UPLOAD}?uploadType=resumable`, {
    body: '{"title":"Scan"}',
    headers: {
      "content-type": "application/json",
      "x-upload-content-type": "text/plain",
    },
  });
  expect(started.status).toBe(200);
  const session = started.headers.get("location")!;
  expect((await post(session, { method: "PUT" })).status).toBe(200);
  // A method without an upload does not know them.
  const plain = UPLOAD.replace("/upload/", "/");
  expect((await post(`${plain}?uploadType=media`)).status).toBe(400);
});
