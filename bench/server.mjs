// Compares generated servers with a hand-written server (raw node:http, ajv), with
// Fastify, Hono and Express: processor time of the server for each request,
// requests per second; the cost of routing from 10 methods to 1000; 10,000
// simultaneous connections. All in one run, in alternation.
// Usage: npm run bench:server [-- rounds]
import { fork, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import net from "node:net";
import path from "node:path";
import { build } from "esbuild";
import { install, versioned } from "./install.mjs";
import { ratioOf, save, spreadOf } from "./results.mjs";
import { ROOT } from "./support.mjs";

const rounds = Number(process.argv[2] ?? 5);
const CONNECTIONS = 32;
const SECONDS = 1;

/** Requests per second at which the servers' processor time is compared. */
const PACE = 20_000;

mkdirSync(path.join(ROOT, ".tmp"), { recursive: true });
const work = mkdtempSync(path.join(ROOT, ".tmp/server-"));
process.on("exit", () => rmSync(work, { recursive: true, force: true }));

const variable = { type: "string", required: true, location: "path" };
const description = {
  kind: "discovery#restDescription",
  name: "shop",
  version: "v1",
  rootUrl: "https://shop.example/",
  servicePath: "shop/v1/",
  schemas: {
    Book: {
      id: "Book",
      type: "object",
      properties: {
        id: { type: "string" },
        kind: { type: "string" },
        title: {
          type: "string",
          annotations: { required: ["shop.books.insert"] },
        },
        pages: { type: "integer", format: "int32" },
        size: { type: "integer", format: "int32" },
        tags: { type: "array", items: { type: "string" } },
        author: { $ref: "Author" },
      },
    },
    Author: {
      id: "Author",
      type: "object",
      properties: { name: { type: "string" }, born: { type: "string" } },
    },
  },
  resources: {
    shelves: {
      resources: {
        books: {
          methods: {
            get: {
              id: "shop.books.get",
              path: "shelves/{shelf}/books/{book}",
              httpMethod: "GET",
              parameters: {
                shelf: variable,
                book: variable,
                q: { type: "string", required: true, location: "query" },
                size: {
                  type: "integer",
                  format: "int32",
                  minimum: "1",
                  maximum: "100",
                  location: "query",
                },
                isNew: { type: "boolean", location: "query" },
              },
              response: { $ref: "Book" },
            },
            insert: {
              id: "shop.books.insert",
              path: "shelves/{shelf}/books",
              httpMethod: "POST",
              parameters: { shelf: variable },
              request: { $ref: "Book" },
              response: { $ref: "Book" },
            },
          },
        },
      },
    },
  },
};

async function prepare() {
  const spec = path.join(work, "shop.json");
  const out = path.join(work, "out");
  writeFileSync(spec, JSON.stringify(description));
  const gen = path.join(ROOT, "bin/gen.js");
  const args = [
    gen,
    "--quiet",
    "--spec",
    spec,
    "--out",
    out,
    "--target",
    "server",
  ];
  const { status, stderr } = spawnSync(process.execPath, args, {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  await build({
    entryPoints: {
      server: path.join(out, "shop/v1/server.ts"),
      node: path.join(out, "runtime/server/node.ts"),
      router: path.join(out, "runtime/server/routing/router.ts"),
    },
    outdir: work,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    target: "es2022",
  });
}

/** Starts a server in a separate process. */
async function start(name) {
  const child = fork(path.join(ROOT, "bench/server-app.mjs"), [name, work]);
  const ask = (what) =>
    new Promise((resolve) => {
      child.once("message", resolve);
      if (what !== undefined) child.send(what);
    });
  const { port } = await ask();
  return {
    name,
    port,
    usage: () => ask("usage"),
    stop: () => child.send("stop"),
  };
}

const BODY = JSON.stringify({
  title: "A title of a common length, and some more",
  pages: 321,
  tags: ["first", "second", "third", "fourth"],
  author: { name: "Somebody with a Name", born: "1900-01-01" },
  id: "0123456789abcdef0123456789abcdef",
  kind: "books#book",
  size: 5,
});

const REQUESTS = {
  GET: "GET /shop/v1/shelves/s%201/books/b2?q=hello+world&size=5&isNew=true HTTP/1.1\r\nhost: x\r\naccept: application/json\r\n\r\n",
  POST: `POST /shop/v1/shelves/s1/books HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(BODY)}\r\n\r\n${BODY}`,
};

/** Repeats a request over some connections; returns responses per second. */
async function load(port, text, seconds) {
  const request = Buffer.from(text);
  let count = 0;
  let isOver = false;
  const one = () =>
    new Promise((resolve, reject) => {
      const socket = net.connect(port, "127.0.0.1", () =>
        socket.write(request),
      );
      socket.setNoDelay(true);
      socket.on("error", reject);
      socket.on("data", (chunk) => {
        // Responses are small: each arrives in one piece.
        if (chunk[9] !== 50) return reject(new Error(chunk.toString()));
        count++;
        if (!isOver) socket.write(request);
        else socket.end(resolve);
      });
    });
  const started = performance.now();
  setTimeout(() => (isOver = true), seconds * 1000);
  await Promise.all(Array.from({ length: CONNECTIONS }, one));
  return { count, rate: count / ((performance.now() - started) / 1000) };
}

/** Sends requests at a fixed rate per second; returns the number of responses. */
async function pace(port, text, seconds) {
  const request = Buffer.from(text);
  const idle = [];
  let count = 0;
  const open = () =>
    new Promise((resolve, reject) => {
      const socket = net.connect(port, "127.0.0.1", () => resolve(socket));
      socket.setNoDelay(true);
      socket.on("error", reject);
      socket.on("data", (chunk) => {
        if (chunk[9] !== 50) throw new Error(chunk.toString());
        count++;
        idle.push(socket);
      });
    });
  const sockets = await Promise.all(Array.from({ length: 64 }, open));
  idle.push(...sockets);
  const started = performance.now();
  for (let sent = 0, now = 0; now < seconds * 1000;) {
    now = performance.now() - started;
    for (; sent < (now * PACE) / 1000 && idle.length > 0; sent++)
      idle.shift().write(request);
    await new Promise(setImmediate);
  }
  await new Promise((resolve) => setTimeout(resolve, 20));
  for (const socket of sockets) socket.destroy();
  return { count };
}

async function measure(server, text) {
  const before = await server.usage();
  const { count, rate } = await load(server.port, text, SECONDS);
  const between = await server.usage();
  const { count: paced } = await pace(server.port, text, SECONDS);
  const after = await server.usage();
  return {
    rate,
    saturated: (between.cpu - before.cpu) / count,
    cpu: (after.cpu - between.cpu) / paced,
  };
}

async function throughput(servers) {
  const results = {};
  for (const server of servers)
    for (const text of Object.values(REQUESTS))
      await load(server.port, text, 1);
  for (let round = 0; round < rounds; round++)
    for (const [verb, text] of Object.entries(REQUESTS))
      for (const server of servers)
        ((results[server.name] ??= {})[verb] ??= []).push(
          await measure(server, text),
        );
  return Object.keys(REQUESTS).map((verb) => tableOf(verb, results));
}

const COLUMNS = [
  { key: "ratio", title: "CPU ÷ floor, same load", digits: 3 },
  { key: "cpu", title: "CPU µs", digits: 1 },
  { key: "saturated", title: "CPU ÷ floor, full load", digits: 3 },
  { key: "rate", title: "requests/s", digits: 0 },
];

/** Returns the figures of a verb, compared with the hand-written server. */
function tableOf(verb, results) {
  const values = (name, key) => results[name][verb].map((one) => one[key]);
  const names = {
    floor: "node:http and ajv, by hand",
    generated: "ours, generated",
    fastify: versioned("fastify"),
    hono: versioned("hono"),
    express: versioned("express"),
  };
  const kinds = { floor: "floor", generated: "ours" };
  const rows = Object.keys(results).map((name) => ({
    name: names[name],
    kind: kinds[name],
    limit: name === "generated" ? 1.05 : undefined,
    values: {
      ratio: ratioOf(values(name, "cpu"), values("floor", "cpu")),
      cpu: spreadOf(values(name, "cpu")),
      saturated: ratioOf(
        values(name, "saturated"),
        values("floor", "saturated"),
      ),
      rate: spreadOf(values(name, "rate")),
    },
  }));
  return {
    title: `${verb}, with validation`,
    label: "server",
    chart: "ratio",
    columns: COLUMNS,
    rows,
  };
}

/** Returns the nanoseconds for finding a route among a number of methods. */
function routing(Router, count) {
  const router = new Router();
  const paths = [];
  for (let index = 0; index < count; index++) {
    const resource = `resource${Math.floor(index / 5)}`;
    const tails = [
      "",
      "/{id}",
      "/{id}:cancel",
      "/{id}/children",
      "/{id}/children/{child}",
    ];
    const tail = tails[index % 5];
    router.add(
      `shop/v1/projects/{project}/zones/{zone}/${resource}${tail}`,
      "GET",
      index,
    );
    paths.push(
      `shop/v1/projects/p1/zones/z1/${resource}${tail}`
        .replace("{id}", "i1")
        .replace("{child}", "c1"),
    );
  }
  const run = (times) => {
    const started = process.hrtime.bigint();
    for (let index = 0; index < times; index++)
      if (router.find("GET", paths[(index * 7) % paths.length]) === undefined)
        throw new Error();
    return Number(process.hrtime.bigint() - started) / times;
  };
  run(200_000);
  return () => run(500_000);
}

async function compareRouting() {
  const { Router } = await import(path.join(work, "router.mjs"));
  const few = routing(Router, 10);
  const many = routing(Router, 1000);
  const pairs = Array.from({ length: rounds }, () => [few(), many()]);
  const [less, more] = [0, 1].map((at) =>
    spreadOf(pairs.map((pair) => pair[at])),
  );
  const ratios = spreadOf(pairs.map(([a, b]) => b / a));
  return [
    { name: "route among 10 methods, ns", digits: 0, values: { value: less } },
    {
      name: "route among 1,000 methods, ns",
      digits: 0,
      values: { value: more },
    },
    {
      name: "1,000 methods ÷ 10 methods",
      digits: 2,
      limit: 1.3,
      values: { value: ratios },
    },
  ];
}

/** Opens connections, sends a request over each, waits, sends another one. */
async function hold(server, wanted) {
  const sockets = [];
  const request = Buffer.from(REQUESTS.GET);
  const ask = (socket) =>
    new Promise((resolve, reject) => {
      socket.once("error", reject);
      socket.once("data", (chunk) =>
        chunk[9] === 50 ? resolve() : reject(new Error("status")),
      );
      socket.write(request);
    });
  let errors = 0;
  for (let index = 0; index < wanted; index += 500) {
    const some = Array.from({ length: 500 }, () =>
      net.connect(server.port, "127.0.0.1"),
    );
    sockets.push(...some);
    await Promise.all(some.map((socket) => ask(socket).catch(() => errors++)));
  }
  for (let index = 0; index < sockets.length; index += 500)
    await Promise.all(
      sockets
        .slice(index, index + 500)
        .map((socket) => ask(socket).catch(() => errors++)),
    );
  const { rss } = await server.usage();
  for (const socket of sockets) socket.destroy();
  const name = (text) => `${sockets.length} open connections: ${text}`;
  return [
    {
      name: name("errors of two requests each"),
      digits: 0,
      limit: 0,
      values: { value: { median: errors } },
    },
    {
      name: name("resident MiB"),
      digits: 0,
      values: { value: { median: rss / 2 ** 20 } },
    },
  ];
}

install();
await prepare();
const names = ["floor", "generated", "fastify", "hono", "express"];
const servers = [];
for (const name of names) servers.push(await start(name));
const tables = await throughput(servers);
const rows = [...(await compareRouting()), ...(await hold(servers[1], 10_000))];
for (const { stop } of servers) stop();
await save({
  family: "servers",
  title: "Servers: processor time per request, floor = 1",
  tables: [
    ...tables,
    {
      title: "Routes and connections of the generated server",
      label: "figure",
      columns: [{ key: "value", title: "value" }],
      rows: rows.map((row) => ({ kind: "ours", ...row })),
    },
  ],
});
