import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";
import path from "node:path";
import type { TLSSocket } from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { createChatServer } from "../../generated/chat/v1/server.js";
import {
  ApiError,
  toNodeListener,
} from "../../generated/runtime/server/index.js";
import { ConfigFile, SetupError } from "../../src/services/config-file.js";
import { openOperations } from "../../src/services/operations/index.js";
import { openServiceOperations } from "../../src/services/operations/service-operations.js";
import { runServices } from "../../src/services/run.js";
import { services } from "../../src/services/table.js";
import { temporaryFolder } from "../support/paths.js";
import { startPostgres } from "../support/postgres.js";
import type { LogLine, ServiceRow } from "../../src/services/service.js";
import { memoryStore } from "../../src/services/store/open.js";
import { storeOf } from "../../src/services/start-service.js";
import {
  StoreError,
  type Json,
  type Store,
} from "../../src/services/store/store.js";
import { adminOf, runAdmin } from "./admin-support.js";
import { hashed } from "./chat-support.js";
import { marketplaceRow, serve } from "./support.js";

const OPERATIONS = "host:\n  operations: { port: 0 }\n";

async function bodyOf(url: string): Promise<string> {
  return (await fetch(url)).text();
}

/** Returns the value of a metric with labels, as in the text of a scrape. */
function metric(text: string, name: string): number | undefined {
  const line = text.split("\n").find((found) => found.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.split(" ").at(-1));
}

const chatCall = {
  method: "POST",
  headers: {
    authorization: "Bearer test-key",
    "content-type": "application/json",
  },
};
const message = {
  model: "test-model",
  messages: [{ role: "user", content: "Hi" }],
};

test("counts log lines that were lost", async () => {
  let lost = 0;
  const operations = await openServiceOperations(
    { host: "127.0.0.1", port: 0 },
    () => {},
    () => lost,
  );
  onTestFinished(() => operations.close());
  for (const count of [0, 3, 5]) {
    lost = count;
    const text = await bodyOf(`${operations.origin}/metrics`);
    expect(metric(text, "gen_log_lines_lost_total")).toBe(count);
  }
});

test("counts requests, tokens and streams of all services, and reports readiness", async () => {
  const { origin, running } = await serve({
    rows: services,
    isDemo: true,
    settings: OPERATIONS,
  });
  const { operations = "" } = running;
  const purchase = "api_key=test-key&purchase_code=";
  const validation = `${origin}/api/purchases/validation?${purchase}`;
  await fetch(`${validation}code-1`, { method: "POST" });
  await fetch(`${validation}secret-guess`, { method: "POST" });
  for (const stream of [false, true]) {
    const body = JSON.stringify({ ...message, stream });
    await completion(`${origin}/v1/chat/completions`, body);
  }
  const text = await bodyOf(`${operations}/metrics`);
  const method =
    'service="marketplace",method="marketplace.purchases.validation"';
  expect(metric(text, `gen_requests_total{${method},status="200"}`)).toBe(1);
  expect(metric(text, `gen_requests_total{${method},status="404"}`)).toBe(1);
  expect(metric(text, `gen_request_duration_seconds_count{${method}}`)).toBe(2);
  const tokens = 'key="demo",model="test-model"';
  for (const kind of ["prompt", "completion"])
    expect(
      metric(text, `gen_tokens_total{${tokens},kind="${kind}"}`),
    ).toBeGreaterThan(1);
  expect(
    metric(
      text,
      'gen_streams_total{service="chat",model="test-model",complete="true"}',
    ),
  ).toBe(1);
  expect(metric(text, "gen_connections")).toBeGreaterThan(0);
  expect(metric(text, "gen_chat_completions_active")).toBe(0);
  expect(metric(text, "gen_exports_running")).toBe(0);
  // An alert on an increase needs the value before the first failure.
  for (const result of ["exported", "failed"])
    expect(metric(text, `gen_exports_total{result="${result}"}`)).toBe(0);
  expect(metric(text, "gen_exports_unfinished")).toBe(0);
  expect(text).toContain("process_cpu_seconds_total");
  expect(text).not.toMatch(/test-key|secret-guess/);
  expect(await bodyOf(`${operations}/healthz`)).toBe('{"status":"ok"}\n');
  const ready = await fetch(`${operations}/readyz`);
  expect(ready.status).toBe(200);
  expect(await ready.json()).toMatchObject({
    status: "ok",
    checks: { store: "ok", chat: "ok" },
  });
  const drained = running.drain();
  const draining = await fetch(`${operations}/readyz`);
  expect(draining.status).toBe(503);
  expect(await draining.json()).toMatchObject({ status: "draining" });
  expect((await fetch(`${operations}/healthz`)).status).toBe(200);
  await drained;
});

test("probes notice failures of the store and their end without requests", async () => {
  const memory = memoryStore();
  let isDown = false;
  const store: Store = {
    ...memory,
    get: async (table, key) => {
      if (isDown) throw new StoreError("unavailable", "no route to host");
      return memory.get(table, key);
    },
  };
  const lines: LogLine[] = [];
  const operations = await openServiceOperations(
    { host: "127.0.0.1", port: 0 },
    (line) => lines.push(line),
  );
  onTestFinished(() => operations.close());
  const service = {
    name: "marketplace",
    store: storeOf("marketplace", store, operations.log),
    problem: () => undefined,
    gauges: async () => ({}),
  };
  const host = { phase: () => "serving" as const, connections: async () => 0 };
  operations.serve({ host, store, services: [service] });
  const name = 'gen_store_up{service="marketplace",operations="reads"}';
  for (const [status, value] of [
    [200, undefined],
    [503, 0],
    [200, 1],
  ]) {
    isDown = status === 503;
    const ready = await fetch(`${operations.origin}/readyz`);
    expect(ready.status).toBe(status);
    const text = await bodyOf(`${operations.origin}/metrics`);
    expect(metric(text, name)).toBe(value);
  }
  expect(lines.map(({ event }) => event)).toEqual([
    "store-unavailable",
    "store-available",
  ]);
});

test("reports the connections to the database", async (context) => {
  const postgres = await startPostgres();
  if (postgres === undefined) return context.skip();
  onTestFinished(() => postgres.stop());
  const { running } = await serve({
    store: postgres.url,
    isDemo: true,
    settings: OPERATIONS,
  });
  const text = await bodyOf(`${running.operations ?? ""}/metrics`);
  expect(metric(text, "gen_store_connections")).toBeGreaterThan(0);
  expect(metric(text, "gen_store_connections_idle")).toBeGreaterThanOrEqual(0);
  expect(metric(text, "gen_store_requests_waiting")).toBe(0);
});

async function completion(url: string, body: string): Promise<string> {
  return (await fetch(url, { ...chatCall, body })).text();
}

test("logs the caller, and the path of successful requests only", async () => {
  const { origin, log } = await serve({ rows: services, isDemo: true });
  await bodyOf(`${origin}/api/account/details?api_key=test-key`);
  await bodyOf(`${origin}/v1/models/sk-secret`);
  await fetch(`${origin}/orgs/acme/migrations`, {
    headers: { authorization: "Bearer owner-token" },
  });
  const requests = log.filter(({ event }) => event === "request");
  expect(requests[0]).toMatchObject({
    path: "/api/account/details",
    owner: "demo",
    keyId: expect.stringMatching(/^[\da-f]{16}$/),
  });
  expect(requests[1]).not.toHaveProperty("path");
  expect(requests[2]).toMatchObject({
    path: "/orgs/acme/migrations",
    user: "octocat",
    organization: "acme",
  });
  expect(JSON.stringify(log)).not.toMatch(/test-key|sk-secret|owner-token/);
});

test("logs an audit event for each change, without keys", async () => {
  const log: LogLine[] = [];
  const admin = adminOf(memoryStore(), { log: (line) => log.push(line) });
  const run = async (
    operation: string,
    input: Json,
  ): Promise<Record<string, string>> =>
    (await runAdmin(admin, operation, input)) as Record<string, string>;
  await run("owner add", { username: "ada", email: "ada@example.com" });
  const first = await run("key create", { owner: "ada" });
  const second = await run("key rotate", { owner: "ada" });
  await run("key revoke", { owner: "ada" });
  await expect(run("key create", { owner: "eve" })).rejects.toThrow("eve");
  const row = { service: "admin", event: "audit", actor: "ops", target: "ada" };
  expect(log).toEqual([
    { ...row, action: "admin.owners.create", after: "ada" },
    { ...row, action: "admin.owners.keys.create", after: first["id"] },
    {
      ...row,
      action: "admin.owners.keys.rotate",
      before: [first["id"]],
      after: second["id"],
    },
    { ...row, action: "admin.owners.keys.revoke", before: [second["id"]] },
  ]);
  expect(JSON.stringify(log)).not.toContain("mk_");
});

test("logs changes through the API of migrations with their user", async () => {
  const { origin, log } = await serve({ rows: services, isDemo: true });
  const response = await fetch(`${origin}/orgs/acme/migrations`, {
    method: "POST",
    headers: {
      authorization: "Bearer owner-token",
      "content-type": "application/json",
    },
    body: '{"repositories":["alpha"]}',
  });
  expect(response.status).toBe(201);
  expect(log.filter(({ event }) => event === "audit")).toEqual([
    {
      service: "migration",
      event: "audit",
      action: "migration.migrations.startForOrg",
      actor: "octocat",
      target: "acme/1",
      after: { repositories: 1, locked: false },
    },
  ]);
});

test("applies a changed config without interrupting a request, and ignores an invalid one", async () => {
  const row = { ...marketplaceRow };
  const { origin, log, running } = await serve({
    rows: [row],
    isDemo: true,
    settings: "marketplace:\n  requestsPerMinute: 1\n",
  });
  const url = `${origin}/api/items/all?api_key=test-key`;
  const status = async (): Promise<number> => (await fetch(url)).status;
  expect([await status(), await status()]).toEqual([200, 429]);
  const config = (text: string): ConfigFile =>
    new ConfigFile("config.yaml", text, ["marketplace"]);
  await running.reload!(config("marketplace:\n  requestsPerMinute: 0\n"));
  expect([await status(), await status()]).toEqual([200, 200]);
  expect(log.at(-3)).toMatchObject({
    event: "config-reloaded",
    restarted: ["marketplace"],
  });
  for (const mistake of [
    "marketplace:\n  requestsPerMinute: -1\n",
    "host:\n  grace: no\n",
    "host:\n  tls: { cert: none.pem, key: none.pem }\n",
  ])
    await expect(running.reload!(config(mistake))).rejects.toThrow(SetupError);
  expect([await status(), await status()]).toEqual([200, 200]);
});

test("names changed settings that a reload does not apply", async () => {
  const tokens = `[{ name: ops, token: "sha256:${"a".repeat(64)}" }]`;
  const { log, running } = await serve({
    rows: [marketplaceRow],
    isDemo: true,
    settings: `host: { operations: { port: 0 } }\nadmin: { port: 0, tokens: ${tokens} }\n`,
  });
  const reload = async (text: string): Promise<LogLine> => {
    await running.reload!(new ConfigFile("config.yaml", text, ["marketplace"]));
    return log.filter(({ event }) => event === "config-reloaded").at(-1)!;
  };
  const folder = temporaryFolder();
  certificate(folder, "localhost");
  const tls = `{ cert: ${folder}/cert.pem, key: ${folder}/key.pem }`;
  expect(
    await reload(
      `host: { operations: { port: 9999 }, tls: ${tls}, grace: 1 }\nadmin: { port: 9998, tokens: ${tokens} }\n`,
    ),
  ).toEqual({
    service: "host",
    event: "config-reloaded",
    restarted: [],
    needsRestart: ["host.operations", "host.tls", "admin"],
  });
  expect(
    await reload(
      `host: { operations: { port: 0 }, grace: 5 }\nadmin: { port: 0, tokens: ${tokens} }\n`,
    ),
  ).toEqual({ service: "host", event: "config-reloaded", restarted: [] });
});

test("waits for requests in flight for the grace period of a reload", async () => {
  const row: ServiceRow = {
    ...marketplaceRow,
    load: async () => ({
      start: async () => ({
        paths: ["*"],
        handle: () =>
          new Promise((resolve) => {
            const response = { status: 200, headers: {}, body: "late" };
            setTimeout(() => resolve(response), 3_600);
          }),
        close: async () => {},
      }),
      demo: async () => ({ config: undefined, help: () => [] }),
    }),
  };
  const config = (grace: number): ConfigFile =>
    new ConfigFile("config.yaml", `host: { grace: ${grace} }`, ["marketplace"]);
  let hangs = 0;
  const running = await runServices({
    rows: [row],
    config: config(0),
    log: () => {},
    onHang: () => void hangs++,
  });
  await running.reload!(config(20_000));
  const response = bodyOf(running.origin);
  await new Promise((resolve) => setTimeout(resolve, 100));
  await running.close();
  expect(await response).toBe("late");
  expect(hangs).toBe(0);
});

/** Serves a stream with one chunk, which ends when the function is called. */
async function slowUpstream(): Promise<{
  readonly url: string;
  end(): void;
}> {
  const data = (value: object | string): string =>
    `data: ${typeof value === "string" ? value : JSON.stringify(value)}\n\n`;
  const chunk = {
    id: "1",
    object: "chat.completion.chunk",
    created: 1,
    model: "slow",
    choices: [{ index: 0, delta: { content: "a" }, finish_reason: null }],
  };
  const open: http.ServerResponse[] = [];
  const server = http.createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(data(chunk));
    open.push(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    end: () => open.forEach((response) => response.end(data("[DONE]"))),
  };
}

/** Runs the chat with one slow stream, and replaces the service after a reload. */
async function reloadDuringStream(): Promise<{
  readonly running: Awaited<ReturnType<typeof serve>>["running"];
  readonly body: Promise<string>;
  readonly end: () => void;
}> {
  const upstream = await slowUpstream();
  const settings = (limit: number): string =>
    `host: { grace: 100 }
chat:
  keys: [{ name: a, key: ${hashed("test-key")} }]
  models: { test-model: { upstream: { baseUrl: "${upstream.url}" } } }
  limits: { concurrent: ${limit} }
`;
  const rows = services.filter(({ name }) => name === "chat");
  const { origin, running } = await serve({ rows, settings: settings(1) });
  const response = await fetch(`${origin}/v1/chat/completions`, {
    ...chatCall,
    body: JSON.stringify({ ...message, stream: true }),
  });
  const config = new ConfigFile("config.yaml", settings(2), ["chat"]);
  await running.reload!(config);
  await new Promise((resolve) => setTimeout(resolve, 400));
  return { running, body: response.text(), end: upstream.end };
}

test("a reload does not interrupt a stream that lasts longer than the grace period", async () => {
  const { body, end } = await reloadDuringStream();
  end();
  expect(await body).toContain("[DONE]");
});

test("a stream of a replaced service does not delay the end", async () => {
  const { running, body } = await reloadDuringStream();
  const ended = body.catch(() => "");
  const begun = performance.now();
  await running.close();
  expect(performance.now() - begun).toBeLessThan(100 + 3_000);
  expect(await ended).not.toContain("[DONE]");
});

/** Writes a self-signed certificate for a name; returns its section in a config. */
function certificate(folder: string, name: string): void {
  const args =
    "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -keyout key.pem -out cert.pem";
  execFileSync("openssl", [...args.split(" "), "-subj", `/CN=${name}`], {
    cwd: folder,
    stdio: "ignore",
  });
}

/** Returns the subject of the certificate and the status of a request. */
function peer(origin: string): Promise<readonly [string, number]> {
  return new Promise((resolve, reject) => {
    const options = { rejectUnauthorized: false, agent: false };
    const request = https.get(`${origin}/`, options, (response) => {
      const { subject } = (response.socket as TLSSocket).getPeerCertificate();
      response.resume();
      resolve([String(subject.CN), response.statusCode ?? 0]);
    });
    request.on("error", reject);
  });
}

test("serves TLS, and a renewed certificate after a reload", async () => {
  const folder = temporaryFolder();
  certificate(folder, "first");
  const tls = `{ cert: ${folder}/cert.pem, key: ${folder}/key.pem }`;
  const settings = `host:\n  tls: ${tls}\n`;
  const { origin, running } = await serve({ settings });
  expect(origin).toMatch(/^https:/);
  expect(await peer(origin)).toEqual(["first", 404]);
  const config = new ConfigFile("config.yaml", settings, ["marketplace"]);
  const previous = readFileSync(path.join(folder, "key.pem"));
  certificate(folder, "second");
  const renewed = readFileSync(path.join(folder, "key.pem"));
  // A certificate without its key is not used.
  writeFileSync(path.join(folder, "key.pem"), previous);
  await expect(running.reload!(config)).rejects.toThrow(
    "cert and key must be PEM files of a certificate and its private key",
  );
  expect(await peer(origin)).toEqual(["first", 404]);
  writeFileSync(path.join(folder, "key.pem"), renewed);
  await running.reload!(config);
  expect(await peer(origin)).toEqual(["second", 404]);
});

test("measures a generated server", async () => {
  let isBroken = false;
  const operations = await openOperations({
    port: 0,
    service: "shop",
    checks: { database: async () => (isBroken ? "no connection" : undefined) },
    gauges: async () => ({ shop_queue: 3 }),
  });
  onTestFinished(() => operations.close());
  const server = createChatServer(
    {
      chat: {
        completions: {
          create() {
            throw new ApiError(409, "Try again.");
          },
        },
      },
      models: {
        list: () => ({ object: "list" as const, data: [] }),
        get() {
          throw new ApiError(404, "Not found.");
        },
      },
    },
    { authenticate: () => ({}), log: operations.log },
  );
  const host = http.createServer(toNodeListener(server));
  await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void host.close());
  const { port } = host.address() as AddressInfo;
  const headers = { authorization: "Bearer a" };
  await fetch(`http://127.0.0.1:${port}/v1/models`, { headers });
  await fetch(`http://127.0.0.1:${port}/v1/models/x`, { headers });
  const text = await bodyOf(`${operations.origin}/metrics`);
  const labels = 'service="shop",method="chat.models.';
  expect(metric(text, `gen_requests_total{${labels}list",status="200"}`)).toBe(
    1,
  );
  expect(metric(text, `gen_requests_total{${labels}get",status="404"}`)).toBe(
    1,
  );
  expect(metric(text, "shop_queue")).toBe(3);
  const readiness = async (): Promise<number> =>
    (await fetch(`${operations.origin}/readyz`)).status;
  expect(await readiness()).toBe(200);
  isBroken = true;
  expect(await readiness()).toBe(503);
  isBroken = false;
  operations.drain();
  expect(await readiness()).toBe(503);
  const post = { method: "POST" };
  expect((await fetch(`${operations.origin}/healthz`, post)).status).toBe(405);
});

test("omits gauges that can't be read", async () => {
  let read = async (): Promise<Record<string, number>> => ({ shop_queue: 3 });
  const operations = await openOperations({ port: 0, gauges: () => read() });
  onTestFinished(() => operations.close());
  const queue = async (): Promise<number | undefined> =>
    metric(await bodyOf(`${operations.origin}/metrics`), "shop_queue");
  expect(await queue()).toBe(3);
  read = () => Promise.reject(new Error("no connection"));
  expect(await queue()).toBeUndefined();
  read = () => {
    throw new Error("no connection");
  };
  expect(await queue()).toBeUndefined();
  read = async () => ({ shop_queue: 4 });
  expect(await queue()).toBe(4);
});
