/* eslint-disable */
// biome-ignore-all lint: generated

import { randomBoundary } from "../boundary.js";
import type * as requests from "../build-request.js";
import type { CallResult, Client, Invocation } from "../contract.js";
import type * as errors from "../error.js";
import type * as execution from "../execute.js";
import type { CallOptions } from "../options.js";
import type * as values from "../read-value.js";
import type { ApiRequest } from "../request.js";
import type * as sending from "../send.js";
import { formatPart, parsePart, splitParts } from "./format.js";
import type { Join } from "./start-all.js";
import type { BatchOptions } from "./types.js";

/*
 * Functions of the runtime. They are passed to this module instead of being
 * imported by it; upload/runtime.ts explains why.
 */
let ApiError: typeof errors.ApiError;
let toApiError: typeof errors.toApiError;
let buildRequest: typeof requests.buildRequest;
let execute: typeof execution.execute;
let readValue: typeof values.readValue;
let requireSuccess: typeof sending.requireSuccess;

/**
 * Type of the tuple with the functions that the batch code needs. A tuple takes
 * fewer bytes in a bundle than an object.
 */
export type BatchRuntime = readonly [
  ApiError: typeof ApiError,
  toApiError: typeof toApiError,
  buildRequest: typeof buildRequest,
  execute: typeof execute,
  readValue: typeof readValue,
  requireSuccess: typeof requireSuccess,
];

/** Batched call that is waiting for its part of the batch response. */
interface PendingPart {
  readonly request: ApiRequest;
  readonly resolve: (response: Response) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Batch to which calls can still be added. It is sent as one or more requests.
 */
export interface OpenBatch {
  /** Adds a call to the batch; resolves to the result of the call. */
  readonly join: Join;
  /** Sends the batch. */
  readonly send: () => void;
}

/**
 * Creates a batch without calls.
 *
 * @throws RangeError for a size below 1.
 */
export function openBatch(
  client: Client,
  { size = client.service.batchSize ?? 100, ...options }: BatchOptions,
  runtime: BatchRuntime,
): OpenBatch {
  [ApiError, toApiError, buildRequest, execute, readValue, requireSuccess] =
    runtime;
  if (!(size >= 1)) throw new RangeError("size must be at least 1");
  const batches: PendingPart[][] = [];
  return {
    join: (call, at) =>
      addToRequest(client, call, (batches[Math.floor(at / size)] ??= [])),
    send: () => void sendAll(client, batches.filter(Boolean), options),
  };
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
  const facts: errors.ErrorFacts = {
    kind: "request",
    methodId: call.descriptor.id,
  };
  const work = async () => {
    if (call.client !== client)
      throw new TypeError(
        "the call must support batches and belong to the client of the batch",
      );
    if (call.parameters["media"] !== undefined)
      throw new TypeError(
        "a call in a batch must not upload or download media",
      );
    const bare = { ...client, options: { ...client.options, headers: {} } };
    const request = buildRequest({ ...call, client: bare }, null, facts);
    formatPart(request, "");
    const response = await new Promise<Response>((resolve, reject) =>
      parts.push({ request, resolve, reject }),
    );
    await requireSuccess(response, facts, call.descriptor);
    return { data: await readValue(response, request, call), response };
  };
  return work().catch((thrown) => {
    throw toApiError(thrown, null, facts);
  });
}

/** Sends one batch request. */
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
  const unsafe = parts.some(({ request }) =>
    /^P(OST|ATCH)$/.test(request.init.method),
  );
  const settings = options.retry ?? client.options.retry;
  const retry =
    unsafe || settings === false ? false : { ...settings, unsafe: true };
  await execute(
    { client, descriptor, parameters: {}, options: { ...options, retry } },
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
        ...request.facts,
        kind: "decode",
      }),
    );
}
