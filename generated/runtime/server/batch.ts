/* eslint-disable */
// biome-ignore-all lint: generated

import { ApiError } from "./error.js";
import { readHeaderLines } from "./header-lines.js";
import { boundaryOf, broken, readParts, type Part } from "./multipart.js";
import type { ServerOptions } from "./options.js";
import { gather, mediaType } from "./read.js";
import { badCall, PartIncoming, writeCall } from "./batch-part.js";
import type { Incoming, Outgoing } from "./request.js";
import { piecesOf } from "./timed.js";

/** Calls in one batch, and bytes of all of it. */
const CALLS = 1000;
const BYTES = 100 * 1024 * 1024;

/** Lines of the head of a call; one with more is no call. */
const LINES = 200;

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
  fail: (error: ApiError) => Outgoing,
): Promise<Outgoing> {
  const type = request.header("content-type") ?? "";
  if (mediaType(type) !== "multipart/mixed")
    throw new ApiError(400, "A batch has to be multipart/mixed.");
  const calls = await readCalls(request, boundaryOf(type), options);
  const answers = await inOrder(calls, async (call) =>
    typeof call === "string"
      ? writeCall(call === "" ? undefined : call, fail(badCall()))
      : writeCall(call.id, await handle(call.request)),
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
  options: ServerOptions,
): Promise<(BatchCall | string)[]> {
  const most = options.limits?.batch ?? CALLS;
  const calls: (BatchCall | string)[] = [];
  let left = BYTES;
  for await (const part of readParts(piecesOf(outer, options), boundary)) {
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
  if (lines.length > LINES) return id ?? "";
  const match = REQUEST_LINE.exec(lines[0] ?? "");
  if (match === null) return id ?? "";
  const headers = readHeaderLines(lines.slice(1));
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
    else if (lines.length > 0) break;
    if (end === -1 || lines.length > LINES) break;
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
