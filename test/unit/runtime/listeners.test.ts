import { getEventListeners } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { download, type MediaCall } from "../../../src/runtime/client/media.js";
import { nodeTransport } from "../../../src/runtime/client/node.js";
import { openMedia } from "../../../src/runtime/client/open-media.js";
import { failure, fullClient, make } from "./helpers.js";

let server: Server;
let rootUrl = "";
beforeAll(async () => {
  server = createServer(({ url = "" }, response) => {
    const status = Number(/\d{3}/.exec(url)?.[0] ?? 200);
    response.writeHead(status, { "content-type": "text/plain" });
    if (url.includes("hang")) response.write("x");
    else if (url.includes("200")) response.end("{}");
    else response.end(status === 204 ? "" : "text");
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  rootUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const get = (path: string) =>
  make<MediaCall<unknown>>({ path, use: [download] });

it.each([
  ["fetch", undefined],
  ["node", nodeTransport()],
])("calls over %s leave no listener at a signal", async (_, transport) => {
  const client = fullClient(fetch, {
    rootUrl,
    transport,
    timeout: 10_000,
    retry: { attempts: 2, delay: 1, attemptTimeout: 10_000 },
  });
  const { signal } = new AbortController();
  const count = () => getEventListeners(signal, "abort").length;
  for (let i = 0; i < 5; i++) {
    await get("200")(client, {}, { signal });
    await get("204")(client, {}, { signal });
    expect(await failure(get("404")(client, {}, { signal }))).toBeTruthy();
    expect(await (await get("x")(client, {}, { signal }).media()).text()).toBe(
      "text",
    );
    await failure(get("404")(client, {}, { signal }).media());
    const media = await openMedia(get("x")(client, {}, { signal }));
    expect(await media.text()).toBe("text");
  }
  await expect.poll(count).toBe(0);
});

it.each([
  ["fetch", undefined],
  ["node", nodeTransport()],
])("a signal ends media over %s that is being read", async (_, transport) => {
  const client = fullClient(fetch, { rootUrl, transport });
  const controller = new AbortController();
  const { signal } = controller;
  const media = await get("hang")(client, {}, { signal }).media();
  const text = media.text();
  controller.abort(new Error("enough"));
  expect(await failure(text)).toMatchObject({
    kind: "abort",
    message: "drive.files.list: enough",
  });
  const late = get("200")(client, {}, { signal }).media();
  expect(await failure(late)).toMatchObject({ kind: "abort" });
});
