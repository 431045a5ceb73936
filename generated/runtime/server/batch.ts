/* eslint-disable */
// biome-ignore-all lint: generated

// This file is longer than 250 lines, because the functions that read, run and
// write the calls of a batch use the same memory budget.

import { BatchBudget } from "./batch/budget.js";
import {
  malformedCall,
  PartIncoming,
  responsesTooLarge,
  writeResponsePart,
  type WrittenResponse,
} from "./batch/part.js";
import { ApiError, streamInBatch } from "./error.js";
import { readHeaderLines } from "./bodies/header-lines.js";
import { authenticateBatch } from "./dispatch/hooks.js";
import {
  boundaryOf,
  malformedMultipart,
  readParts,
  type Part,
} from "./bodies/multipart.js";
import type { BatchOptions } from "./contract.js";
import { readAll, mediaType } from "./bodies/read.js";
import { isStream, type Incoming, type Outgoing } from "./request.js";
import { decodedChunks } from "./bodies/timeouts.js";

/** Default maximum number of calls in a batch. */
const MAX_CALLS = 1000;

/**
 * Limits for the request line and headers of a call: maximum number of lines,
 * and maximum number of bytes.
 */
const MAX_LINES = 200;
const MAX_HEAD = 16 * 1024;

/** Maximum number of concurrent calls in a batch. */
const CONCURRENCY = 8;

/**
 * Handles a batch request: a multipart/mixed body whose parts are HTTP requests
 * (application/http). The calls use the same handlers as single requests. Only
 * servers whose API has a batch path import this module.
 *
 * The bytes of requests and responses count towards the limits of the batch,
 * and towards a limit for all batches with the same `options` object. Calls
 * whose response is a stream are rejected.
 *
 * @param options options of the server; must be the same object for every
 *   batch.
 * @param handle handles a call of the batch, as a request whose `isPart` is
 *   true.
 * @param fail returns the response to a call that failed with an error.
 * @throws ApiError if the complete batch is rejected.
 */
export async function batch(
  request: Incoming,
  options: BatchOptions,
  handle: (request: Incoming) => Outgoing | Promise<Outgoing>,
  fail: (error: ApiError) => Outgoing,
): Promise<Outgoing> {
  const type = request.header("content-type") ?? "";
  if (mediaType(type) !== "multipart/mixed")
    throw new ApiError(
      400,
      "The content type of a batch must be multipart/mixed.",
    );
  const boundary = boundaryOf(type);
  await authenticateBatch(request, options);
  const budget = new BatchBudget(options);
  try {
    const calls = await readCalls(request, boundary, options, budget);
    const responses = await mapConcurrently(calls, (call) =>
      typeof call === "string"
        ? writeResponsePart(
            call === "" ? undefined : call,
            fail(malformedCall()),
          )
        : runCall(call, budget, handle, fail),
    );
    return writeBatch(responses, budget);
  } catch (error) {
    budget.release();
    throw error;
  }
}

/**
 * Runs one call of a batch. If the response exceeds the memory budget, it is
 * replaced by an error response with status 413.
 */
async function runCall(
  { id, request }: BatchCall,
  budget: BatchBudget,
  handle: (request: Incoming) => Outgoing | Promise<Outgoing>,
  fail: (error: ApiError) => Outgoing,
): Promise<WrittenResponse> {
  if (budget.isExceeded)
    return writeResponsePart(id, fail(responsesTooLarge()));
  const response = await handle(request);
  const { body } = response;
  if (isStream(body)) {
    void Promise.resolve(body[Symbol.asyncIterator]().return?.()).catch(
      () => {},
    );
    return writeResponsePart(id, fail(streamInBatch()));
  }
  const written = writeResponsePart(id, response);
  return budget.takeResponse(written.size)
    ? written
    : writeResponsePart(id, fail(responsesTooLarge()));
}

/**
 * Writes the responses of a batch as one body. The body is sent in chunks.
 * Releases the batch's memory budget after the last chunk.
 */
function writeBatch(
  responses: readonly WrittenResponse[],
  budget: BatchBudget,
): Outgoing {
  const boundary = `batch_${crypto.randomUUID()}`;
  const before = `--${boundary}\r\n`;
  const end = `--${boundary}--`;
  const overhead = before.length + 2;
  const length = responses.reduce((sum, { size }) => sum + size + overhead, 0);
  return {
    status: 200,
    headers: {
      "content-type": `multipart/mixed; boundary=${boundary}`,
      "content-length": String(length + end.length),
    },
    body: batchChunks(responses, before, end, () => budget.release()),
  };
}

/**
 * Returns the chunks as an iterator. A generator is not used: if a generator is
 * closed before its first step, its `finally` block does not run, so the memory
 * budget would not be released.
 */
function batchChunks(
  responses: readonly WrittenResponse[],
  before: string,
  end: string,
  onEnd: () => void,
): AsyncIterableIterator<string> {
  let left: readonly WrittenResponse[] | undefined = responses;
  let at = 0;
  const finish = (): void => {
    left = undefined;
    onEnd();
  };
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      if (left === undefined) return { done: true, value: undefined };
      const call = left[at++];
      if (call !== undefined)
        return { done: false, value: `${before}${call.head}${call.body}\r\n` };
      finish();
      return { done: false, value: end };
    },
    async return() {
      finish();
      return { done: true, value: undefined };
    },
  };
}

/**
 * Call in a batch, and the content ID of the part that contains the call. The
 * content ID of the response is derived from this ID.
 */
interface BatchCall {
  readonly id: string | undefined;
  readonly request: Incoming;
}

/**
 * Reads the calls of a batch. For a call that can't be parsed, returns only the
 * call's content ID, or an empty string if it has no content ID.
 */
async function readCalls(
  outer: Incoming,
  boundary: string,
  options: BatchOptions,
  budget: BatchBudget,
): Promise<(BatchCall | string)[]> {
  const maxCalls = options.limits?.batch ?? MAX_CALLS;
  const calls: (BatchCall | string)[] = [];
  const pieces = budget.count(decodedChunks(outer, options, budget.timeLeft));
  for await (const part of readParts(pieces, boundary)) {
    if (calls.length === maxCalls)
      throw new ApiError(400, `A batch must have at most ${maxCalls} calls.`);
    const bytes = await readAll(part.chunks(), budget.requestLimit);
    calls.push(readCall(part, bytes, outer));
  }
  if (calls.length === 0)
    throw malformedMultipart("The batch contains no calls.");
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
  if (lines.length > MAX_LINES) return id ?? "";
  const match = REQUEST_LINE.exec(lines[0] ?? "");
  if (match === null) return id ?? "";
  const headers = readHeaderLines(lines.slice(1));
  const path = withoutMount(pathOf(match[2]!), outer.mount);
  const target = withQuery(path, outer.target);
  return {
    id,
    request: new PartIncoming(match[1]!, target, headers, body, outer),
  };
}

/**
 * Splits a part into the head (the lines before the first empty line) and the
 * body. Lines end with CR LF or LF. If the head exceeds `MAX_HEAD` bytes,
 * returns more than `MAX_LINES` lines, so that the call is rejected.
 */
function splitHead(bytes: Uint8Array): { lines: string[]; body: Uint8Array } {
  const lines: string[] = [];
  const decoder = new TextDecoder();
  let start = 0;
  for (;;) {
    const end = bytes.indexOf(10, start);
    const stop = end === -1 ? bytes.length : end;
    if (stop > MAX_HEAD) return { lines: TOO_MANY_LINES, body: bytes };
    const line = bytes.subarray(start, stop);
    const text = decoder.decode(line).replace(/\r$/, "");
    start = end === -1 ? bytes.length : end + 1;
    // Empty lines before the request line are ignored (RFC 9112 §2.2).
    if (text !== "") lines.push(text);
    else if (lines.length > 0) break;
    if (end === -1 || lines.length > MAX_LINES) break;
  }
  return { lines, body: bytes.subarray(start) };
}

const TOO_MANY_LINES: string[] = Array.from(
  { length: MAX_LINES + 1 },
  () => "",
);

/**
 * Returns the path and query of a request target. Some clients send an absolute
 * URL as the target.
 */
function pathOf(target: string): string {
  if (target.startsWith("/")) return target;
  const authority = /^https?:\/\/[^/?#]*/i.exec(target)?.[0];
  if (authority === undefined) return `/${target}`;
  const path = target.slice(authority.length);
  return path.startsWith("/") ? path : `/${path}`;
}

/**
 * Removes the path at which a framework mounted the server from the path of a
 * call.
 */
function withoutMount(target: string, mount: string | undefined): string {
  return mount !== undefined && mount !== "" && target.startsWith(`${mount}/`)
    ? target.slice(mount.length)
    : target;
}

/**
 * Adds the query parameters of the batch request to a call, except those that
 * the call sets itself.
 */
function withQuery(target: string, outer: string): string {
  const mark = outer.indexOf("?");
  if (mark === -1) return target;
  const query = target.includes("?")
    ? target.slice(target.indexOf("?") + 1)
    : "";
  const names = new Set(query.split("&").map((pair) => pair.split("=", 1)[0]));
  const added = outer
    .slice(mark + 1)
    .split("&")
    .filter((pair) => pair !== "" && !names.has(pair.split("=", 1)[0]!));
  if (added.length === 0) return target;
  return `${target}${target.includes("?") ? "&" : "?"}${added.join("&")}`;
}

/**
 * Calls a function for each item of a list, with at most `CONCURRENCY` calls in
 * progress at the same time. Returns the results in the order of the items.
 */
async function mapConcurrently<T, R>(
  items: readonly T[],
  run: (item: T) => R | Promise<R>,
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
    Array.from({ length: Math.min(CONCURRENCY, items.length) }, worker),
  );
  return results;
}
