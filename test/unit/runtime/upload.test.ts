import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Readable } from "node:stream";
import { buildSync } from "esbuild";
import { describe, expect, it } from "vitest";
import { jsonBody } from "../../../src/runtime/client/json-body.js";
import type { CallOptions } from "../../../src/runtime/client/options.js";
import {
  cancelUpload,
  upload,
  type UploadBody,
  type UploadProgress,
  type UploadRules,
  type UploadSession,
} from "../../../src/runtime/client/upload.js";
import { parseSize } from "../../../src/runtime/client/upload/rules.js";
import type { Fetch } from "../../../src/runtime/client/options.js";
import { startFaultServer } from "./fault-server.js";
import {
  client,
  failure,
  fullClient,
  json,
  make,
  recorder,
} from "./helpers.js";
import { rounds } from "../../support/full.js";

const simple = "/upload/drive/v3/files";
const resumable = "/resumable/upload/drive/v3/files";
const all: UploadRules = { simple, resumable, multipart: true };
const unit = 256 * 1024;

/** Size of the upload whose memory is measured. */
const UPLOAD_MIB = rounds(256, 80);

function insert(rules: UploadRules = all, httpMethod = "POST") {
  return make({ httpMethod, body: jsonBody, use: [upload(rules)] });
}

/** Reads a request body of any type as text. */
function textOf({ init }: { init: RequestInit }): Promise<string> {
  return new Response(init.body as BodyInit).text();
}

async function* generate(...pieces: (string | Uint8Array)[]) {
  yield* pieces;
}

const bodies: [string, () => UploadBody][] = [
  ["string", () => "häl\r\nlo"],
  ["Blob", () => new Blob(["häl\r\nlo"])],
  ["Uint8Array", () => new TextEncoder().encode("häl\r\nlo")],
  ["Buffer", () => Buffer.from("häl\r\nlo")],
  ["ArrayBuffer", () => new TextEncoder().encode("häl\r\nlo").buffer],
  ["ReadableStream", () => new Blob(["häl\r\nlo"]).stream()],
  ["async iterable", () => generate("hä", "", "l\r\nlo")],
  ["Node stream", () => Readable.from([Buffer.from("häl\r\nlo")])],
  ["Node text stream", () => Readable.from(["häl\r", "\nlo"])],
];

/** Reads the body like a server, then responds. */
function reading(): { texts: string[]; sent: any[]; fetch: Fetch } {
  const texts: string[] = [];
  const { sent, fetch } = recorder();
  return {
    texts,
    sent,
    async fetch(url, init) {
      texts.push(await textOf({ init }));
      return fetch(url, init);
    },
  };
}

describe.each(bodies)("a %s", (_, body) => {
  it("is sent without metadata", async () => {
    const { sent, texts, fetch } = reading();
    const media = { body: body(), mimeType: "text/x" };
    await insert()(client(fetch), { a: 1, media }, { upload: "media" });
    expect(sent[0].target).toBe(`${simple}?a=1&uploadType=media`);
    expect(sent[0].headers["content-type"]).toBe("text/x");
    expect(texts).toEqual(["häl\r\nlo"]);
  });

  it("is sent after the metadata", async () => {
    const { sent, texts, fetch } = reading();
    const media = { body: body(), mimeType: "text/x" };
    await insert()(
      client(fetch),
      { requestBody: { name: "n" }, media },
      { upload: "multipart" },
    );
    expect(sent[0].target).toBe(`${simple}?uploadType=multipart`);
    const [, boundary] =
      /^multipart\/related; boundary=(\w{32})$/.exec(
        sent[0].headers["content-type"],
      ) ?? [];
    expect(texts[0]).toBe(
      [
        `--${boundary}`,
        "content-type: application/json",
        "",
        '{"name":"n"}',
        `--${boundary}`,
        "content-type: text/x",
        "",
        "häl\r\nlo",
        `--${boundary}--`,
        "",
      ].join("\r\n"),
    );
  });

  it("is sent in a session", async () => {
    const server = await startFaultServer();
    const api = client(fetch, { rootUrl: server.root });
    const value = await insert()(
      api,
      { requestBody: { name: "n" }, media: { body: body() } },
      { upload: "resumable" },
    );
    await server.close();
    expect(value).toEqual({ size: "8" });
    expect(server.files).toEqual([
      { data: Buffer.from("häl\r\nlo"), metadata: '{"name":"n"}' },
    ]);
    expect(server.log).toEqual(["POST", "PUT bytes 0-7/8"]);
  });
});

describe("the type of the content", () => {
  const metadata = { requestBody: { mimeType: "a/b" } };
  it.each<[string, object, string]>([
    ["a string", { media: { body: "a" } }, "text/plain"],
    [
      "bytes",
      { media: { body: new Uint8Array(1) } },
      "application/octet-stream",
    ],
    ["the metadata", { ...metadata, media: { body: "a" } }, "a/b"],
    [
      "a Blob",
      { ...metadata, media: { body: new Blob(["a"], { type: "c/d" }) } },
      "c/d",
    ],
    ["media", { ...metadata, media: { body: "a", mimeType: "e/f" } }, "e/f"],
    [
      "invalid metadata",
      { requestBody: { mimeType: "a/b\r\nx: y" }, media: { body: "a" } },
      "text/plain",
    ],
  ])("of %s", async (_, parameters, type) => {
    const { sent, texts, fetch } = reading();
    await insert()(client(fetch), parameters);
    const headers = `content-type: ${sent[0].headers["content-type"]}\r\n`;
    expect(headers + texts[0]).toContain(`content-type: ${type}\r\n`);
    await insert()(client(fetch), parameters, { upload: "resumable" }).catch(
      () => {},
    );
    expect(sent[1].headers["x-upload-content-type"]).toBe(type);
  });
});

describe("the kind of an upload", () => {
  const big = { size: 9 * 1024 * 1024 };
  it.each<[string, object, UploadRules, CallOptions, string]>([
    ["small", { media: { body: "a" } }, all, {}, "media"],
    [
      "metadata",
      { requestBody: {}, media: { body: "a" } },
      all,
      {},
      "multipart",
    ],
    ["unknown size", { media: { body: generate("a") } }, all, {}, "resumable"],
    ["large", { media: { body: generate("a"), ...big } }, all, {}, "resumable"],
    [
      "only simple",
      { media: { body: generate("a") } },
      { simple },
      {},
      "media",
    ],
    [
      "only resumable",
      { media: { body: "a" } },
      { resumable },
      {},
      "resumable",
    ],
    [
      "no multipart",
      { requestBody: {}, media: { body: "a" } },
      { simple, resumable },
      {},
      "resumable",
    ],
    [
      "an option",
      { media: { body: "a" } },
      all,
      { upload: "resumable" },
      "resumable",
    ],
  ])("%s", async (_, parameters, rules, options, kind) => {
    const { sent, fetch } = recorder();
    const call = insert(rules)(client(fetch), parameters, options);
    await call.catch(() => {});
    const path = rules.simple ?? resumable;
    expect(sent[0]?.target).toBe(`${path}?uploadType=${kind}`);
  });

  it("without media is a normal request", async () => {
    const { sent, fetch } = recorder();
    await insert()(client(fetch), { requestBody: { a: 1 } });
    expect(sent[0]).toMatchObject({ target: "/drive/v3/files" });
    expect(sent[0]?.init.body).toBe('{"a":1}');
  });
});

describe("is rejected before sending:", () => {
  const image: UploadRules = { ...all, accept: ["image/*", "text/plain"] };
  it.each<[string, object, UploadRules, CallOptions]>([
    ["a type", { body: "a", mimeType: "text/html" }, image, {}],
    ["no type", { body: new Uint8Array(1) }, image, {}],
    ["too much", { body: "abc" }, { ...all, maxSize: "2B" }, {}],
    [
      "a stream above the size limit",
      { body: generate("a"), size: 2049 },
      { ...all, maxSize: "2KB" },
      {},
    ],
    [
      "a kind that is not supported",
      { body: "a" },
      { resumable: all.resumable! },
      { upload: "media" },
    ],
    ["no body", {}, all, {}],
    ["a number", { body: 5 }, all, {}],
    ["an object", { body: {} }, all, {}],
  ])("%s", async (_, media, rules, options) => {
    const { sent, fetch } = recorder();
    const call = insert(rules)(client(fetch), { media }, options);
    expect(await failure(call)).toMatchObject({ kind: "request" });
    expect(sent).toHaveLength(0);
  });

  it("metadata that would be lost", async () => {
    const parameters = { requestBody: {}, media: { body: "a" } };
    const call = insert()(client(recorder().fetch), parameters, {
      upload: "media",
    });
    expect(await failure(call)).toMatchObject({ kind: "request" });
  });

  it.each(["image/png", "IMAGE/PNG; a=b", "text/plain;charset=utf-8"])(
    "not %s",
    async (mimeType) => {
      const { sent, fetch } = recorder();
      await insert(image)(client(fetch), { media: { body: "a", mimeType } });
      expect(sent).toHaveLength(1);
    },
  );
});

it.each([
  ["5120GB", 5120 * 2 ** 30],
  ["10MB", 10 * 2 ** 20],
  ["64", 64],
  ["2TB", 2 ** 41],
  ["1.5KB", 1536],
  ["much", Infinity],
  ["-1", Infinity],
])("a size of %s is %d bytes", (text, size) => {
  expect(parseSize(text)).toBe(size);
});

describe("a resumable upload", () => {
  async function run(
    body: UploadBody,
    options: CallOptions = {},
    more: { size?: number; faults?: never[] } = {},
  ) {
    const server = await startFaultServer();
    const events: UploadProgress[] = [];
    const api = client(fetch, { rootUrl: server.root, retry: { delay: 1 } });
    const media = { body, mimeType: "a/b", ...more };
    const call = insert()(
      api,
      { media },
      {
        upload: "resumable",
        chunkSize: unit,
        onProgress: (event) => events.push(structuredClone(event)),
        ...options,
      },
    );
    const [end] = await Promise.allSettled([call]);
    await server.close();
    const error = end.status == "rejected" ? end.reason : undefined;
    return { server, events, error };
  }
  const zeros = (size: number) => new Uint8Array(size);

  it.each([
    [
      "exact multiple",
      2 * unit,
      [`0-${unit - 1}/*`, `${unit}-${2 * unit - 1}/${2 * unit}`],
    ],
    [
      "one byte more",
      unit + 1,
      [`0-${unit - 1}/*`, `${unit}-${unit}/${unit + 1}`],
    ],
    ["empty", 0, ["*/0"]],
  ])("of unknown size: %s", async (_, size, ranges) => {
    const { server, error } = await run(generate(zeros(size)));
    expect(error).toBeUndefined();
    expect(server.log).toEqual([
      "POST",
      ...ranges.map((r) => `PUT bytes ${r}`),
    ]);
    expect([...server.sessions.values()][0]).toMatchObject({
      type: "a/b",
      announced: undefined,
    });
  });

  it("of an empty body", async () => {
    const { server } = await run("");
    expect(server.log).toEqual(["POST", "PUT bytes */0"]);
    expect(server.files).toHaveLength(1);
  });

  it("reports progress", async () => {
    const { events } = await run(zeros(2 * unit + 5));
    expect(events.map(({ loaded, total }) => [loaded, total])).toEqual(
      [0, unit, 2 * unit, 2 * unit + 5].map((loaded) => [loaded, 2 * unit + 5]),
    );
    expect(events[1]?.session).toMatchObject({ offset: unit });
  });

  it("reports the size of a stream at the end", async () => {
    const { events } = await run(generate(zeros(unit + 5)));
    expect(events.at(-1)).toEqual({ loaded: unit + 5, total: unit + 5 });
  });

  it.each([
    [10, "shorter"],
    [3, "longer"],
  ])("of %i bytes that are 5 ends with an error", async (size, word) => {
    const { server, error } = await run(generate("abcde"), {}, { size });
    expect(error).toMatchObject({ kind: "upload" });
    expect(error.message).toContain(word);
    expect(server.files).toHaveLength(0);
  });

  it("rejects with the error of its body", async () => {
    async function* bad() {
      yield "a";
      throw new Error("disk");
    }
    const { error } = await run(bad());
    expect(error).toMatchObject({ kind: "upload", cause: { message: "disk" } });
  });

  it("resumes later from saved data, also with a stream", async () => {
    const server = await startFaultServer();
    const controller = new AbortController();
    let saved = "";
    const bytes = Buffer.from("x".repeat(3 * unit) + "end");
    const api = client(fetch, { rootUrl: server.root });
    const first = insert()(
      api,
      { media: { body: bytes } },
      {
        upload: "resumable",
        chunkSize: unit,
        signal: controller.signal,
        onProgress({ session, loaded }) {
          saved = JSON.stringify(session);
          if (loaded == 2 * unit) controller.abort();
        },
      },
    );
    expect(await failure(first)).toMatchObject({ kind: "abort" });
    const session = JSON.parse(saved) as UploadSession;
    const body = Readable.from([bytes]);
    const value = await insert()(api, { media: { body } }, { session });
    await server.close();
    expect(value).toEqual({ size: String(bytes.length) });
    expect(server.files[0]?.data.equals(bytes)).toBe(true);
  });

  it("can be cancelled repeatedly", async () => {
    const server = await startFaultServer();
    const api = client(fetch, { rootUrl: server.root });
    let session: UploadSession | undefined;
    const call = insert()(
      api,
      { media: { body: zeros(unit * 2) } },
      {
        upload: "resumable",
        chunkSize: unit,
        retry: false,
        onProgress(event) {
          session = event.session;
          server.faults = [{ kind: "cutFirst" }];
        },
      },
    );
    expect(await failure(call)).toMatchObject({ kind: "network" });
    await cancelUpload(api, session!);
    expect(server.sessions.size).toBe(0);
    await cancelUpload(api, session!);
    await server.close();
  });

  it("does not send secrets to another server", async () => {
    const location = "https://other.example.com/s?upload_id=1";
    const { sent, fetch } = recorder(
      new Response(null, { headers: { location } }),
      json({ ok: 1 }),
    );
    const options = { auth: "token", headers: { "x-own": "1" } };
    await insert()(
      client(fetch, options),
      { media: { body: "a" } },
      { upload: "resumable" },
    );
    expect(sent[0]?.headers).toMatchObject({ authorization: "Bearer token" });
    expect(sent[1]?.url).toBe(location);
    expect(sent[1]?.headers).toEqual({ "content-range": "bytes 0-0/1" });
  });

  it.each([
    ["bytes=5-9", "decode"],
    ["bytes=0-9", "decode"],
    ["bytes=0-99999999999999999999", "decode"],
    ["nonsense", "decode"],
  ])("refuses the range %s", async (range, kind) => {
    const { fetch } = recorder(
      new Response(null, { headers: { location: "/s" } }),
      new Response(null, { status: 308, headers: { range } }),
    );
    const call = insert()(
      client(fetch),
      { media: { body: "ab" } },
      { upload: "resumable" },
    );
    expect(await failure(call)).toMatchObject({ kind });
  });

  it("requests a new token after 401", async () => {
    const { sent, fetch } = recorder(
      new Response(null, { headers: { location: "/s" } }),
      json({}, { status: 401 }),
      new Response(null, { status: 308 }),
      json({ ok: 1 }),
    );
    const auth = ({ refresh }: { refresh?: unknown }) =>
      refresh ? "new" : "old";
    const api = fullClient(fetch, { auth, retry: { delay: 1 } });
    const media = { body: "ab" };
    expect(await insert()(api, { media }, { upload: "resumable" })).toEqual({
      ok: 1,
    });
    expect(sent.map(({ headers }) => headers["authorization"])).toEqual(
      ["old", "old", "new", "new"].map((token) => `Bearer ${token}`),
    );
  });

  it("requests a new token after 401 also without retries", async () => {
    const { sent, fetch } = recorder(
      json({}, { status: 401 }),
      new Response(null, { headers: { location: "/s" } }),
      json({ ok: 1 }),
    );
    const auth = ({ refresh }: { refresh?: unknown }) =>
      refresh ? "new" : "old";
    const retried: unknown[] = [];
    const onRetry = (event: unknown) => retried.push(event);
    const api = fullClient(fetch, { auth, retry: { attempts: 1, onRetry } });
    const media = { body: "ab" };
    expect(await insert()(api, { media }, { upload: "resumable" })).toEqual({
      ok: 1,
    });
    expect(sent.length).toBe(3);
    expect(retried).toMatchObject([{ attempt: 1, delay: 0 }]);
  });

  it("is retried only if the option `when` permits it", async () => {
    const { sent, fetch } = recorder(json({}, { status: 503 }));
    const retry = { delay: 1, when: () => false };
    const call = insert()(
      fullClient(fetch, { retry }),
      { media: { body: "ab" } },
      { upload: "resumable" },
    );
    expect(await failure(call)).toMatchObject({ status: 503 });
    expect(sent.length).toBe(1);
  });

  it("is an error without a session in the response", async () => {
    const call = insert()(
      client(recorder().fetch),
      { media: { body: "ab" } },
      { upload: "resumable" },
    );
    expect(await failure(call)).toMatchObject({ kind: "decode" });
  });
});

it("a stream above the size limit of the method is stopped", async () => {
  const { fetch } = reading();
  const rules = { simple, maxSize: "2B" };
  const call = insert(rules)(client(fetch), {
    media: { body: generate("abc") },
  });
  expect((await failure(call)).message).toContain("must not exceed 2B");
});

it(`a streamed upload of ${UPLOAD_MIB} MiB stays under 64 MiB of memory`, () => {
  const folder = mkdtempSync(join(tmpdir(), "upload-memory-"));
  const outfile = join(folder, "memory.mjs");
  buildSync({
    entryPoints: [resolve("test/unit/runtime/upload-memory.ts")],
    bundle: true,
    format: "esm",
    platform: "node",
    outfile,
  });
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ["--expose-gc", outfile, String(UPLOAD_MIB)],
    {
      encoding: "utf8",
    },
  );
  rmSync(folder, { recursive: true });
  expect(stderr).toBe("");
  for (const peak of Object.values(JSON.parse(stdout) as object))
    expect(peak).toBeLessThan(64);
});
