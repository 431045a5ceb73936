import net from "node:net";
import { expect, test } from "vitest";
import { listen } from "../../src/services/host.js";
import { addLogFields } from "../../src/services/log.js";
import { runServices } from "../../src/services/run.js";
import type { LogLine, Service } from "../../src/services/service.js";

/** Service whose responses the test releases. */
function slow(): Service & { release: () => void; calls: number } {
  let release = (): void => {};
  const gate = new Promise<void>((resolve) => (release = resolve));
  const service = {
    paths: ["/slow/", "/exact", "/"],
    release,
    calls: 0,
    active: undefined as Promise<void> | undefined,
    async handle() {
      service.calls++;
      await (service.active = gate);
      return { status: 200, headers: {}, body: "done" };
    },
    async close() {
      await service.active;
    },
  };
  return service;
}

test("dispatches by path prefix and responds with 404 to other paths", async () => {
  const service = slow();
  service.release();
  const log: LogLine[] = [];
  const host = await listen([service], { log: (line) => log.push(line) });
  const status = async (path: string): Promise<number> =>
    (await fetch(host.origin + path)).status;
  expect(
    await Promise.all(
      ["/slow/a", "/exact", "/exact?a=1", "/", "/?b"].map(status),
    ),
  ).toEqual([200, 200, 200, 200, 200]);
  expect(
    await Promise.all(["/slow", "/exact/", "/exactly", "/x"].map(status)),
  ).toEqual([404, 404, 404, 404]);
  expect(log).toHaveLength(9);
  expect(JSON.stringify(log)).not.toContain("exact");
  await host.close();
});

test("completes requests in flight and refuses later ones when it closes", async () => {
  const service = slow();
  const host = await listen([service]);
  const { port } = new URL(host.origin);
  // A kept connection with a hanging request and a second one queued.
  const socket = net.connect(Number(port), "127.0.0.1");
  let text = "";
  socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
  const ended = new Promise((resolve) => socket.once("close", resolve));
  const request = "GET /slow/a HTTP/1.1\r\nHost: a\r\n\r\n";
  socket.write(request);
  while (service.calls === 0)
    await new Promise((resolve) => setTimeout(resolve, 5));
  const closed = host.close();
  socket.write(request);
  await new Promise((resolve) => setTimeout(resolve, 20));
  service.release();
  await closed;
  await ended;
  expect(text).toContain("HTTP/1.1 200 OK");
  expect(text).toContain("done");
  expect(service.calls).toBe(1);
  const second = text.indexOf("HTTP/1.1 503");
  if (second !== -1) expect(text.slice(second)).toContain("retry-after: 5");
  await expect(fetch(host.origin)).rejects.toThrow();
});

test("returns a harmless request id of the caller", async () => {
  const service = slow();
  service.release();
  const host = await listen([service]);
  const idOf = async (id: string): Promise<string | null> => {
    const { headers } = await fetch(host.origin, {
      headers: { "x-request-id": id },
    });
    return headers.get("x-request-id");
  };
  expect(await idOf("abc-123")).toBe("abc-123");
  expect(await idOf('"}{"')).toMatch(/^[0-9a-f-]{36}$/);
  await host.close();
});

test("refuses endless headers and too many headers", async () => {
  const service = slow();
  const host = await listen([service]);
  const big = await fetch(host.origin, { headers: { a: "x".repeat(17_000) } });
  expect(big.status).toBe(431);
  expect(service.calls).toBe(0);
  service.release();
  await host.close();
});

test("responds with 500 without details if a service throws", async () => {
  const log: LogLine[] = [];
  const bug = (): never => {
    throw new RangeError("secret");
  };
  const services = [
    { name: "one", paths: ["/one"], handle: bug, close: async () => {} },
    {
      name: "two",
      paths: ["/two"],
      handle: async () => bug(),
      close: async () => {},
    },
  ];
  const host = await listen(services, { log: (line) => log.push(line) });
  for (const path of ["/one", "/two"]) {
    const answer = await fetch(host.origin + path);
    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toContain("secret");
  }
  expect(log).toMatchObject([
    {
      service: "one",
      event: "bug",
      error: expect.stringContaining("RangeError at "),
    },
    { service: "one", event: "request", status: 500 },
    { service: "two", event: "bug" },
    { service: "two", event: "request", status: 500 },
  ]);
  expect(JSON.stringify(log)).not.toContain("secret");
  await host.close();
});

test("sets a request id on each use of the same response object", async () => {
  const answer = { status: 200, headers: {}, body: "same" };
  const service = { paths: ["/"], handle: () => answer, close: async () => {} };
  const host = await listen([service]);
  const ids = [await fetch(host.origin), await fetch(host.origin)].map(
    ({ headers }) => headers.get("x-request-id"),
  );
  expect(ids[0]).not.toBe(ids[1]);
  expect(answer.headers).toEqual({});
  await host.close();
});

test("logs fields that a service adds, also for wrapped requests", async () => {
  const log: LogLine[] = [];
  const service: Service = {
    paths: ["/"],
    handle(request) {
      addLogFields(Object.create(request) as typeof request, { method: "a.b" });
      addLogFields(request, { model: "m", status: 1 });
      return { status: 200, headers: {} };
    },
    close: async () => {},
  };
  const host = await listen([service], { log: (line) => log.push(line) });
  await fetch(host.origin);
  expect(log).toMatchObject([{ method: "a.b", model: "m", status: 200 }]);
  await host.close();
});

test("follows changed paths of a service", async () => {
  let paths = ["/before"];
  const service: Service = {
    get paths() {
      return paths;
    },
    handle: () => ({ status: 200, headers: {} }),
    close: async () => {},
  };
  const demo = async () => ({ config: {}, help: () => [] });
  const module = { start: async () => service, demo };
  const rows = [{ name: "one", summary: "", load: async () => module }];
  const running = await runServices({ rows, log: () => {} });
  const status = async (path: string): Promise<number> =>
    (await fetch(running.origin + path)).status;
  expect([await status("/before"), await status("/after")]).toEqual([200, 404]);
  paths = ["/after"];
  expect([await status("/before"), await status("/after")]).toEqual([404, 200]);
  await running.close();
});
