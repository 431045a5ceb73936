// Generated servers beside what somebody would write by hand (raw node:http,
// ajv) and beside Fastify, where it is installed: processor time of the server
// for each request, requests per second; the cost of routing from 10 methods to
// 1000; 10,000 connections at once. All in one run, in turn.
// Usage: npm run bench:server [-- rounds]
import { fork, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import net from "node:net";
import path from "node:path";
import { build } from "esbuild";
import { median, ROOT } from "./support.mjs";

const rounds = Number(process.argv[2] ?? 7);
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

/** A server in a process of its own. */
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
  title: "A title of some length, as titles have it",
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

/** Sends a request again and again over some connections; answers per second. */
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
        // Answers are small: each comes in one piece.
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

/** The same number of requests each second, whatever the server could bear; those answered. */
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
  console.log("\n### Requests over loopback\n");
  console.log(
    "| server | verb | CPU ratio at the same load | limit | CPU ratio at full load | requests/s | ratio to fastify |",
  );
  console.log("|---|---|---|---|---|---|---|");
  const { floor, fastify } = results;
  for (const [name, own] of Object.entries(results)) {
    for (const verb of ["GET", "POST"]) {
      const ratio = (key, other) =>
        other === undefined
          ? ""
          : median(
              own[verb].map((one, round) => one[key] / other[verb][round][key]),
            ).toFixed(3);
      const cells = [
        name,
        verb,
        ratio("cpu", floor),
        name === "generated" ? "1.05" : "",
        ratio("saturated", floor),
        median(own[verb].map(({ rate }) => rate)).toFixed(0),
        ratio("rate", fastify),
      ];
      console.log(`| ${cells.join(" | ")} |`);
    }
  }
}

/** Nanoseconds for finding a route, in an API with so many methods. */
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
  const ratio = median(pairs.map(([a, b]) => b / a));
  console.log("\n### Routing\n");
  console.log(
    `10 methods ${median(pairs.map(([a]) => a)).toFixed(0)} ns, 1000 methods ${median(pairs.map(([, b]) => b)).toFixed(0)} ns, ratio ${ratio.toFixed(2)} (limit 1.3)`,
  );
}

/** Opens connections, sends a request over each, holds them, sends another one. */
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
  console.log("\n### Connections\n");
  console.log(
    `${sockets.length} held, two requests each: ${errors} errors, server at ${(rss / 2 ** 20).toFixed(0)} MiB`,
  );
}

function isInstalled(name) {
  try {
    createRequire(import.meta.url).resolve(name);
    return true;
  } catch {
    console.log(`${name} is not installed and left out`);
    return false;
  }
}

await prepare();
const names = ["floor", "generated", ...["fastify"].filter(isInstalled)];
const servers = [];
for (const name of names) servers.push(await start(name));
await throughput(servers);
await compareRouting();
await hold(servers[1], 10_000).catch((error) =>
  console.log(`connections: ${error.message}`),
);
for (const { stop } of servers) stop();
