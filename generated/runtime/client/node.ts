/* eslint-disable */
// biome-ignore-all lint: generated

import { createNodeResponse } from "./node/response.js";
import { builtin, type NodeHttp, type NodeRequest } from "./node/builtin.js";
import { followRedirects } from "./follow-redirects.js";
import {
  mergeHeaders,
  type HeadersLike,
  type PlainHeaders,
} from "./headers.js";
import type { Fetch } from "./options.js";

/** Options of `nodeTransport`, the transport for Node. */
export interface NodeTransportOptions {
  /**
   * Maximum number of redirects of GET and HEAD requests that are followed.
   * Default: 5.
   */
  readonly redirects?: number | undefined;
  /** Maximum number of connections to one server. Default: no limit. */
  readonly maxSockets?: number | undefined;
  /** Other options of Node's `https.Agent`, such as `cert` and `key`. */
  readonly [option: string]: unknown;
}

/**
 * Creates a transport that uses Node's modules `http` and `https`. It keeps
 * connections alive and is several times faster than `fetch`. When a stream is
 * uploaded, at most a few chunks are in memory.
 *
 *     createDrive({ transport: nodeTransport() })
 *
 * @throws TypeError on platforms other than Node.
 */
export function nodeTransport(options: NodeTransportOptions = {}): Fetch {
  const { redirects = 5, ...rest } = options;
  const settings = { keepAlive: true, scheduling: "lifo", ...rest };
  const schemes: Schemes = {
    "http:": schemeOf(builtin("node:http"), settings),
    "https:": schemeOf(builtin("node:https"), settings),
  };
  const exchange: Fetch = (url, init) => send(schemes, url, init);
  const follow = followRedirects(exchange, redirects);
  return async (url, init) => {
    const { headers, redirect } = init;
    const isManual = redirect === "manual";
    // Uses Object.assign, because in V8, adding a property to a copy made with
    // spread syntax is slow (0.5 µs).
    const request = Object.assign({}, init, {
      redirect: isManual ? redirect : undefined,
      headers: mergeHeaders(headers as HeadersLike | undefined),
    }) as RequestInit;
    return isManual ? exchange(url, request) : follow(url, request);
  };
}

/**
 * Request function and connection agent for one URL scheme, `http` or `https`.
 */
interface Scheme {
  readonly open: NodeHttp["request"];
  readonly agent: object;
}

type Schemes = Readonly<Record<string, Scheme | undefined>>;

function schemeOf(
  { request: open, Agent }: NodeHttp,
  settings: object,
): Scheme {
  return { open, agent: new Agent(settings) };
}

/**
 * Sends one request, whose headers are a plain object. Resolves when the status
 * and headers of the response have been received.
 */
function send(
  schemes: Schemes,
  text: string,
  { method = "GET", body, headers, signal }: RequestInit,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const { protocol, hostname, port, pathname, search } = new URL(text);
    const scheme = schemes[protocol];
    if (!scheme) throw new TypeError("the URL must be an http(s) URL");
    const fields: Record<string, string> = Object.assign(
      { accept: "*/*", "accept-encoding": "gzip, deflate, br" },
      headers as PlainHeaders,
    );
    const content = contentOf(body, method, fields);
    // The URL is passed as separate properties, because Node processes them
    // faster than a URL object.
    const request = scheme.open({
      protocol,
      host: hostname.replace(/^\[|\]$/g, ""),
      port,
      path: pathname + search,
      method,
      headers: fields,
      agent: scheme.agent,
    });
    if (signal) abortWith(request, signal);
    request.on("response", (message) =>
      resolve(createNodeResponse(message, method)),
    );
    request.on("error", reject);
    if (content == null || typeof content === "string" || isBytes(content))
      request.end((content ?? undefined) as string | Uint8Array | undefined);
    else {
      const stream = builtin("node:stream").Readable.from(content);
      stream.once("error", (error) => request.destroy(error));
      // The stream must also be destroyed if the response is received before
      // the body has been sent completely.
      request.on("close", () => stream.destroy());
      stream.pipe(request);
    }
  });
}

/**
 * Aborts a request when the signal is aborted, also while the response body is
 * being read.
 */
function abortWith(request: NodeRequest, signal: AbortSignal): void {
  const stop = () => request.destroy(signal.reason);
  const removeListener = () => signal.removeEventListener("abort", stop);
  signal.addEventListener("abort", stop);
  request.on("response", (message) => message.on("close", removeListener));
  request.on("error", removeListener);
}

/**
 * Returns the content to send. Sets `content-length` in `headers` if the length
 * is known.
 */
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
