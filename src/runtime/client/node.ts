import { createNodeResponse } from "./node/response.js";
import { builtin, type NodeMessage } from "./node/builtin.js";
import { followRedirects } from "./follow-redirects.js";
import {
  mergeHeaders,
  type HeadersLike,
  type PlainHeaders,
} from "./headers.js";
import type { Fetch } from "./options.js";

/** Settings of the transport. */
export interface NodeTransportOptions {
  /** Redirects of GET and HEAD that are followed. Default: 5. */
  readonly redirects?: number | undefined;
  /** Connections to one server at most. Default: no limit. */
  readonly maxSockets?: number | undefined;
  /** Others of Node's `https.Agent`, such as `cert` and `key`. */
  readonly [option: string]: unknown;
}

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
  const exchange: Fetch = async (text, init) => {
    const url = new URL(text);
    const { protocol } = url;
    if (protocol !== "http:" && protocol !== "https:")
      throw new TypeError("the URL is not one of http");
    return createNodeResponse(
      await send(url, init, protocol, agents[protocol]),
      init.method,
    );
  };
  const follow = followRedirects(exchange, redirects);
  return (url, init) => {
    if (init.redirect === "manual") return exchange(url, init);
    const { redirect: _, ...rest } = init;
    return follow(url, { ...rest, headers: headersOf(init) });
  };
}

function headersOf({ headers }: RequestInit): PlainHeaders {
  return mergeHeaders(headers as HeadersLike | undefined);
}

/** Sends one request; resolves when the head of the answer is there. */
function send(
  url: URL,
  init: RequestInit,
  protocol: "http:" | "https:",
  agent: object,
): Promise<NodeMessage> {
  const { method = "GET", body, signal } = init;
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const fields: Record<string, string> = {
      accept: "*/*",
      "accept-encoding": "gzip, deflate, br",
      ...headersOf(init),
    };
    const content = contentOf(body, method, fields);
    const { request: open } = builtin(
      `node:${protocol === "https:" ? "https" : "http"}`,
    );
    const request = open({ ...addressOf(url), method, headers: fields, agent });
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
    if (content == null || typeof content === "string" || isBytes(content))
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
function addressOf({
  protocol,
  hostname,
  port,
  pathname,
  search,
}: URL): object {
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
    typeof body === "string" ? new TextEncoder().encode(body) : body;
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
