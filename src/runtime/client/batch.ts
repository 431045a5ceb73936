import { formatPart, parsePart, splitParts } from "./batch/format.js";
import { randomBoundary } from "./boundary.js";
import { buildRequest } from "./build-request.js";
import type {
  Call,
  CallResult,
  Client,
  Invocation,
  PendingCall,
} from "./contract.js";
import { ApiError, toApiError, type ErrorFacts } from "./error.js";
import { execute } from "./execute.js";
import type { CallOptions } from "./options.js";
import { type ApiRequest } from "./request.js";
import { readValue } from "./read-value.js";
import { isIdempotent } from "./retry.js";
import { requireSuccess } from "./send.js";

/** The values of calls, each in its place. */
export type BatchValues<T extends readonly unknown[]> = {
  -readonly [K in keyof T]: Awaited<T[K]>;
};

/** What became of calls, each in its place. */
export type BatchResults<T extends readonly unknown[]> = {
  -readonly [K in keyof T]: PromiseSettledResult<Awaited<T[K]>>;
};

/** Options of the requests that carry the calls of a batch. */
export interface BatchOptions extends CallOptions {
  /**
   * Maximum number of calls in one request. Default: the service's
   * `batchSize`, or 100, which is the limit of most servers.
   */
  readonly size?: number | undefined;
}

/**
 * Sends calls that have not begun in as few requests as possible (document
 * field `batchPath`), one request after the other. Each call keeps its own
 * headers and interceptors do not see it; `options` are those of the requests
 * around them. Media cannot be part of it. A request is repeated only if all
 * of its calls are idempotent, and never because one call failed. Status and
 * headers of a part are in the `withResponse()` of its call.
 *
 * @throws ApiError of the first call that failed; the others were made.
 */
export function batch<const T extends readonly Call<unknown>[]>(
  client: Client,
  calls: T,
  options: BatchOptions = {},
): Promise<BatchValues<T>> {
  const begun = startCalls(client, calls, options);
  return Promise.all(begun) as Promise<unknown> as Promise<BatchValues<T>>;
}

/** Like {@link batch}, with the error of each call in its place. */
export function batchSettled<const T extends readonly Call<unknown>[]>(
  client: Client,
  calls: T,
  options: BatchOptions = {},
): Promise<BatchResults<T>> {
  const begun = startCalls(client, calls, options);
  const all: Promise<unknown> = Promise.allSettled(begun);
  return all as Promise<BatchResults<T>>;
}

/** What a client of an API can do with many calls. */
export interface Batches {
  /**
   * Sends calls that have not begun in as few requests as possible.
   *
   * @throws ApiError of the first call that failed; the others were made.
   */
  batch<const T extends readonly Call<unknown>[]>(
    calls: T,
    options?: BatchOptions,
  ): Promise<BatchValues<T>>;
  /** Like `batch`, with the value or the error of each call in its place. */
  batchSettled<const T extends readonly Call<unknown>[]>(
    calls: T,
    options?: BatchOptions,
  ): Promise<BatchResults<T>>;
}

/** {@link batch} and {@link batchSettled} for one client. */
export function batches(client: Client): Batches {
  return {
    batch: (calls, options) => batch(client, calls, options),
    batchSettled: (calls, options) => batchSettled(client, calls, options),
  };
}

/** A call that waits for its response. */
interface PendingPart {
  readonly request: ApiRequest;
  readonly resolve: (response: Response) => void;
  readonly reject: (error: unknown) => void;
}

function startCalls(
  client: Client,
  calls: readonly Call<unknown>[],
  { size = client.service.batchSize ?? 100, ...options }: BatchOptions,
): Promise<unknown>[] {
  if (!(size >= 1)) throw new RangeError("size must be at least 1");
  const batches: PendingPart[][] = [];
  const values = (calls as PendingCall[]).map((call, at) => {
    const parts = (batches[Math.floor(at / size)] ??= []);
    call.taken = true;
    const join = (invocation: Invocation) =>
      addToRequest(client, invocation, parts);
    return call.start(join).then(({ data }) => data);
  });
  sendAll(client, batches, options);
  return values;
}

/** Sends requests one after the other; a failed one does not stop the next. */
async function sendAll(
  client: Client,
  batches: readonly PendingPart[][],
  options: CallOptions,
): Promise<void> {
  for (const parts of batches)
    try {
      await send(client, parts, options);
    } catch (error) {
      for (const { reject } of parts) reject(error);
    }
}

/** Adds a call to a request, and reads its response from there. */
function addToRequest(
  client: Client,
  call: Invocation,
  parts: PendingPart[],
): Promise<CallResult<unknown>> {
  const facts: ErrorFacts = { kind: "request", methodId: call.descriptor.id };
  const { signal } = new AbortController();
  const work = async () => {
    if (call.client !== client)
      throw new TypeError(
        "a call of another client, or one that can't be batched, is in the batch",
      );
    if (call.parameters["media"] !== undefined)
      throw new TypeError("media cannot go in a batch");
    const bare = { ...client, options: { ...client.options, headers: {} } };
    const request = buildRequest({ ...call, client: bare }, signal, facts);
    formatPart(request, "");
    const response = await new Promise<Response>((resolve, reject) =>
      parts.push({ request, resolve, reject }),
    );
    await requireSuccess(response, facts, call.descriptor);
    return { data: await readValue(response, request, call), response };
  };
  return work().catch((thrown) => {
    throw toApiError(thrown, signal, facts);
  });
}

/** One request with all its parts. */
async function send(
  client: Client,
  parts: readonly PendingPart[],
  options: CallOptions,
): Promise<void> {
  if (!parts.length) return;
  const { service } = client;
  const boundary = randomBoundary();
  const idOf = (at: number) => `${boundary} + ${at}`;
  const bodies = parts.map(
    ({ request }, at) =>
      `--${boundary}\r\n${formatPart(request, idOf(at))}\r\n`,
  );
  const text = `${bodies.join("")}--${boundary}--\r\n`;
  const type = `multipart/mixed; boundary=${boundary}`;
  const descriptor = {
    id: "batch",
    verb: "POST",
    path: `/${service.batchPath ?? "batch"}`,
    body: () => ({ body: text, headers: { "content-type": type } }),
  };
  const call = { client, descriptor, parameters: {} };
  const unsafe = !parts.every(({ request }) =>
    isIdempotent(request.init.method),
  );
  const wish = options.retry ?? client.options.retry;
  const retry = unsafe || wish === false ? false : { ...wish, unsafe: true };
  await execute(
    { ...call, options: { ...options, retry } },
    async (response) => {
      const type = response.headers.get("content-type") ?? "";
      resolveParts(parts, splitParts(type, await response.text()), boundary);
    },
  );
}

/** Gives each part its response: by its id, without ids by its place. */
function resolveParts(
  parts: readonly PendingPart[],
  texts: readonly string[],
  boundary: string,
): void {
  const found = texts.map(parsePart);
  const own = new RegExp(`${boundary} ?\\+ ?(\\d+)$`);
  found.forEach(({ id, response }, place) => {
    const at = own.exec(id.replace(/%2B/i, "+"))?.[1];
    const index = id ? Number(at) : place;
    parts[index]?.resolve(response);
  });
  for (const { request, reject } of parts)
    reject(
      new ApiError("the batch has no answer to the call", {
        ...request.facts,
        kind: "decode",
      }),
    );
}
