import { ApiError } from "./error.js";
import { boundaryOf, broken, readParts, type Part } from "./multipart.js";
import type { ServerOptions } from "./options.js";
import { gather, mediaType } from "./read.js";
import type { Incoming, Outgoing } from "./request.js";

/** Calls in one batch, and bytes of all of it. */
const CALLS = 1000;
const BYTES = 100 * 1024 * 1024;

/** Calls of a batch that are at work at the same time. */
const AT_ONCE = 8;

/**
 * Answers several calls that come in one request (multipart/mixed of
 * application/http) through the same handlers. Imported by servers whose API
 * has a batch path.
 */
export async function batch(
  request: Incoming,
  options: ServerOptions,
  handle: (request: Incoming) => Promise<Outgoing>,
): Promise<Outgoing> {
  const type = request.header("content-type") ?? "";
  if (mediaType(type) !== "multipart/mixed")
    throw new ApiError(400, "A batch has to be multipart/mixed.");
  const calls = await readCalls(request, boundaryOf(type), options);
  const answers = await inOrder(calls, async (call) =>
    typeof call === "string"
      ? badCall(call)
      : write(call, await handle(call.request)),
  );
  const boundary = `batch_${crypto.randomUUID()}`;
  const body = answers.map((text) => `--${boundary}\r\n${text}\r\n`).join("");
  return {
    status: 200,
    headers: { "content-type": `multipart/mixed; boundary=${boundary}` },
    body: `${body}--${boundary}--`,
  };
}

/** A call of a batch with the id that its answer has to bear. */
interface BatchCall {
  readonly id: string | undefined;
  readonly request: Incoming;
}

/** The calls; a text for one that can't be read. */
async function readCalls(
  outer: Incoming,
  boundary: string,
  { limits = {} }: ServerOptions,
): Promise<(BatchCall | string)[]> {
  const most = limits.batch ?? CALLS;
  const calls: (BatchCall | string)[] = [];
  let left = BYTES;
  for await (const part of readParts(outer.chunks(), boundary)) {
    if (calls.length === most)
      throw new ApiError(400, `A batch has at most ${most} calls.`);
    const bytes = await gather(part.chunks(), Math.max(0, left));
    left -= bytes.length;
    calls.push(readCall(part, bytes, outer));
  }
  if (calls.length === 0) throw broken("The batch has no calls.");
  return calls;
}

const REQUEST_LINE =
  /^([A-Z]{1,20})[ \t]+(\S+)(?:[ \t]+HTTP\/\d(?:\.\d)?)?[ \t]*$/;

function readCall(
  part: Part,
  bytes: Uint8Array,
  outer: Incoming,
): BatchCall | string {
  const id = part.headers.get("content-id");
  const { lines, body } = splitHead(bytes);
  const match = REQUEST_LINE.exec(lines[0] ?? "");
  if (match === null) return id ?? "";
  const headers = new Map<string, string>();
  for (const line of lines.slice(1)) {
    const colon = line.indexOf(":");
    if (colon > 0)
      headers.set(
        line.slice(0, colon).trim().toLowerCase(),
        line.slice(colon + 1).trim(),
      );
  }
  const target = withQuery(pathOf(match[2]!), outer.target);
  return {
    id,
    request: new PartIncoming(match[1]!, target, headers, body, outer),
  };
}

/** Lines up to a blank one, and what follows it; lines end with CR LF or LF. */
function splitHead(bytes: Uint8Array): { lines: string[]; body: Uint8Array } {
  const lines: string[] = [];
  const decoder = new TextDecoder();
  let start = 0;
  for (;;) {
    const end = bytes.indexOf(10, start);
    const line = bytes.subarray(start, end === -1 ? bytes.length : end);
    const text = decoder.decode(line).replace(/\r$/, "");
    start = end === -1 ? bytes.length : end + 1;
    // Blank lines before the request line mean nothing.
    if (text !== "") lines.push(text);
    else if (lines.length > 0 || end === -1) break;
    if (end === -1) break;
  }
  return { lines, body: bytes.subarray(start) };
}

/** The path of a URL, which should be all that a part names. */
function pathOf(target: string): string {
  if (target.startsWith("/")) return target;
  const authority = /^https?:\/\/[^/?#]*/i.exec(target)?.[0];
  if (authority === undefined) return `/${target}`;
  const path = target.slice(authority.length);
  return path.startsWith("/") ? path : `/${path}`;
}

/** A part's query with those parameters of the batch's own that it lacks. */
function withQuery(target: string, outer: string): string {
  const mark = outer.indexOf("?");
  if (mark === -1) return target;
  const own = target.includes("?") ? target.slice(target.indexOf("?") + 1) : "";
  const names = new Set(own.split("&").map((pair) => pair.split("=", 1)[0]));
  const added = outer
    .slice(mark + 1)
    .split("&")
    .filter((pair) => pair !== "" && !names.has(pair.split("=", 1)[0]!));
  if (added.length === 0) return target;
  return `${target}${target.includes("?") ? "&" : "?"}${added.join("&")}`;
}

/** Results in the order of the items, some of them at work at once. */
async function inOrder<T, R>(
  items: readonly T[],
  run: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      const index = next++;
      results[index] = await run(items[index]!);
    }
  };
  await Promise.all(
    Array.from({ length: Math.min(AT_ONCE, items.length) }, worker),
  );
  return results;
}

function badCall(id: string): string {
  const message = "The part is no HTTP request.";
  const body = JSON.stringify({ error: { code: 400, message } });
  const answer: Outgoing = {
    status: 400,
    headers: { "content-type": "application/json; charset=utf-8" },
  };
  return part(id === "" ? undefined : id, answer, body);
}

async function write({ id }: BatchCall, answer: Outgoing): Promise<string> {
  return part(id, answer, await textOf(answer));
}

async function textOf({ body }: Outgoing): Promise<string> {
  if (body === undefined || typeof body === "string") return body ?? "";
  const decoder = new TextDecoder();
  if (body instanceof Uint8Array) return decoder.decode(body);
  let text = "";
  for await (const chunk of body)
    text +=
      typeof chunk === "string"
        ? chunk
        : decoder.decode(chunk, { stream: true });
  return text;
}

/** An answer as a part; some clients insist on every one of these line ends. */
function part(
  id: string | undefined,
  { status, headers }: Outgoing,
  body: string,
): string {
  const length = new TextEncoder().encode(body).length;
  const all = { ...headers, "content-length": String(length) };
  const head = Object.entries(all).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const lines = [
    "content-type: application/http\r\n",
    id === undefined ? "" : `content-id: ${responseId(id)}\r\n`,
    "\r\n",
    `HTTP/1.1 ${status} ${REASONS[status] ?? "Unknown"}\r\n`,
    ...head,
    "\r\n",
    body,
  ];
  return lines.join("");
}

/** `<response-…>` of `<…>`. */
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
  429: "Too Many Requests",
  500: "Internal Server Error",
  501: "Not Implemented",
  503: "Service Unavailable",
};

/** A call of a batch as a request of its own; it inherits the headers of the batch. */
class PartIncoming implements Incoming {
  readonly method: string;
  readonly target: string;
  readonly origin: string;
  readonly remoteAddress: string | undefined;
  readonly raw: unknown;
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
    this.remoteAddress = outer.remoteAddress;
    this.raw = outer.raw;
  }

  get signal(): AbortSignal {
    return this.#outer.signal;
  }

  header(name: string): string | undefined {
    const own = this.#headers.get(name);
    if (own !== undefined || OWN.test(name)) return own;
    return this.#outer.header(name);
  }

  async text(limit: number): Promise<string> {
    return new TextDecoder().decode(await gather(this.chunks(), limit));
  }

  async *chunks(): AsyncIterable<Uint8Array> {
    if (this.#body.length > 0) yield this.#body;
  }
}

/** Headers that speak of the batch's own body. */
const OWN = /^(?:content-|transfer-encoding$|expect$)/;
