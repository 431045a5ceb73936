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

/** Settings of a listener. */
export interface NodeListenerOptions {
  /**
   * Names in `Host` (without port, such as `localhost` or `[::1]`) under which
   * the server may be called; requests with others are answered by 421. For
   * servers on the loopback interface, which pages of foreign sites reach when
   * they let their own name point to it (DNS rebinding); see
   * {@link LOOPBACK_HOSTS}. Default: all.
   */
  readonly hosts?: readonly string[] | undefined;
}

/** Names of the loopback interface. */
export const LOOPBACK_HOSTS: readonly string[] = [
  "localhost",
  "127.0.0.1",
  "[::1]",
];

/** A listener for Node's `http.createServer`; no Request or Response is made on the way. */
export function toNodeListener(
  server: Pick<Server, "handle">,
  { hosts }: NodeListenerOptions = {},
): (request: NodeRequest, response: NodeResponse) => void {
  if (hosts === undefined)
    return (request, response) => answerNode(server, request, response);
  const known = new Set(hosts.map((host) => host.toLowerCase()));
  const refusing = { handle: () => misdirected() };
  return (request, response) => {
    const isKnown = known.has(hostName(request.headers["host"]));
    answerNode(isKnown ? server : refusing, request, response);
  };
}

/** Name in a `Host` header, without its port, in lower case. */
function hostName(header: string | readonly string[] | undefined): string {
  return String(header).replace(/:\d*$/, "").toLowerCase();
}

function misdirected(): Outgoing {
  const message = "The server is not called by this host name.";
  return {
    status: 421,
    headers: { "content-type": "application/json; charset=utf-8" },
    body: JSON.stringify({ error: { code: 421, message } }),
  };
}

/** Answers a request of `node:http`, by way of a framework or without one. */
export function answerNode(
  server: Pick<Server, "handle">,
  request: NodeRequest,
  response: NodeResponse,
  around?: AdapterContext,
): void {
  const incoming = new NodeIncoming(request, response, around);
  const answer = server.handle(incoming);
  if (isPending(answer))
    void answer.then((later) => trySend(later, incoming, response));
  else trySend(answer, incoming, response);
}

/** A header that can't be sent must not end the process. */
function trySend(
  answer: Outgoing,
  incoming: NodeIncoming,
  response: NodeResponse,
): void {
  try {
    send(answer, incoming, response);
  } catch {
    response.destroy();
    leave(answer.body);
  }
}

function send(
  answer: Outgoing,
  incoming: NodeIncoming,
  response: NodeResponse,
): void {
  if (response.destroyed) return leave(answer.body);
  const { unread } = incoming;
  // A client that is too slow was waited for long enough.
  if (unread === "none" || answer.status === 408)
    write(answer, incoming, response, end);
  else sendEarly(answer, incoming, response, unread === "little");
}

/** Writes the last piece of a response, if any, and ends it. */
type End = (response: NodeResponse, chunk?: string | Uint8Array) => void;

const end: End = (response, chunk) => response.end(chunk);

function write(
  { status, headers, body }: Outgoing,
  incoming: NodeIncoming,
  response: NodeResponse,
  finish: End,
): void {
  const all: Record<string, string | number> = headers;
  const isHead = incoming.method === "HEAD";
  if (typeof body === "string" || body instanceof Uint8Array) {
    all["content-length"] ??=
      typeof body === "string" ? byteLength(body) : body.length;
    response.writeHead(status, all);
    finish(response, isHead ? undefined : body);
  } else if (body === undefined || isHead) {
    if (body === undefined && status !== 204 && status !== 304)
      all["content-length"] ??= "0";
    response.writeHead(status, all);
    finish(response);
    leave(body);
  } else {
    response.writeHead(status, all);
    void stream(body, response, finish);
  }
}

/**
 * Sends a response before all of the request was read. The rest is read and
 * forgotten before the response ends: the connection can be used again, and a
 * client who first sends all gets to read the response (RFC 9112 §9.6).
 */
function sendEarly(
  answer: Outgoing,
  incoming: NodeIncoming,
  response: NodeResponse,
  isKept: boolean,
): void {
  if (!isKept) answer.headers["connection"] = "close";
  let isSent = false;
  let isRead: boolean | undefined;
  const close = (): void => {
    if (!isSent || isRead === undefined) return;
    // What was not read would be taken for the next request.
    if (!isRead) response.once("finish", () => incoming.raw.destroy());
    response.end();
  };
  write(answer, incoming, response, (_, chunk) => {
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

/** Tells a stream that nobody will read it. */
function leave(body: ResponseBody | undefined): void {
  if (!isStream(body)) return;
  void Promise.resolve(body[Symbol.asyncIterator]().return?.()).catch(() => {});
}

/** Writes a stream no faster than the caller reads; stops when the caller is gone. */
async function stream(
  body: AsyncIterable<Uint8Array | string>,
  response: NodeResponse,
  finish: End,
): Promise<void> {
  let isGone = false;
  let wake: (() => void) | undefined;
  response.on("close", () => {
    isGone = true;
    wake?.();
  });
  response.on("drain", () => wake?.());
  try {
    for await (const chunk of body) {
      if (isGone) return;
      if (response.write(chunk)) continue;
      await new Promise<void>((resolve) => (wake = resolve));
    }
    finish(response);
  } catch {
    // Too late for an error: the caller sees a connection that broke off.
    response.destroy();
  }
}
