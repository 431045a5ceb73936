// Counts the work of calls of a client, as JSON: node client-probe.mjs <client.mjs>
import { createServer } from "node:http";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { probe } from "./probe.mjs";

const [file] = process.argv.slice(2);
const { createBooks, createClient, get, list, nodeTransport } = await import(
  pathToFileURL(file).href
);
const one = JSON.stringify({ id: "1", title: "A title", size: "12" });
const many = JSON.stringify({ items: [{ id: "1" }, { id: "2" }] });

const fields = new Headers({ "content-type": "application/json" });

/** Response without objects of the web, so that only those of the client count. */
const respond = (url) => ({
  ok: true,
  status: 200,
  url,
  headers: fields,
  text: async () => (url.includes("?") ? many : one),
  json: async () => JSON.parse(url.includes("?") ? many : one),
});
let headers = 0;
const fetch = async (url, init) => {
  headers = Object.keys(init.headers).length;
  return respond(String(url));
};
const options = { fetch, auth: () => "token" };
const client = createClient(options);
const books = createBooks(options);
const id = (at) => ({ book: `b${at}` });
const query = (at) => ({ q: `q${at}`, pageSize: 10 });

const server = createServer((request, response) => {
  response.setHeader("content-type", "application/json");
  response.end(one);
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const rootUrl = `http://127.0.0.1:${server.address().port}/`;
const node = createBooks({ rootUrl, auth: "t", transport: nodeTransport() });

const name = path.basename(file);
const counts = {};
for (const [title, call] of Object.entries({
  "flat get": (at) => get(client, id(at)),
  "flat list": (at) => list(client, query(at)),
  "createBooks get": (at) => books.books.get(id(at)),
  "createBooks list": (at) => books.books.list(query(at)),
  "node transport get": (at) => node.books.get(id(at)),
})) {
  const { title: read, items } = await call(0);
  if (read === undefined && items === undefined) throw new Error(title);
  counts[title] = await probe(call, name);
  // Includes those of Node and of the server in this process.
  if (title.startsWith("node")) delete counts[title].allocated;
  else counts[title].headers = headers;
}
console.log(JSON.stringify(counts));
process.exit();
