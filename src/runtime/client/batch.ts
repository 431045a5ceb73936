import { authorize } from "./auth.js";
import { formatPart, parsePart, splitParts } from "./batch-format.js";
import { randomBoundary } from "./boundary.js";
import { buildRequest } from "./build-request.js";
import type {
  Call,
  CallResult,
  Client,
  Invocation,
  PendingCall,
} from "./contract.js";
import { QUERY_MARK } from "./credential.js";
import { ApiError, toApiError, type ErrorContext } from "./error.js";
import { execute, readValue } from "./execute.js";
import type { CallOptions } from "./options.js";
import type { ApiRequest } from "./request.js";
import { requireSuccess, withAuth } from "./send.js";

/** Tuple of the values to which calls resolve, in the order of the calls. */
export type BatchValues<T extends readonly unknown[]> = {
  -readonly [K in keyof T]: Awaited<T[K]>;
};

/** Tuple of the value or error of each call, in the order of the calls. */
export type BatchResults<T extends readonly unknown[]> = {
  -readonly [K in keyof T]: PromiseSettledResult<Awaited<T[K]>>;
};

/** Options of the HTTP requests that send a batch of calls. */
export interface BatchOptions extends CallOptions {
  /**
   * Maximum number of calls in one request. Default: `batchSize` of the
   * service, or 100, the limit of most servers.
   */
  readonly size?: number | undefined;
}

/** Batch methods of a client. */
export interface Batches {
  /**
   * Combines pending calls into as few batch requests as possible.
   *
   * @throws ApiError of the first call that failed; the other calls are sent
   *   anyway.
   */
  batch<const T extends readonly Call<unknown>[]>(
    calls: T,
    options?: BatchOptions,
  ): Promise<BatchValues<T>>;
  /** Like `batch`, but resolves to the value or error of each call. */
  batchSettled<const T extends readonly Call<unknown>[]>(
    calls: T,
    options?: BatchOptions,
  ): Promise<BatchResults<T>>;
}

/**
 * Combines pending calls into as few batch requests as possible.
 * The batch requests are sent one after the other, to the API's batch endpoint.
 * The calls use their own headers and credentials and bypass interceptors;
 * `options` apply to the batch requests. Calls that upload or download media are rejected. A batch
 * request is retried only if all its calls are idempotent, and never because
 * one of the calls failed. In a batch, `withResponse()` of a call returns the
 * status and headers of the response to that call, not those of the batch
 * response.
 *
 * @throws ApiError of the first call that failed; the other calls are sent
 *   anyway.
 */
export function batch<const T extends readonly Call<unknown>[]>(
  client: Client,
  calls: T,
  options: BatchOptions = {},
): Promise<BatchValues<T>> {
  const values = startCalls(client, calls, options);
  return Promise.all(values) as Promise<unknown> as Promise<BatchValues<T>>;
}

/**
 * Sends calls in batch requests like {@link batch}, but resolves to the result
 * or error of each call.
 */
export function batchSettled<const T extends readonly Call<unknown>[]>(
  client: Client,
  calls: T,
  options: BatchOptions = {},
): Promise<BatchResults<T>> {
  const values = startCalls(client, calls, options);
  const results: Promise<unknown> = Promise.allSettled(values);
  return results as Promise<BatchResults<T>>;
}

/** Returns {@link batch} and {@link batchSettled}, bound to a client. */
export function batches(client: Client): Batches {
  return {
    batch: (calls, options) => batch(client, calls, options),
    batchSettled: (calls, options) => batchSettled(client, calls, options),
  };
}

/**
 * Adds calls to batch requests and sends the requests. Returns a promise for
 * the value of each call.
 */
function startCalls(
  client: Client,
  calls: readonly Call<unknown>[],
  { size = client.service.batchSize ?? 100, ...options }: BatchOptions,
): Promise<unknown>[] {
  const batches: PendingPart[][] = [];
  const values = (calls as readonly PendingCall[]).map((call, position) => {
    call.taken = true;
    const result = call.start(async (own) => {
      if (!(size >= 1)) throw new RangeError("size must be at least 1");
      const parts = (batches[Math.floor(position / size)] ??= []);
      return addToRequest(client, own, parts);
    });
    return result.then(({ data }) => data);
  });
  void sendAll(client, batches.filter(Boolean), options);
  return values;
}

/** Batched call that is waiting for its part of the batch response. */
interface PendingPart {
  readonly call: Invocation;
  readonly request: ApiRequest;
  readonly resolve: (response: Response) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Sends batch requests one after the other. If a request fails, the following
 * requests are still sent.
 */
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

/**
 * Adds a call to a batch request, and reads its result from the corresponding
 * part of the response.
 */
function addToRequest(
  client: Client,
  call: Invocation,
  parts: PendingPart[],
): Promise<CallResult<unknown>> {
  const context: ErrorContext = {
    kind: "request",
    methodId: call.descriptor.id,
  };
  const work = async () => {
    if ((call.client.base ?? call.client) !== client)
      throw new TypeError(
        "the call must support batches and belong to the client of the batch",
      );
    if (call.parameters["media"] !== undefined)
      throw new TypeError(
        "a call in a batch must not upload or download media",
      );
    const options = { ...call.client.options, headers: {} };
    const bare = { ...call, client: { ...client, options } };
    const request = buildRequest(bare, null, context);
    formatPart(request, "");
    const response = await new Promise<Response>((resolve, reject) =>
      parts.push({ call, request, resolve, reject }),
    );
    await requireSuccess(response, context, call.descriptor);
    return { data: await readValue(response, request, call), response };
  };
  return work().catch((thrown) => {
    throw toApiError(thrown, null, context);
  });
}

/**
 * Adds the credentials of a call to its part of the batch. Without credentials
 * of its own, the part has those of the batch request.
 */
async function withOwnAuth({
  call: { client, options },
  request,
}: PendingPart): Promise<ApiRequest> {
  if (options.auth == null) return request;
  const { init, context } = request;
  const headers = await authorize(
    client.options.auth,
    init.headers,
    context.url!,
  );
  if (Object.keys(headers).some((name) => name.startsWith(QUERY_MARK)))
    throw new TypeError("a call in a batch must not have its own auth");
  return { ...request, init: { ...init, headers } };
}

/** Sends one batch request. */
async function send(
  client: Client,
  calls: readonly PendingPart[],
  options: CallOptions,
): Promise<void> {
  const parts: PendingPart[] = [];
  for (const part of calls)
    try {
      parts.push({ ...part, request: await withOwnAuth(part) });
    } catch (error) {
      part.reject(error);
    }
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
    httpMethod: "POST",
    path: `/${service.batchPath ?? "batch"}`,
    body: () => ({ body: text, headers: { "content-type": type } }),
  };
  const unsafe = parts.some(
    ({ call, request }) =>
      /^P(OST|ATCH)$/.test(request.init.method) &&
      !(call.options.retry && call.options.retry.unsafe),
  );
  const settings = options.retry ?? client.options.retry;
  const retry =
    unsafe || settings === false ? false : { ...settings, unsafe: true };
  await execute(
    {
      client: withAuth(client, options.auth),
      descriptor,
      parameters: {},
      options: { ...options, retry },
    },
    async (response) => {
      const type = response.headers.get("content-type") ?? "";
      resolveParts(parts, splitParts(type, await response.text()), boundary);
    },
  );
}

/**
 * Resolves each call with its part of the response. A part belongs to the call
 * with the same `Content-ID`. A part without `Content-ID` belongs to the call
 * at the same position.
 */
function resolveParts(
  parts: readonly PendingPart[],
  texts: readonly string[],
  boundary: string,
): void {
  const ownId = new RegExp(`${boundary} ?\\+ ?(\\d+)$`);
  texts.map(parsePart).forEach(({ id, response }, position) => {
    const number = ownId.exec(id.replace(/%2B/i, "+"))?.[1];
    parts[id ? Number(number) : position]?.resolve(response);
  });
  for (const { request, reject } of parts)
    reject(
      new ApiError("the batch response has no part for this call", {
        ...request.context,
        kind: "decode",
      }),
    );
}
