import { createReadStream } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { jsonBody } from "../../../src/runtime/client/json-body.js";
import { nodeTransport } from "../../../src/runtime/client/node.js";
import { upload } from "../../../src/runtime/client/upload.js";
import type { UploadMedia } from "../../../src/runtime/client/upload.js";
import { failure, fullClient, later, make } from "./helpers.js";

let server: Server;
let rootUrl = "";
beforeAll(async () => {
  server = createServer((request, response) => {
    request.on("error", () => {});
    request.resume().on("end", () => response.end("{}"));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  rootUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const rules = { simple: "/up", multipart: true, maxSize: "1KB" };
const insert = make({
  httpMethod: "POST",
  body: jsonBody,
  use: [upload(rules)],
});
const missing = () => createReadStream("/nowhere/missing.txt");

async function* breaking(): AsyncGenerator<string> {
  yield "a";
  throw new Error("disk");
}

const bodies: [string, () => UploadMedia, string][] = [
  ["a missing file", () => ({ body: missing() }), "ENOENT"],
  ["a broken stream", () => ({ body: Readable.from(breaking()) }), "disk"],
  ["a broken iterable", () => ({ body: breaking() }), "disk"],
  [
    "a failed web stream",
    () => ({
      body: new ReadableStream({
        pull: (controller) => controller.error(new Error("disk")),
      }),
    }),
    "disk",
  ],
  [
    "a body that is too short",
    () => ({ body: Readable.from(["a"]), size: 2 }),
    "media.body is shorter than media.size",
  ],
  [
    "a body that is too long",
    () => ({ body: Readable.from(["abc"]), size: 2 }),
    "media.body is longer than media.size",
  ],
  [
    "a body above the size limit",
    () => ({ body: Readable.from(["a".repeat(1025)]) }),
    "media must not exceed 1KB; received 1025 bytes",
  ],
];

describe.each([
  ["fetch", undefined],
  ["node", nodeTransport()],
])("over %s", (_, transport) => {
  const client = (auth: () => unknown) =>
    fullClient(fetch, { rootUrl, transport, auth: auth as () => string });

  it.each(bodies)("%s is an error of kind upload", async (_, media, text) => {
    for (const more of [{}, { requestBody: { name: "a" } }]) {
      const call = insert(
        client(() => "t"),
        { media: media(), ...more },
      );
      const error = await failure(call);
      expect(error).toMatchObject({ kind: "upload" });
      expect(error.message).toContain(`media.body failed: `);
      expect(error.message).toContain(text);
      expect(error.cause).toBeInstanceOf(Error);
    }
  });

  it("a missing file does not end the process while a token is pending", async () => {
    const uncaught: unknown[] = [];
    const note = (error: unknown) => void uncaught.push(error);
    process.on("uncaughtException", note);
    const call = insert(
      client(() => later(20, "t")),
      {
        media: { body: missing() },
      },
    );
    expect(await failure(call)).toMatchObject({ kind: "upload" });
    process.off("uncaughtException", note);
    expect(uncaught).toEqual([]);
  });
});
