// Runs one server for bench/server.mjs in a separate process: the generated one,
// the floor, or a framework. Sends its port, and on request the processor time
// that it has used. Usage: node bench/server-app.mjs <name> <folder of output>
import http from "node:http";
import path from "node:path";
import querystring from "node:querystring";
import { pathToFileURL } from "node:url";
import Ajv from "ajv";

const [name, folder] = process.argv.slice(2);
const answer = (id, size) => ({ id, kind: "books#book", title: "T", size });

const BODY = {
  type: "object",
  required: ["title"],
  properties: {
    title: { type: "string" },
    pages: { type: "integer", minimum: -2147483648, maximum: 2147483647 },
    tags: { type: "array", items: { type: "string" } },
    author: {
      type: "object",
      properties: { name: { type: "string" }, born: { type: "string" } },
    },
  },
};

const QUERY = {
  type: "object",
  required: ["q"],
  properties: {
    q: { type: "string" },
    size: { type: "integer", minimum: 1, maximum: 100 },
    isNew: { type: "boolean" },
  },
};

/** Hand-written server for exactly these two methods. */
function floor() {
  const ajv = new Ajv({ coerceTypes: false });
  const checkBody = ajv.compile(BODY);
  const checkQuery = new Ajv({ coerceTypes: true }).compile(QUERY);
  const send = (response, status, value) => {
    const text = JSON.stringify(value);
    response.writeHead(status, {
      "content-type": "application/json; charset=utf-8",
      "content-length": Buffer.byteLength(text),
    });
    response.end(text);
  };
  return http.createServer((request, response) => {
    const { url, method } = request;
    const mark = url.indexOf("?");
    const where = mark === -1 ? url : url.slice(0, mark);
    const match = /^\/shop\/v1\/shelves\/([^/]+)\/books(?:\/([^/]+))?$/.exec(
      where,
    );
    if (match === null) return send(response, 404, { error: { code: 404 } });
    const shelf = decodeURIComponent(match[1]);
    if (method === "GET" && match[2] !== undefined) {
      const query = querystring.parse(mark === -1 ? "" : url.slice(mark + 1));
      if (!checkQuery(query))
        return send(response, 400, { error: { code: 400 } });
      return send(
        response,
        200,
        answer(`${shelf}/${decodeURIComponent(match[2])}`, query.size),
      );
    }
    const { headers } = request;
    const type = headers["content-type"] ?? "";
    if (!type.startsWith("application/json"))
      return send(response, 415, { error: { code: 415 } });
    if (Number(headers["content-length"] ?? 0) > 1e7)
      return send(response, 413, { error: { code: 413 } });
    if (method !== "POST") return send(response, 405, { error: { code: 405 } });
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      let body;
      try {
        body = JSON.parse(Buffer.concat(chunks).toString());
      } catch {
        return send(response, 400, { error: { code: 400 } });
      }
      if (!checkBody(body))
        return send(response, 400, { error: { code: 400 } });
      send(response, 200, answer(shelf, body.pages));
    });
  });
}

async function generated() {
  const file = (name) => pathToFileURL(path.join(folder, name)).href;
  const { createShopServer } = await import(file("server.mjs"));
  const { toNodeListener } = await import(file("node.mjs"));
  const server = createShopServer({
    shelves: {
      books: {
        get: ({ params }) =>
          answer(`${params.shelf}/${params.book}`, params.size),
        insert: ({ params, body }) => answer(params.shelf, body.pages),
      },
    },
  });
  return http.createServer(toNodeListener(server));
}

async function fastify() {
  const { default: make } = await import("fastify");
  const app = make();
  const book = {
    type: "object",
    properties: {
      id: { type: "string" },
      kind: { type: "string" },
      title: { type: "string" },
      size: { type: "integer" },
    },
  };
  const schema = { response: { 200: book } };
  app.get(
    "/shop/v1/shelves/:shelf/books/:book",
    { schema: { ...schema, querystring: QUERY } },
    (request, reply) => {
      const { shelf, book: id } = request.params;
      reply.send(answer(`${shelf}/${id}`, request.query.size));
    },
  );
  app.post(
    "/shop/v1/shelves/:shelf/books",
    { schema: { ...schema, body: BODY } },
    (request, reply) => {
      reply.send(answer(request.params.shelf, request.body.pages));
    },
  );
  await app.ready();
  return app.server;
}

/** Validators for the frameworks that have none. */
function validators() {
  return {
    isBody: new Ajv({ coerceTypes: false }).compile(BODY),
    isQuery: new Ajv({ coerceTypes: true }).compile(QUERY),
  };
}

async function hono() {
  const { Hono } = await import("hono");
  const { createAdaptorServer } = await import("@hono/node-server");
  const { isBody, isQuery } = validators();
  const wrong = { error: { code: 400 } };
  const app = new Hono();
  app.get("/shop/v1/shelves/:shelf/books/:book", (context) => {
    const query = context.req.query();
    if (!isQuery(query)) return context.json(wrong, 400);
    const { shelf, book } = context.req.param();
    return context.json(answer(`${shelf}/${book}`, query.size));
  });
  app.post("/shop/v1/shelves/:shelf/books", async (context) => {
    const body = await context.req.json();
    if (!isBody(body)) return context.json(wrong, 400);
    return context.json(answer(context.req.param("shelf"), body.pages));
  });
  return createAdaptorServer({ fetch: app.fetch });
}

async function express() {
  const { default: make } = await import("express");
  const { isBody, isQuery } = validators();
  const wrong = { error: { code: 400 } };
  const app = make();
  app.use(make.json());
  app.get("/shop/v1/shelves/:shelf/books/:book", (request, response) => {
    const query = { ...request.query };
    if (!isQuery(query)) return response.status(400).json(wrong);
    const { shelf, book } = request.params;
    return response.json(answer(`${shelf}/${book}`, query.size));
  });
  app.post("/shop/v1/shelves/:shelf/books", (request, response) => {
    if (!isBody(request.body)) return response.status(400).json(wrong);
    const { shelf } = request.params;
    return response.json(answer(shelf, request.body.pages));
  });
  return http.createServer(app);
}

const servers = { floor, generated, fastify, hono, express };
const server = await servers[name]();
server.keepAliveTimeout = 120_000;
server.listen(0, "127.0.0.1", 16_384, () =>
  process.send({ port: server.address().port }),
);
process.on("message", (what) => {
  if (what === "usage") {
    const { user, system } = process.cpuUsage();
    process.send({ cpu: user + system, rss: process.memoryUsage.rss() });
  } else process.exit(0);
});
