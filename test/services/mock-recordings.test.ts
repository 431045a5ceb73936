import http from "node:http";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  createRecorder,
  createReplayer,
  type RequestHandler,
} from "../../src/mock/recordings.js";
import { listen } from "../../src/runtime/server/listen.js";
import { temporaryFolder } from "../support/paths.js";

async function serve(handler: RequestHandler): Promise<string> {
  const server = await listen(http, {
    handle: (request) => handler.handle(request),
    close: async () => {},
  });
  onTestFinished(() => server.close());
  return `http://127.0.0.1:${server.port}`;
}

/** Starts a server with links below `/base` in its responses. */
async function realServer(): Promise<string> {
  const server = http.createServer((request, response) => {
    const root = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
    response.setHeader("content-type", "application/json");
    response.setHeader(
      "location",
      `${root}/base/session?X-Goog-Signature=hush&id=1`,
    );
    response.end(
      JSON.stringify({
        path: request.url,
        selfLink: `${root}/base${request.url}`,
        root: `${root}/base`,
        signed: `${root}/base/o?n=1&X-Goog-Signature=hush`,
        other: "http://other.test/base",
      }).replaceAll("&", String.raw`\u0026`),
    );
    request.resume();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as { port: number }).port}/base`;
}

async function record(
  ...requests: readonly [target: string, init?: RequestInit][]
): Promise<{ readonly folder: string; readonly answers: Response[] }> {
  const real = await realServer();
  const folder = path.join(temporaryFolder(), "calls");
  const origin = await serve(createRecorder(real, folder));
  const answers: Response[] = [];
  for (const [target, init] of requests)
    answers.push(await fetch(`${origin}${target}`, init));
  return { folder, answers };
}

async function statusOf(
  folder: string,
  target: string,
  init?: RequestInit,
): Promise<number> {
  const origin = await serve(createReplayer(folder));
  return (await fetch(`${origin}${target}`, init)).status;
}

test("a replay does not require the credentials of the recording", async () => {
  const { folder } = await record(["/files?b=2&key=hush&a=1"]);
  expect(await statusOf(folder, "/files?a=1&b=2")).toBe(200);
  expect(await statusOf(folder, "/files?access_token=x&a=1&b=2")).toBe(200);
  expect(await statusOf(folder, "/files?a=1")).toBe(404);
});

test("links to the real server point at the recorder and the replayer", async () => {
  const { folder, answers } = await record(["/files"]);
  const [recorded] = answers;
  const recorder = new URL(recorded!.url).origin;
  expect(recorded!.headers.get("location")).toMatch(`${recorder}/session?`);
  const members = (origin: string): object => ({
    selfLink: `${origin}/base/files`,
    root: origin,
    other: "http://other.test/base",
  });
  expect(await recorded!.json()).toMatchObject(members(recorder));
  const origin = await serve(createReplayer(folder));
  const replayed = await fetch(`${origin}/files`);
  expect(replayed.headers.get("location")).toMatch(`${origin}/session?`);
  expect(await replayed.json()).toMatchObject(members(origin));
});

test("no credential in a URL of a response is stored", async () => {
  const { folder } = await record(["/files"]);
  for (const name of readdirSync(folder))
    expect(readFileSync(path.join(folder, name), "utf8")).not.toContain("hush");
});

test("boundaries and ids that clients choose at random do not matter", async () => {
  const multipart = (
    boundary: string,
    id: string,
    text = "{}",
  ): RequestInit => ({
    method: "POST",
    headers: { "content-type": `multipart/mixed; boundary="${boundary}"` },
    body: `--${boundary}\r\nContent-ID: <${id} + 1>\r\n\r\n${text}\r\n--${boundary}--\r\n`,
  });
  const { folder } = await record(["/batch", multipart("===1==", "one")]);
  expect(await statusOf(folder, "/batch", multipart("===2==", "two"))).toBe(
    200,
  );
  const other = multipart("===2==", "two", '{"a":1}');
  expect(await statusOf(folder, "/batch", other)).toBe(404);
});

test("a new recording does not replace one after a deleted file", async () => {
  const { folder } = await record(["/a"], ["/b"]);
  rmSync(path.join(folder, "000001.json"));
  const origin = await serve(createRecorder(await realServer(), folder));
  await fetch(`${origin}/c`);
  expect(readdirSync(folder).sort()).toEqual(["000002.json", "000003.json"]);
});
