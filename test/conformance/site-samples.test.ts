// Samples of the reference site, run as they are printed: curl, Python and Node.js
// against a server on loopback, and Go through its formatter where it is installed.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { requestOf } from "../../src/site/calls.js";
import {
  LANGUAGES,
  uploadSamples,
  type SampleRequest,
} from "../../src/site/samples.js";

interface Received {
  readonly method: string;
  readonly url: string;
  readonly authorization: string | undefined;
  readonly type: string | undefined;
  readonly body: string;
}

const BODY = JSON.stringify(
  { name: 'it\'s `a` "name" \\ ü', tags: [true, null, 1.5] },
  undefined,
  2,
);

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

describe("samples of the site", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "gen-samples-"));
  const received: Received[] = [];
  let server: Server;
  let origin = "";
  beforeAll(async () => {
    writeFileSync(path.join(folder, "FILE"), "content of the file");
    server = createServer((request, response) => {
      void bodyOf(request).then((body) => {
        const { method = "", url = "", headers } = request;
        received.push({
          method,
          url,
          authorization: headers.authorization,
          type: headers["content-type"],
          body,
        });
        if (url.includes("uploadType=resumable"))
          response.setHeader("location", `${origin}session?id=1`);
        response.setHeader("content-type", "application/json");
        response.end("{}");
      });
    });
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  afterAll(() => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const requestFor = (): SampleRequest =>
    requestOf(
      {
        name: "store",
        version: "v1",
        rootUrl: origin,
        servicePath: "store/",
        credential: undefined,
      },
      {
        httpMethod: "POST",
        path: "files/{+folder}/{fileId}",
        parameters: {
          folder: { type: "string", location: "path", required: true },
          fileId: { type: "string", location: "path", required: true },
          kind: { type: "string", location: "query", required: true },
        },
        request: { $ref: "File" },
        response: { $ref: "File" },
        scopes: ["https://example.com/auth"],
        mediaUpload: {
          accept: ["text/plain"],
          protocols: {
            simple: { path: "/upload/files", multipart: true },
            resumable: { path: "/upload/files", multipart: true },
          },
        },
      },
    );

  async function run(
    program: string,
    args: readonly string[],
  ): Promise<readonly Received[]> {
    const start = received.length;
    const child = spawn(program, args, {
      cwd: folder,
      env: { ...process.env, TOKEN: "secret" },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let errors = "";
    child.stderr.on("data", (text: Buffer) => (errors += text.toString()));
    const status = await new Promise((resolve, reject) => {
      child.on("error", reject).on("close", resolve);
    });
    expect(status, errors).toBe(0);
    return received.slice(start);
  }

  const COMMANDS: Readonly<
    Record<string, (code: string) => readonly [string, readonly string[]]>
  > = {
    curl: (code) => ["bash", ["-ec", code]],
    python: (code) => ["/usr/bin/python3", ["-c", code]],
    node: (code) => ["node", ["--input-type=module", "-e", code]],
  };

  const hasGo = spawnSync("go", ["version"]).status === 0;
  if (!hasGo) console.log("the Go sample is not run: go is missing");

  it.each(hasGo ? ["go"] : [])("%s sends the request", async () => {
    const { print } = LANGUAGES.find(({ id }) => id === "go")!;
    const file = path.join(folder, "main.go");
    writeFileSync(file, print(requestFor(), BODY, {}));
    const [request] = await run("go", ["run", file]);
    expect(request).toMatchObject({
      method: "POST",
      url: "/store/files/FOLDER/FILE_ID?kind=KIND",
      authorization: "Bearer secret",
    });
    expect(JSON.parse(request!.body)).toEqual(JSON.parse(BODY));
  });

  it.each(Object.keys(COMMANDS))("%s sends the request", async (id) => {
    const { print } = LANGUAGES.find((one) => one.id === id)!;
    const values = { fileId: ["a/ü 'x'"], folder: ["x/y"], more: ["1", "2"] };
    const code = print(requestFor(), BODY, values);
    const [request] = await run(...COMMANDS[id]!(code));
    expect(request).toMatchObject({
      method: "POST",
      url: "/store/files/x/y/a%2F%C3%BC%20'x'?kind=KIND&more=1&more=2",
      authorization: "Bearer secret",
      type: "application/json",
    });
    expect(JSON.parse(request!.body)).toEqual(JSON.parse(BODY));
  });

  it("curl uploads without metadata, with metadata, and in a session", async () => {
    const samples = uploadSamples(requestFor(), BODY);
    expect(samples).toHaveLength(3);
    const all: Received[] = [];
    for (const [, code] of samples)
      all.push(...(await run("bash", ["-ec", code])));
    const [simple, multipart, start, content] = all;
    expect(simple).toMatchObject({
      type: "text/plain",
      body: "content of the file",
    });
    expect(multipart!.type).toBe("multipart/related; boundary=b");
    const parts = multipart!.body.split(/\r\n--b(?:--)?\r\n|^--b\r\n/m);
    expect(parts[1]).toMatch(/^Content-Type: application\/json\r\n\r\n/);
    expect(JSON.parse(parts[1]!.split("\r\n\r\n")[1]!)).toEqual(
      JSON.parse(BODY),
    );
    expect(parts[2]).toBe(
      "Content-Type: text/plain\r\n\r\ncontent of the file",
    );
    expect(start!.url).toContain("uploadType=resumable");
    expect(content).toMatchObject({
      method: "PUT",
      url: "/session?id=1",
      body: "content of the file",
    });
  });
});
