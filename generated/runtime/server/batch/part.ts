/* eslint-disable */
// biome-ignore-all lint: generated

import { ApiError } from "../error.js";
import { byteLength, decodeUtf8, readAll } from "../bodies/read.js";
import type { Incoming, Outgoing } from "../request.js";

/** Returns the error for a part that is not an HTTP request. */
export function malformedCall(): ApiError {
  return new ApiError(400, "The part is not an HTTP request.");
}

/**
 * Returns the error for a call whose response exceeds the batch's memory
 * budget.
 */
export function responsesTooLarge(): ApiError {
  return new ApiError(413, "The responses of the batch exceed the size limit.");
}

/**
 * Response to a call, as a part of the batch response. Its head and body are
 * concatenated only when they are sent, to save memory.
 */
export interface WrittenResponse {
  readonly head: string;
  readonly body: string;
  /** Size of the head and body in bytes. */
  readonly size: number;
}

/**
 * Formats the response to a call as a part of the batch response. The headers
 * of the part and the headers of the response must each be followed by an empty
 * line, because some clients fail without it.
 */
export function writeResponsePart(
  id: string | undefined,
  { status, headers, body }: Outgoing,
): WrittenResponse {
  const text = textOf(body);
  const length = byteLength(text);
  const allHeaders = { ...headers, "content-length": String(length) };
  const head = [
    "content-type: application/http\r\n",
    id === undefined ? "" : `content-id: ${responseId(id)}\r\n`,
    "\r\n",
    `HTTP/1.1 ${status} ${REASONS[status] ?? "Unknown"}\r\n`,
    ...Object.entries(allHeaders).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    ),
    "\r\n",
  ].join("");
  return { head, body: text, size: byteLength(head) + length };
}

function textOf(body: Outgoing["body"]): string {
  if (typeof body === "string") return body;
  return body instanceof Uint8Array ? new TextDecoder().decode(body) : "";
}

/**
 * Returns the content ID of a response: `<response-ID>` for the request `<ID>`.
 */
function responseId(id: string): string {
  return id.startsWith("<") ? `<response-${id.slice(1)}` : `response-${id}`;
}

const REASONS: Readonly<Record<number, string>> = {
  200: "OK",
  201: "Created",
  204: "No Content",
  304: "Not Modified",
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  409: "Conflict",
  412: "Precondition Failed",
  413: "Payload Too Large",
  429: "Too Many Requests",
  500: "Internal Server Error",
  501: "Not Implemented",
  503: "Service Unavailable",
};

/**
 * Adapts a call in a batch to the `Incoming` interface. A call inherits the
 * headers of the batch request, except `accept-encoding`: responses are
 * embedded as text and can't be compressed.
 */
export class PartIncoming implements Incoming {
  readonly method: string;
  readonly target: string;
  readonly origin: string;
  readonly mount: string | undefined;
  readonly remoteAddress: string | undefined;
  readonly raw: unknown;
  readonly isPart = true;
  readonly #headers: ReadonlyMap<string, string>;
  readonly #body: Uint8Array;
  readonly #outer: Incoming;

  constructor(
    method: string,
    target: string,
    headers: ReadonlyMap<string, string>,
    body: Uint8Array,
    outer: Incoming,
  ) {
    this.method = method;
    this.target = target;
    this.#headers = headers;
    this.#body = body;
    this.#outer = outer;
    this.origin = outer.origin;
    this.mount = outer.mount;
    this.remoteAddress = outer.remoteAddress;
    this.raw = outer.raw;
  }

  get signal(): AbortSignal {
    return this.#outer.signal;
  }

  header(name: string): string | undefined {
    if (name === "accept-encoding") return undefined;
    const partValue = this.#headers.get(name);
    if (partValue !== undefined || BODY_HEADERS.test(name)) return partValue;
    return this.#outer.header(name);
  }

  async text(limit: number): Promise<string> {
    return decodeUtf8(await readAll(this.chunks(), limit));
  }

  async *chunks(): AsyncIterable<Uint8Array> {
    if (this.#body.length > 0) yield this.#body;
  }
}

/**
 * Matches the names of headers that describe the body of the batch request.
 * Calls do not inherit these headers.
 */
const BODY_HEADERS = /^(?:content-|transfer-encoding$|expect$)/;
