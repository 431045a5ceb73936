import net from "node:net";
import { onTestFinished, expect, test } from "vitest";
import { HostNames } from "../../src/platform/host-names.js";
import { listen, type Host } from "../../src/services/host.js";
import { runServices } from "../../src/services/run.js";
import type { LogLine, Service } from "../../src/services/service.js";
import { serve } from "./support.js";

/** Sends raw bytes; returns all data until the connection ends. */
function raw(host: { origin: string }, text: string): Promise<string> {
  const socket = net.connect(Number(new URL(host.origin).port), "127.0.0.1");
  let answer = "";
  socket.on("data", (chunk: Buffer) => (answer += chunk.toString()));
  socket.on("error", () => {});
  socket.write(text);
  return new Promise((resolve) => socket.on("close", () => resolve(answer)));
}

const get = (host: string, path = "/api/items/all?api_key=test-key"): string =>
  `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;

const statusOf = (answer: string): number => Number(answer.slice(9, 12));

test("refuses hosts of other sites on loopback before a service is called", async () => {
  const running = await serve({ isDemo: true });
  for (const host of [
    "evil.example",
    "127.0.0.1.evil.example",
    "localhost.evil.example:80",
    "10.0.0.1",
    "[::2]",
    "127.0.0.1@evil",
  ]) {
    const answer = await raw(running, get(host));
    expect([host, statusOf(answer)]).toEqual([host, 421]);
    expect(answer).not.toContain("evil");
  }
  for (const host of [
    "localhost",
    "LOCALHOST.:1",
    "a.localhost",
    "127.0.0.1:80",
    "127.1.2.3",
    "[::1]:8080",
  ])
    expect([host, statusOf(await raw(running, get(host)))]).toEqual([
      host,
      200,
    ]);
});

test("allows configured hosts and the origins of services", async () => {
  const settings = "host: { names: [api.example.com] }\nmarketplace: {}\n";
  const running = await serve({ settings, isDemo: true });
  expect(statusOf(await raw(running, get("api.example.com:8080")))).not.toBe(
    421,
  );
  expect(statusOf(await raw(running, get("other.example.com")))).toBe(421);
});

test("refuses another host in a call of a batch", async () => {
  const running = await serve({ isDemo: true });
  const body = `--b\r\nContent-Type: application/http\r\n\r\nGET /api/items/all?api_key=test-key HTTP/1.1\r\nHost: evil.example\r\n\r\n\r\n--b--`;
  const answer = await fetch(`${running.origin}/batch`, {
    method: "POST",
    headers: { "content-type": "multipart/mixed; boundary=b" },
    body,
  });
  expect(await answer.text()).toContain("HTTP/1.1 421");
});

test("compares hosts without port, case and trailing dot", () => {
  const names = new HostNames(["API.example.com", "[2001:db8::1]"]);
  for (const host of [
    undefined,
    "api.EXAMPLE.com.",
    "api.example.com:1",
    "[2001:db8::1]:443",
  ])
    expect(names.allows(host)).toBe(true);
  for (const host of ["", "example.com", "xapi.example.com", "127.0.0.256.x"])
    expect(names.allows(host)).toBe(false);
});

/** Service that responds with the given value. */
async function hostOf(
  handle: Service["handle"],
  grace?: number,
): Promise<Host> {
  const service = { paths: ["/"], handle, close: async () => {} };
  const host = await listen([service], grace === undefined ? {} : { grace });
  onTestFinished(() => host.close());
  return host;
}

const part = (call: string): string =>
  `--b\r\nContent-Type: application/http\r\n\r\n${call}\r\n\r\n`;

function post(host: Host, body: string): Promise<Response> {
  const headers = { "content-type": "multipart/mixed; boundary=b" };
  return fetch(`${host.origin}/batch`, { method: "POST", headers, body });
}

test("reads a batch up to 4 MiB and 100 calls", async () => {
  const host = await hostOf(() => ({ status: 200, headers: {}, body: "ok" }));
  const large = `${part(`POST / HTTP/1.1\r\n\r\n${"x".repeat(5 * 1024 * 1024)}`)}--b--`;
  const refused = await post(host, large).then(
    ({ status }) => status,
    // The server closes the connection while the request is being sent.
    () => 413,
  );
  expect(refused).toBe(413);
  const many = `${part("GET / HTTP/1.1").repeat(101)}--b--`;
  expect((await post(host, many)).status).toBe(400);
  expect((await post(host, `${part("GET / HTTP/1.1")}--b--`)).status).toBe(200);
});

test("refuses streams in a batch without reading them", async () => {
  let read = 0;
  let isReturned = false;
  const body = {
    [Symbol.asyncIterator]: () => ({
      next: async () => ({ done: false, value: `${read++}` }) as const,
      return: async () => {
        isReturned = true;
        return { done: true, value: undefined } as const;
      },
    }),
  };
  const host = await hostOf(() => ({ status: 200, headers: {}, body }));
  const answer = await (
    await post(host, `${part("GET / HTTP/1.1")}--b--`)
  ).text();
  expect(answer).toContain("HTTP/1.1 400");
  expect([read, isReturned]).toEqual([0, true]);
});

test("limits the bytes of all batches together", async () => {
  const body = "x".repeat(14 * 1024 * 1024);
  const host = await hostOf(() => ({ status: 200, headers: {}, body }));
  const batch = `${part("GET / HTTP/1.1")}--b--`;
  const texts = await Promise.all(
    Array.from({ length: 8 }, async () => (await post(host, batch)).text()),
  );
  for (const text of texts) expect(text).toMatch(/HTTP\/1\.1 (200|413|503)/);
  expect(await (await post(host, batch)).text()).toContain("HTTP/1.1 200");
});

test("stops although a service, the store and a client's body hang", async () => {
  const forever = new Promise<never>(() => {});
  const log: LogLine[] = [];
  let hangs = 0;
  const service: Service = {
    paths: ["/"],
    handle: (request) =>
      request.method === "POST"
        ? request.text(1000, 600_000).then(() => forever)
        : forever,
    close: () => forever,
  };
  const demo = async () => ({ config: {}, help: () => [] });
  const module = { start: async () => service, demo };
  const rows = [{ name: "one", summary: "", load: async () => module }];
  const { ConfigFile } = await import("../../src/services/config-file.js");
  const config = new ConfigFile("c.yaml", "host: { grace: 50 }", ["one"]);
  const running = await runServices({
    rows,
    config,
    log: (line) => log.push(line),
    onHang: () => hangs++,
  });
  const unfinished = raw(
    running,
    "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nhalf",
  );
  const waiting = raw(running, get("localhost", "/"));
  await new Promise((resolve) => setTimeout(resolve, 50));
  await running.close();
  await Promise.all([unfinished, waiting]);
  expect(hangs).toBe(0);
});
