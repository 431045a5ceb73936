/* eslint-disable */
// biome-ignore-all lint: generated

import { isPending } from "./maybe-promise.js";
import type {
  AdapterContext,
  NodeRequest,
  NodeResponse,
} from "./adapters/contract.js";
import { NodeIncoming } from "./adapters/node-incoming.js";
import { byteLength } from "./bodies/read.js";
import { isStream, type ResponseBody, type Outgoing } from "./request.js";
import type { Server } from "./server.js";

export type { NodeRequest, NodeResponse } from "./adapters/contract.js";

/** Options of a Node listener. */
export interface NodeListenerOptions {
  /**
   * Host names that are allowed in the `Host` header, without port, such as
   * `localhost` or `[::1]`. Other requests are rejected with 421. This protects
   * servers on the loopback interface from DNS rebinding: an attacker's web
   * page can send requests to the server if the attacker's domain resolves to
   * 127.0.0.1. Use {@link LOOPBACK_HOSTS} for such servers. Default: all host
   * names.
   */
  readonly hosts?: readonly string[] | undefined;
}

/** Host names of the loopback interface. */
export const LOOPBACK_HOSTS: readonly string[] = [
  "localhost",
  "127.0.0.1",
  "[::1]",
];

/**
 * Returns a listener for Node's `http.createServer`. The listener does not
 * create `Request` and `Response` objects of the Fetch standard, because
 * creating them takes additional time.
 */
export function toNodeListener(
  server: Pick<Server, "handle">,
  { hosts }: NodeListenerOptions = {},
): (request: NodeRequest, response: NodeResponse) => void {
  if (hosts === undefined)
    return (request, response) => handleNode(server, request, response);
  const known = new Set(hosts.map((host) => host.toLowerCase()));
  const refusing = { handle: () => misdirected() };
  return (request, response) => {
    const isKnown = known.has(hostName(request.headers["host"]));
    handleNode(isKnown ? server : refusing, request, response);
  };
}

/** Returns the host name in a `Host` header in lower case, without the port. */
function hostName(header: string | readonly string[] | undefined): string {
  return String(header).replace(/:\d*$/, "").toLowerCase();
}

function misdirected(): Outgoing {
  const message = "The server does not accept this host name.";
  return {
    status: 421,
    headers: { "content-type": "application/json; charset=utf-8" },
    body: JSON.stringify({ error: { code: 421, message } }),
  };
}

/**
 * Handles a `node:http` request, received directly or through a framework.
 *
 * @param context values from a framework. They override the values in the
 *   request.
 */
export function handleNode(
  server: Pick<Server, "handle">,
  request: NodeRequest,
  response: NodeResponse,
  context?: AdapterContext,
): void {
  const incoming = new NodeIncoming(request, response, context);
  const outgoing = server.handle(incoming);
  if (isPending(outgoing))
    void outgoing.then((settled) => trySend(settled, incoming, response));
  else trySend(outgoing, incoming, response);
}

/**
 * Sends a response. If a header can't be sent, the connection is closed,
 * because an uncaught exception would end the process.
 */
function trySend(
  outgoing: Outgoing,
  incoming: NodeIncoming,
  response: NodeResponse,
): void {
  try {
    send(outgoing, incoming, response);
  } catch {
    response.destroy();
    closeBody(outgoing.body);
  }
}

function send(
  outgoing: Outgoing,
  incoming: NodeIncoming,
  response: NodeResponse,
): void {
  if (response.destroyed) return closeBody(outgoing.body);
  const { unread } = incoming;
  // After status 408, the connection is closed immediately, because the rest of
  // the request would also be received too slowly.
  if (unread === "none" || outgoing.status === 408)
    writeOutgoing(outgoing, incoming, response, endResponse);
  else sendEarly(outgoing, incoming, response, unread === "little");
}

/** Function that ends a response, optionally after a last chunk. */
type EndResponse = (
  response: NodeResponse,
  chunk?: string | Uint8Array,
) => void;

const endResponse: EndResponse = (response, chunk) => response.end(chunk);

function writeOutgoing(
  { status, headers, body }: Outgoing,
  incoming: NodeIncoming,
  response: NodeResponse,
  finish: EndResponse,
): void {
  const allHeaders: Record<string, string | number> = headers;
  const isHead = incoming.method === "HEAD";
  if (typeof body === "string" || body instanceof Uint8Array) {
    allHeaders["content-length"] ??=
      typeof body === "string" ? byteLength(body) : body.length;
    response.writeHead(status, allHeaders);
    finish(response, isHead ? undefined : body);
  } else if (body === undefined || isHead) {
    if (body === undefined && status !== 204 && status !== 304)
      allHeaders["content-length"] ??= "0";
    response.writeHead(status, allHeaders);
    finish(response);
    closeBody(body);
  } else {
    response.writeHead(status, allHeaders);
    void writeStream(body, response, finish);
  }
}

/**
 * Sends a response before the request has been read completely. The rest of the
 * request is discarded before the response ends. Therefore, the connection can
 * be reused, and a client that sends the complete request before it reads still
 * receives the response (RFC 9112 §9.6).
 */
function sendEarly(
  outgoing: Outgoing,
  incoming: NodeIncoming,
  response: NodeResponse,
  keepsConnection: boolean,
): void {
  if (!keepsConnection) outgoing.headers["connection"] = "close";
  let isSent = false;
  let isRead: boolean | undefined;
  const close = (): void => {
    if (!isSent || isRead === undefined) return;
    // The connection is closed, because unread bytes would be parsed as the
    // next request.
    if (!isRead) response.once("finish", () => incoming.raw.destroy());
    response.end();
  };
  writeOutgoing(outgoing, incoming, response, (_, chunk) => {
    if (chunk === undefined) response.flushHeaders?.();
    else response.write(chunk);
    isSent = true;
    close();
  });
  incoming.drain((wasRead) => {
    isRead = wasRead;
    close();
  });
}

/** Closes the stream of a response that will not be sent. */
function closeBody(body: ResponseBody | undefined): void {
  if (!isStream(body)) return;
  void Promise.resolve(body[Symbol.asyncIterator]().return?.()).catch(() => {});
}

/**
 * Writes a stream at the speed at which the caller receives it. Stops if the
 * caller disconnects.
 */
async function writeStream(
  body: AsyncIterable<Uint8Array | string>,
  response: NodeResponse,
  finish: EndResponse,
): Promise<void> {
  let isClosed = false;
  let wake: (() => void) | undefined;
  response.on("close", () => {
    isClosed = true;
    wake?.();
  });
  response.on("drain", () => wake?.());
  try {
    for await (const chunk of body) {
      if (isClosed) return;
      if (response.write(chunk)) continue;
      await new Promise<void>((resolve) => (wake = resolve));
    }
    finish(response);
  } catch {
    // The headers have already been sent, so the error can be signaled only by
    // closing the connection.
    response.destroy();
  }
}
