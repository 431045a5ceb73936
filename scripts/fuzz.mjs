// Sends random and mutated requests to generated servers. Fails on a crash, a
// hang, an undeclared 5xx status or a memory leak. Then opens misbehaving
// connections over node:http. Usage: npm run fuzz [-- requests [seed]]
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import http from "node:http";
import net from "node:net";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { build } from "esbuild";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const wanted = Number(process.argv[2] ?? 100_000);
const seed = Number(process.argv[3] ?? Date.now() % 2 ** 31);
const SLOW_MS = 1000;
const GROWTH_MIB = 64;
/**
 * Expected 5xx statuses: 501 for a method without a handler, 503 for a
 * temporary overload.
 */
const DECLARED = new Set([501, 503]);

mkdirSync(path.join(root, ".tmp"), { recursive: true });
const work = mkdtempSync(path.join(root, ".tmp/fuzz-"));
process.on("exit", () => rmSync(work, { recursive: true, force: true }));

/**
 * Returns a random number in [0, 1); the sequence depends on the seed alone
 * (mulberry32).
 */
let state = seed;
function random() {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
}
const upTo = (count) => Math.floor(random() * count);
const pick = (list) => list[upTo(list.length)];
const chance = (share) => random() < share;

function specs() {
  const own = ["chat", "discovery", "marketplace", "migration"].map(
    (name) => `specs/${name}.v1.json`,
  );
  const shared = [
    "storage.v1",
    "drive.v3",
    "compute.v1",
    "firestore.v1",
    "pubsub.v1",
    "youtube.v3",
  ]
    .map((name) => `../shared/corpus/${name}.json`)
    .filter((name) => existsSync(path.join(root, name)));
  if (shared.length === 0)
    console.log("only the documents of specs/: the shared ones are not here");
  return [...own, ...shared];
}

async function load() {
  const out = path.join(work, "out");
  const files = specs();
  const args = [
    path.join(root, "bin/gen.js"),
    "--quiet",
    "--target",
    "server",
    "--out",
    out,
  ];
  const { status, stderr } = spawnSync(
    process.execPath,
    [...args, ...files.flatMap((file) => ["--spec", file])],
    { cwd: root, encoding: "utf8" },
  );
  if (status !== 0) throw new Error(stderr);
  const entries = Object.fromEntries(
    files.map((file) => {
      const [name, version] = path.basename(file, ".json").split(/\.(?=v\d)/);
      return [name, path.join(out, name, version, "routes.ts")];
    }),
  );
  await build({
    entryPoints: {
      ...entries,
      runtime: path.join(out, "runtime/server/index.ts"),
    },
    outdir: work,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    target: "es2022",
  });
  const runtime = await import(path.join(work, "runtime.mjs"));
  const apis = await Promise.all(
    Object.keys(entries).map(
      async (name) => (await import(path.join(work, `${name}.mjs`))).api,
    ),
  );
  return { runtime, apis };
}

/**
 * Returns handlers for every method. The handlers read their complete input.
 */
function service(api, { content, page }) {
  const all = {};
  for (const method of api.methods) {
    let place = all;
    for (const name of method.at.slice(0, -1)) place = place[name] ??= {};
    place[method.at.at(-1)] = async ({ media, params, body, wantsContent }) => {
      const bytes = await media?.bytes();
      JSON.stringify([params, body, bytes?.length]);
      if (wantsContent)
        return content({ body: new Uint8Array(100), etag: '"1"' });
      if (method.stream !== undefined && body?.stream === true) return events();
      if (method.paging !== undefined) return page([], { total: 100 });
      return method.status === 302 ? "https://x.example/" : {};
    };
  }
  return all;
}

async function* events() {
  yield { id: "1" };
  yield { id: "2" };
}

const TEXTS = [
  "",
  "a",
  "0",
  "-1",
  "1e999",
  "9223372036854775808",
  "true",
  "null",
  "..",
  ".",
  "%2e%2e",
  "%2F",
  "%",
  "%zz",
  "%00",
  "%c3%28",
  "é",
  "😀",
  "\u202e",
  "a b",
  "a+b",
  "a&b=c",
  "#",
  "?",
  "/",
  "//",
  ":",
  ":cancel",
  "{x}",
  "__proto__",
  "constructor",
  "a".repeat(5000),
  "%41".repeat(500),
  "[]",
  "{}",
  "json",
  "media",
  "*",
  "a,b(c",
  "bytes=0-",
  "(((((((",
  "\0",
  "\r\nx: y",
  "$.xgafv",
  "2020-01-01",
  "projects/p",
  "=",
  ";",
  "'",
  '"',
];

function text() {
  if (chance(0.5)) return pick(TEXTS);
  return Array.from({ length: upTo(12) }, () =>
    String.fromCharCode(chance(0.8) ? 32 + upTo(95) : upTo(0xd800)),
  ).join("");
}

/** Returns a JSON value of random type. */
function json(depth = 0) {
  const kind = upTo(depth > 4 ? 5 : 7);
  if (kind < 2) return text();
  if (kind === 2) return random() * 10 ** upTo(20);
  if (kind === 3) return chance(0.5);
  if (kind === 4) return null;
  if (kind === 5) return Array.from({ length: upTo(4) }, () => json(depth + 1));
  return Object.fromEntries(
    Array.from({ length: upTo(5) }, () => [text(), json(depth + 1)]),
  );
}

const encoded = (value) =>
  chance(0.7)
    ? encodeURIComponent(value.replace(/[\ud800-\udfff]/g, ""))
    : value;

function pathOf(api, method) {
  const routes = [method.route].flat().map((route) => api.servicePath + route);
  const route = pick([...routes, ...(method.upload?.routes ?? [])]);
  return route.replace(/\{[^{}=]+(?:=([^{}]+))?\}/g, (_, form = "*") =>
    form.replace(/\*\*?/g, () => (chance(0.6) ? "x1" : encoded(text()))),
  );
}

function queryOf(api, method) {
  const names = Object.keys({ ...api.parameters, ...method.parameters });
  const pairs = Array.from({ length: upTo(5) }, () => {
    const name = chance(0.8) && names.length > 0 ? pick(names) : text();
    return `${encoded(name)}=${encoded(text())}`;
  });
  if (method.upload !== undefined)
    pairs.push(`uploadType=${pick(["media", "multipart", "resumable", "x"])}`);
  if (chance(0.1)) pairs.push(`upload_id=${encoded(text())}`);
  return pairs.join(pick(["&", "&", "&", "&&", ";"]));
}

function multipart() {
  const line = pick(["\r\n", "\n"]);
  const boundary = pick(["B", "B", "=_x", "b b"]);
  const parts = Array.from({ length: upTo(4) }, () =>
    [
      `--${chance(0.9) ? boundary : "C"}`,
      pick([
        "content-type: application/json",
        "content-type: text/plain",
        "content-type: application/http",
        "x",
        "",
      ]),
      ...(chance(0.9) ? [""] : []),
      pick([
        JSON.stringify(json()),
        "GET /a HTTP/1.1",
        text(),
        `--${boundary}x`,
      ]),
    ].join(line),
  );
  return {
    type: `multipart/${pick(["related", "mixed"])}; boundary=${pick([boundary, `"${boundary}"`, `'${boundary}'`, ""])}`,
    body: [...parts, chance(0.8) ? `--${boundary}--` : ""].join(line),
  };
}

function bodyOf(method) {
  const kind = upTo(10);
  if (kind < 5)
    return {
      type: "application/json",
      body: JSON.stringify(kind < 3 ? shaped(method) : json()),
    };
  if (kind === 5)
    return { type: pick(["application/json", "", "text/html"]), body: text() };
  if (kind === 6)
    return {
      type: "application/x-www-form-urlencoded",
      body: `a=${encoded(text())}&${text()}`,
    };
  if (kind === 7)
    return { type: "application/json", body: "[".repeat(upTo(3000)) };
  if (kind === 8)
    return { type: "application/json", body: `${'{"a":'.repeat(upTo(3000))}1` };
  return multipart();
}

/** Names of members that the request bodies of the tested documents declare. */
function shaped(method) {
  const names = [
    "name",
    "id",
    "labels",
    "model",
    "messages",
    "stream",
    "repositories",
    "etag",
    "items",
    "kind",
  ];
  const body = Object.fromEntries(
    Array.from({ length: upTo(6) }, () => [pick(names), json(2)]),
  );
  if (method.stream !== undefined && chance(0.5))
    return {
      model: "m",
      messages: [{ role: "user", content: "x" }],
      stream: chance(0.5),
    };
  return body;
}

const HEADERS = [
  ["authorization", () => pick(["Bearer x", "token x", "x", text()])],
  [
    "content-range",
    () =>
      pick([
        "bytes */*",
        "bytes 0-*/*",
        `bytes ${upTo(9)}-${upTo(9)}/${upTo(9)}`,
        text(),
      ]),
  ],
  [
    "range",
    () =>
      pick([
        "bytes=0-1",
        "bytes=-5",
        "bytes=99-",
        `bytes=${upTo(200)}-${upTo(200)}`,
        text(),
      ]),
  ],
  ["if-none-match", () => pick(["*", '"1"', 'W/"1"', text()])],
  ["if-match", () => pick(["*", '"2"', text()])],
  [
    "x-http-method-override",
    () => pick(["GET", "PATCH", "DELETE", "constructor", text()]),
  ],
  ["x-upload-content-length", () => pick(["5", "-1", "1e9", text()])],
  ["x-upload-content-type", () => pick(["text/plain", text()])],
  ["content-encoding", () => pick(["gzip", "identity"])],
  ["origin", () => "https://x.example"],
  ["x-vendor-api-version", () => pick(["2022-11-28", text()])],
  ["x-guploader-no-308", () => "yes"],
];

/** Changes a text at a random position. */
function mutate(value) {
  const at = upTo(value.length + 1);
  return pick([
    () => value.slice(0, at) + text() + value.slice(at),
    () => value.slice(0, at) + value.slice(at + 1 + upTo(5)),
    () => value.slice(0, at) + value.slice(0, at),
  ])();
}

/** Returns a valid or nearly valid request to one of the methods. */
function request(api) {
  const method = pick(api.methods);
  const query = queryOf(api, method);
  let target = `/${chance(0.02) ? (api.batchPath ?? "batch") : pathOf(api, method)}${query === "" ? "" : `?${query}`}`;
  if (chance(0.3)) target = mutate(target);
  const { type, body } = bodyOf(method);
  const headers = { host: "x", "content-type": type };
  for (const [name, make] of HEADERS)
    if (chance(name === "authorization" ? 0.7 : 0.1)) headers[name] = make();
  const verb = chance(0.85)
    ? (method.verb ?? "GET")
    : pick(["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "X"]);
  return {
    verb,
    target: target.startsWith("/") ? target : `/${target}`,
    headers,
    body: chance(0.1) ? mutate(body) : body,
  };
}

/**
 * Returns the request in the form that the server runtime expects; the body is
 * split at random positions.
 */
function incoming({ verb, target, headers, body }, { ApiError }) {
  const bytes = new TextEncoder().encode(body);
  return {
    method: verb,
    target,
    origin: "http://x",
    signal: new AbortController().signal,
    raw: undefined,
    header: (name) => headers[name],
    text: (limit) =>
      bytes.length > limit
        ? Promise.reject(new ApiError(413, "Too long."))
        : Promise.resolve(body),
    async *chunks() {
      for (let at = 0; at < bytes.length;) {
        const next = at + 1 + upTo(64);
        yield bytes.subarray(at, next);
        at = next;
      }
    },
  };
}

async function drain(body) {
  if (
    body === undefined ||
    typeof body === "string" ||
    body instanceof Uint8Array
  )
    return;
  for await (const _ of body);
}

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");

function heap() {
  collect();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

const problems = [];
function problem(what, subject) {
  problems.push(what);
  console.error(`${what}: ${JSON.stringify(subject).slice(0, 2000)}`);
}

async function inMemory({ runtime, apis }) {
  const servers = apis.map((api) => ({
    api,
    server: runtime.createServer(api, service(api, runtime), {
      uploads: runtime.memoryUploads({ maxBytes: 2 ** 20, maxAge: 50 }),
      log: ({ status, error }) => {
        if (status >= 500 && !DECLARED.has(status))
          problem(`status ${status}`, String(error?.stack ?? error));
      },
    }),
  }));
  const statuses = {};
  let slowest = 0;
  let before = 0;
  for (let count = 0; count < wanted && problems.length < 10; count++) {
    // The heap is measured after the first half, when the lazily created tables
    // of all methods exist.
    if (count === Math.floor(wanted / 2)) before = heap();
    const { api, server } = pick(servers);
    const asked = request(api);
    const started = performance.now();
    try {
      const { status, body } = await server.handle(incoming(asked, runtime));
      await drain(body);
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status >= 500 && !DECLARED.has(status))
        problem(`status ${status}`, asked);
    } catch (error) {
      problem(String(error?.stack), asked);
    }
    const taken = performance.now() - started;
    slowest = Math.max(slowest, taken);
    if (taken > SLOW_MS) problem(`took ${taken.toFixed(0)} ms`, asked);
  }
  const growth = heap() - before;
  if (growth > GROWTH_MIB) problem(`heap grew by ${growth.toFixed(0)} MiB`, {});
  console.log(
    `${wanted} requests in memory, slowest ${slowest.toFixed(0)} ms, heap ${growth.toFixed(1)} MiB more in the second half`,
  );
  console.log("statuses", statuses);
}

/** Sends bytes to a server, slowly if requested, and waits until it closes the connection. */
function connection(port, pieces, { isHalfClosed = false, drip, limit }) {
  return new Promise((resolve) => {
    const socket = net.connect({
      port,
      host: "127.0.0.1",
      allowHalfOpen: true,
    });
    const timer = setTimeout(() => (socket.destroy(), resolve(false)), limit);
    socket.on("error", () => {});
    socket.on("data", () => {});
    socket.on("end", () => socket.end());
    let dripping;
    socket.on("close", () => {
      clearTimeout(timer);
      clearInterval(dripping);
      resolve(true);
    });
    for (const piece of pieces) socket.write(piece);
    if (drip !== undefined)
      dripping = setInterval(() => {
        if (socket.writable) socket.write(drip);
      }, 50);
    if (isHalfClosed) socket.end();
  });
}

async function overSockets({ runtime, apis }) {
  const api = apis[0];
  const start = (one) =>
    runtime.listen(
      http,
      runtime.createServer(one, service(one, runtime), {
        limits: { bodyTime: 500, pieceTime: 500 },
      }),
      {
        options: {
          headersTimeout: 500,
          connectionsCheckingInterval: 100,
          keepAliveTimeout: 500,
        },
      },
    );
  const listening = await start(api);
  const { port } = listening;
  const head =
    "POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer x\r\n";
  const cases = {
    "slow headers": [[head], {}],
    "headers that drip": [[head], { drip: "x: y\r\n" }],
    "half-closed headers": [[head], { isHalfClosed: true }],
    "a body that drips": [
      [`${head}Content-Length: 100000\r\n\r\n{`],
      { drip: " " },
    ],
    "an unwanted body that drips": [
      [
        "POST /nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 100000\r\n\r\n{",
      ],
      { drip: " " },
    ],
    "a slow body": [[`${head}Content-Length: 100\r\n\r\n{`], {}],
    "a half-closed body": [
      [`${head}Content-Length: 100\r\n\r\n{`],
      { isHalfClosed: true },
    ],
    "a chunked body without end": [
      [`${head}Transfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n`],
      {},
    ],
    "a body without headers": [["\r\n\r\n{}"], {}],
    "two lengths": [
      [`${head}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`],
      {},
    ],
    "length and chunks": [
      [
        `${head}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      ],
      {},
    ],
    "long headers": [[`${head}X: ${"x".repeat(100_000)}\r\n\r\n`], {}],
  };
  for (const [name, [pieces, options]] of Object.entries(cases))
    if (!(await connection(port, pieces, { limit: 8000, ...options })))
      problem(`${name} does not end`, {});
  for (let count = 0; count < 500; count++) {
    const { verb, target, headers, body } = request(api);
    const lines = Object.entries(headers).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    const bytes = `${verb} ${target} HTTP/1.1\r\n${lines.join("")}connection: close\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
    if (!(await connection(port, [bytes], { limit: 8000 })))
      problem("has no response", { verb, target, headers, body });
  }
  const uploads = await slowUploads(apis, start);
  await listening.close(1000);
  console.log(
    `${Object.keys(cases).length + uploads} connections that misbehave and 500 requests over node:http`,
  );
}

/** Starts uploads whose bytes never arrive; returns their number. */
async function slowUploads(apis, start) {
  const api = apis.find(({ methods }) =>
    methods.some(({ upload }) => upload !== undefined),
  );
  if (api === undefined) return 0;
  const { upload } = api.methods.find((method) => method.upload !== undefined);
  const target = `/${upload.routes[0].replace(/\{[^}]*\}/g, "x")}`;
  const listening = await start(api);
  const all = ["media", "multipart", "resumable"].flatMap((type) =>
    [true, false].map((isHalfClosed) => ({ type, isHalfClosed })),
  );
  for (const { type, isHalfClosed } of all) {
    const head = `POST ${target}?uploadType=${type} HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/related; boundary=B\r\nContent-Length: 999\r\n\r\n--B\r\n`;
    const options = { isHalfClosed, limit: 8000 };
    if (!(await connection(listening.port, [head], options)))
      problem(`a slow upload (${type}) is not ended`, { isHalfClosed });
  }
  await listening.close(1000);
  return all.length;
}

process.on("unhandledRejection", (error) =>
  problem("unhandled rejection", String(error?.stack)),
);
process.on("uncaughtException", (error) =>
  problem("uncaught", String(error?.stack)),
);
console.log(`seed ${seed}`);
const loaded = await load();
await inMemory(loaded);
await overSockets(loaded);
console.log(
  problems.length === 0 ? "nothing found" : `${problems.length} problems`,
);
process.exitCode = problems.length === 0 ? 0 : 1;
