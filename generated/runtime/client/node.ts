/* eslint-disable */
// biome-ignore-all lint: generated

import { answerOf } from "./node/answer.js";
import { builtin, type NodeMessage } from "./node/builtin.js";
import { mergeHeaders, type HeadersLike } from "./headers.js";
import type { Fetch } from "./options.js";

/** Settings of the transport. */
export interface NodeTransportOptions {
  /** Redirects of GET and HEAD that are followed. Default: 5. */
  readonly redirects?: number;
  /** Connections to one server at most. Default: no limit. */
  readonly maxSockets?: number;
  /** Others of Node's `https.Agent`, such as `cert` and `key`. */
  readonly [option: string]: unknown;
}

type Exchange = (url: URL, init: RequestInit) => Promise<NodeMessage>;

/**
 * Makes a transport for servers on Node: its `http` and `https`, with
 * connections that are kept, at a fraction of the cost of `fetch`. Uploads of
 * streams hold no more than a few pieces in memory.
 *
 *     createDrive({ transport: nodeTransport() })
 *
 * @throws TypeError where there is no Node.
 */
export function nodeTransport(options: NodeTransportOptions = {}): Fetch {
  const { redirects = 5, ...rest } = options;
  const settings = { keepAlive: true, scheduling: "lifo", ...rest };
  const agents = {
    "http:": new (builtin("node:http").Agent)(settings),
    "https:": new (builtin("node:https").Agent)(settings),
  };
  const exchange: Exchange = (url, init) => {
    const { protocol } = url;
    if (protocol == "http:" || protocol == "https:")
      return send(url, init, protocol, agents[protocol]);
    throw new TypeError("the URL is not one of http");
  };
  return async (url, init) => travel(exchange, new URL(url), init, redirects);
}

/** Sends, and follows redirects. */
async function travel(
  exchange: Exchange,
  url: URL,
  init: RequestInit,
  left: number,
): Promise<Response> {
  const message = await exchange(url, init);
  const { location } = message.headers;
  const moved = /^30[12378]$/.test(String(message.statusCode)) && location;
  if (
    init.redirect == "manual" ||
    !moved ||
    !/^(GET|HEAD)$/.test(init.method ?? "GET")
  )
    return answerOf(message);
  message.resume();
  if (!left) throw new TypeError("too many redirects");
  const target = new URL(String(location), url);
  return travel(exchange, target, redirected(init, url, target), left - 1);
}

/** What goes to another server goes without credentials. */
function redirected(init: RequestInit, from: URL, to: URL): RequestInit {
  if (from.origin == to.origin) return init;
  if (from.protocol == "https:" && to.protocol != "https:")
    throw new TypeError("a redirect leaves https");
  const {
    authorization: _a,
    cookie: _c,
    ...headers
  } = mergeHeaders(init.headers as HeadersLike | undefined);
  return { ...init, headers };
}

/** Sends one request; resolves when the head of the answer is there. */
function send(
  url: URL,
  { method = "GET", headers, body, signal }: RequestInit,
  protocol: "http:" | "https:",
  agent: object,
): Promise<NodeMessage> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const fields: Record<string, string> = {
      accept: "*/*",
      "accept-encoding": "gzip, deflate, br",
      ...mergeHeaders(headers as HeadersLike | undefined),
    };
    const content = contentOf(body, method, fields);
    const { request: open } = builtin(
      `node:${protocol == "https:" ? "https" : "http"}`,
    );
    const request = open({ ...placeOf(url), method, headers: fields, agent });
    const stop = () => request.destroy(signal?.reason);
    const over = () => signal?.removeEventListener("abort", stop);
    signal?.addEventListener("abort", stop);
    request.once("response", (message) => {
      message.once("close", over);
      resolve(message);
    });
    request.once("error", (error) => {
      over();
      reject(error);
    });
    if (content == null || typeof content == "string" || isBytes(content))
      request.end((content ?? undefined) as string | Uint8Array | undefined);
    else {
      const stream = builtin("node:stream").Readable.from(content);
      stream.once("error", (error) => request.destroy(error));
      // Also of an answer that came before all was sent.
      request.once("close", () => stream.destroy());
      stream.pipe(request);
    }
  });
}

/** A URL as options, which costs Node a fraction of what an object of it does. */
function placeOf({ protocol, hostname, port, pathname, search }: URL): object {
  const host = hostname.replace(/^\[|\]$/g, "");
  return { protocol, host, port, path: pathname + search };
}

/** What is sent; its length goes into the headers where it is known. */
function contentOf(
  body: RequestInit["body"],
  method: string,
  headers: Record<string, string>,
): unknown {
  if (body == null && /^(GET|HEAD|DELETE)$/.test(method)) return body;
  const content =
    typeof body == "string" ? new TextEncoder().encode(body) : body;
  if (content == null) headers["content-length"] = "0";
  else if (isBytes(content)) headers["content-length"] = `${content.length}`;
  else if (content instanceof Blob) {
    headers["content-length"] = `${content.size}`;
    return content.stream();
  }
  return content;
}

function isBytes(content: unknown): content is Uint8Array {
  return content instanceof Uint8Array;
}
