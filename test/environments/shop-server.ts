import {
  createServer,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";

/** Server of shop.v1.json for clients of any origin. */
export interface ShopServer {
  readonly root: string;
  close(): Promise<void>;
}

/** Request with its body, and the state of the server. */
interface Exchange {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
  readonly response: ServerResponse;
  readonly state: State;
}

interface State {
  /** Bytes received by sessions, by path. */
  readonly sessions: Map<string, { type: string; name: string; data: Buffer }>;
  /** Number of requests by path. */
  readonly counts: Map<string, number>;
}

/** Media of items: repeated bytes from 0 to 255. */
export const mediaSize = 100_000;
const media = Buffer.from(Uint8Array.from({ length: mediaSize }, (_, i) => i));

export async function startShop(): Promise<ShopServer> {
  const state: State = { sessions: new Map(), counts: new Map() };
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
    const { method = "", url = "", headers } = request;
    const whole = new URL(url, `http://${headers.host}`);
    const body = Buffer.concat(parts);
    allowAll(response);
    if (method == "OPTIONS") return void response.writeHead(204).end();
    handle({ method, url: whole, headers, body, response, state });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    root: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close() {
      server.closeAllConnections();
      return new Promise((done) => void server.close(() => done()));
    },
  };
}

/** CORS headers for pages of another origin. */
function allowAll(response: ServerResponse): void {
  const headers = {
    "access-control-allow-origin": "*",
    "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE",
    "access-control-allow-headers":
      "authorization, content-type, content-range, range, if-range, x-upload-content-type, x-upload-content-length",
    "access-control-expose-headers": "location, range, content-range, etag",
  };
  for (const [name, value] of Object.entries(headers))
    response.setHeader(name, value);
}

function handle(exchange: Exchange): void {
  const { pathname, searchParams } = exchange.url;
  if (searchParams.has("uploadType")) return upload(exchange);
  if (pathname.startsWith("/session/")) return store(exchange);
  if (pathname.startsWith("/batch/")) return batch(exchange);
  const [, what = "", id = ""] = /^\/shop\/v1\/(\w+)\/?(.*)$/.exec(pathname)!;
  if (what == "items") return item(exchange, decodeURIComponent(id));
  if (what == "questions") return events(exchange);
  if (what == "orders")
    return send(exchange, { name: `operations/${count(exchange)}` });
  if (what == "operations") {
    const done = count(exchange) > 1;
    const response = done ? { id: "order" } : undefined;
    return send(exchange, { name: `operations/${id}`, done, response });
  }
  refuse(exchange, 404);
}

/** Counts the requests of this path, including the current one. */
function count({ state: { counts }, url }: Exchange): number {
  const times = (counts.get(url.pathname) ?? 0) + 1;
  counts.set(url.pathname, times);
  return times;
}

function item(exchange: Exchange, id: string): void {
  const { method, url, response, body } = exchange;
  if (method == "POST") return send(exchange, JSON.parse(body.toString()));
  if (method == "DELETE") return void response.writeHead(204).end();
  if (!id) return list(exchange, Number(url.searchParams.get("pageToken")));
  if (id == "hang") return;
  if (id == "cut") return void response.destroy();
  if (id.startsWith("none")) return refuse(exchange, 404);
  if (id.startsWith("busy") && count(exchange) % 3) {
    response.setHeader("retry-after", "0");
    return refuse(exchange, 503);
  }
  if (url.searchParams.get("alt") == "media") return download(exchange);
  send(exchange, { id, name: "Ä" });
}

function list(exchange: Exchange, from: number): void {
  const items = [1, 2].map((at) => ({ id: `${from + at}` }));
  const nextPageToken = from < 4 ? `${from + 2}` : undefined;
  send(exchange, { items, nextPageToken });
}

function download({ headers, response }: Exchange): void {
  const type = { "content-type": "application/octet-stream", etag: '"1"' };
  const range = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "");
  if (!range) return void response.writeHead(200, type).end(media);
  const [from, to] = [Number(range[1]), Number(range[2])];
  const part = media.subarray(from, to + 1);
  response.writeHead(206, {
    ...type,
    "content-length": part.length,
    "content-range": `bytes ${from}-${to}/${media.length}`,
  });
  response.end(part);
}

/** Handles simple and multipart uploads, and starts resumable ones. */
function upload(exchange: Exchange): void {
  const { url, headers, body, state, response } = exchange;
  const { "content-type": type = "" } = headers;
  const kind = url.searchParams.get("uploadType");
  if (kind == "media") return stored(exchange, type, "", body);
  if (kind == "multipart") {
    const text = body.toString("latin1");
    const boundary = `--${/boundary=(\S+)/.exec(type)?.[1]}`;
    const [, metadata = "", content = ""] = text.split(boundary);
    const [head = "", ...rest] = content.split("\r\n\r\n");
    const data = Buffer.from(rest.join("\r\n\r\n").slice(0, -2), "latin1");
    const { name } = JSON.parse(metadata.slice(metadata.indexOf("{")));
    return stored(exchange, /: (.*)/.exec(head)?.[1] ?? "", name, data);
  }
  const path = `/session/${state.sessions.size}`;
  const { name = "" } = JSON.parse(body.toString() || "{}");
  const mime = String(headers["x-upload-content-type"]);
  state.sessions.set(path, { type: mime, name, data: Buffer.alloc(0) });
  response.setHeader("location", path);
  send(exchange, undefined);
}

/** Handles a chunk of a session. */
function store(exchange: Exchange): void {
  const { url, headers, body, state, response } = exchange;
  const session = state.sessions.get(url.pathname);
  const range = /(\d+)-\d+\/(\d+|\*)$|\*\/(\d+|\*)$/.exec(
    headers["content-range"] ?? "",
  );
  if (!session || !range) return refuse(exchange, 404);
  const [, from, total, asked] = range;
  if (from && Number(from) == session.data.length)
    session.data = Buffer.concat([session.data, body]);
  const { type, name, data } = session;
  if (data.length == Number(total ?? asked))
    return stored(exchange, type, name, data);
  if (data.length) response.setHeader("range", `bytes=0-${data.length - 1}`);
  response.writeHead(308).end();
}

function stored(
  exchange: Exchange,
  type: string,
  name: string,
  data: Buffer,
): void {
  const sum = data.reduce((all, byte) => (all * 31 + byte) >>> 0, 0);
  send(exchange, { name, type, size: String(data.length), sum });
}

/** Events split within a character, at line ends, and after a comment. */
function events(exchange: Exchange): void {
  const { body, response } = exchange;
  const { text, stream } = JSON.parse(body.toString());
  if (!stream) return send(exchange, { text });
  response.setHeader("content-type", "text/event-stream");
  const all = Buffer.from(
    `: hello\r\n\r\n${[...text].map((char) => `data: {"text":"${char}"}\r\n\r\n`).join("")}data: [DONE]\r\n\r\n`,
  );
  let at = 0;
  const next = () => {
    response.write(all.subarray(at, (at += 7)));
    if (at < all.length) setTimeout(next, 1);
    else if (!text.startsWith("endless")) response.end();
  };
  next();
}

/** Handles GET of items, in reverse order. */
function batch({ body, headers, response }: Exchange): void {
  const boundary = /boundary=(\S+)/.exec(headers["content-type"] ?? "")?.[1];
  const calls = body.toString().split(`--${boundary}`).slice(1, -1);
  const parts = calls.map((call) => {
    const id = /^content-id: <(.*)>/im.exec(call)?.[1];
    const item = /^GET \/shop\/v1\/items\/(\w+) /m.exec(call)?.[1];
    const status = item == "none" ? "404 Not Found" : "200 OK";
    const value = item == "none" ? { error: { code: 404 } } : { id: item };
    return `--b\r\nContent-Type: application/http\r\nContent-ID: <response-${id}>\r\n\r\nHTTP/1.1 ${status}\r\nContent-Type: application/json\r\n\r\n${JSON.stringify(value)}\r\n`;
  });
  response.setHeader("content-type", "multipart/mixed; boundary=b");
  response.end(`${parts.reverse().join("")}--b--`);
}

function send({ response }: Exchange, value: unknown): void {
  if (value === undefined) return void response.end();
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(value));
}

function refuse({ response }: Exchange, code: number): void {
  const errors = [{ reason: "sorry", domain: "global" }];
  const error = { code, message: "not now", status: "SORRY", errors };
  response.writeHead(code, { "content-type": "application/json" });
  response.end(JSON.stringify({ error }));
}
