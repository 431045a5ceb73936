/* eslint-disable */
// biome-ignore-all lint: generated

import { isPending } from "./eventually.js";
import {
  NodeIncoming,
  type Around,
  type NodeRequest,
  type NodeResponse,
} from "./node-request.js";
import type { AnswerBody, Outgoing } from "./request.js";
import type { Server } from "./server.js";

export type { NodeRequest, NodeResponse } from "./node-request.js";

/** A listener for Node's `http.createServer`; no Request or Response is made on the way. */
export function toNodeListener(
  server: Pick<Server, "handle">,
): (request: NodeRequest, response: NodeResponse) => void {
  return (request, response) => answerNode(server, request, response);
}

/** Answers a request of `node:http`, by way of a framework or without one. */
export function answerNode(
  server: Pick<Server, "handle">,
  request: NodeRequest,
  response: NodeResponse,
  around?: Around,
): void {
  const incoming = new NodeIncoming(request, response, around);
  const answer = server.handle(incoming);
  if (isPending(answer))
    void answer.then((later) => trySend(later, incoming, response));
  else trySend(answer, incoming, response);
}

/** Length of a text in UTF-8, counted without making its bytes where Node is at hand. */
const byteLength: (text: string) => number =
  (
    globalThis as {
      readonly Buffer?: { byteLength(text: string): number };
    }
  ).Buffer?.byteLength ?? ((text) => new TextEncoder().encode(text).length);

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
  { status, headers, body }: Outgoing,
  incoming: NodeIncoming,
  response: NodeResponse,
): void {
  if (response.destroyed) return leave(body);
  // What the handler did not read is thrown away, up to a point.
  incoming.drain();
  const all: Record<string, string | number> = headers;
  const isHead = incoming.method === "HEAD";
  if (typeof body === "string" || body instanceof Uint8Array) {
    all["content-length"] ??=
      typeof body === "string" ? byteLength(body) : body.length;
    response.writeHead(status, all);
    response.end(isHead ? undefined : body);
  } else if (body === undefined || isHead) {
    if (body === undefined && status !== 204 && status !== 304)
      all["content-length"] ??= "0";
    response.writeHead(status, all);
    response.end();
    leave(body);
  } else {
    response.writeHead(status, all);
    void stream(body, response);
  }
}

/** Tells a stream that nobody will read it. */
function leave(body: AnswerBody | undefined): void {
  const isStream = typeof body === "object" && !(body instanceof Uint8Array);
  if (!isStream) return;
  void Promise.resolve(body[Symbol.asyncIterator]().return?.()).catch(() => {});
}

/** Writes a stream no faster than the caller reads; stops when the caller is gone. */
async function stream(
  body: AsyncIterable<Uint8Array | string>,
  response: NodeResponse,
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
    response.end();
  } catch {
    // Too late for an error: the caller sees a connection that broke off.
    response.destroy();
  }
}
