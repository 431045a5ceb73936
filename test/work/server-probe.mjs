// Counts the work of requests to a server, as JSON: node server-probe.mjs <server.mjs>
import { createServer } from "node:http";
import net from "node:net";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { probe } from "./probe.mjs";

const [file] = process.argv.slice(2);
const { createBooksServer, toNodeListener } = await import(
  pathToFileURL(file).href
);
const api = createBooksServer({
  books: {
    get: ({ params }) => ({ id: params.book, title: "T" }),
    list: ({ params }) => ({ items: [{ id: params.q }] }),
    insert: ({ body }) => body,
  },
});
const body = JSON.stringify({ id: "1", title: "A title", size: "12" });
const { signal } = new AbortController();
const header = (name) =>
  name === "content-type"
    ? "application/json"
    : name === "content-length"
      ? String(body.length)
      : undefined;

/** Sends a request without objects of the web or of Node. */
const handle = (method, target) => () =>
  api.handle({
    method,
    target,
    origin: "http://localhost",
    signal,
    raw: undefined,
    header,
    text: async () => body,
    async *chunks() {
      yield Buffer.from(body);
    },
  });

const server = createServer(toNodeListener(api));
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const socket = net.connect(server.address().port, "127.0.0.1");
const request = Buffer.from("GET /v1/books/b1 HTTP/1.1\r\nhost: x\r\n\r\n");
let answered;
let text = "";
socket.on("data", (chunk) => {
  text = chunk.toString();
  answered();
});
const overNode = () =>
  new Promise((done) => {
    answered = done;
    socket.write(request);
  });

const name = path.basename(file);
const counts = {};
for (const [title, call] of Object.entries({
  get: handle("GET", "/v1/books/b%201"),
  list: handle("GET", "/v1/books?q=hello+world&pageSize=5"),
  insert: handle("POST", "/v1/books"),
})) {
  const { status } = await call();
  if (status !== 200) throw new Error(`${title}: ${status}`);
  counts[title] = await probe(call, name);
}
await overNode();
if (!text.startsWith("HTTP/1.1 200")) throw new Error(text);
const { allocated: _, ...rest } = await probe(overNode, name);
counts["node:http get"] = rest;
console.log(JSON.stringify(counts));
process.exit();
