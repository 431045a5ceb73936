/* eslint-disable */
// biome-ignore-all lint: generated

import { batchRuntime } from "./batch/batch-runtime.js";
import { openBatch } from "./batch/open-batch.js";
import { startAll } from "./batch/start-all.js";
import type {
  Batches,
  BatchOptions,
  BatchResults,
  BatchValues,
} from "./batch/types.js";
import type { Call, Client } from "./contract.js";

export type {
  Batches,
  BatchOptions,
  BatchResults,
  BatchValues,
} from "./batch/types.js";

/**
 * Combines pending calls into as few batch requests as possible.
 * The batch requests are sent one after the other, to the API's batch endpoint.
 * The calls use their own headers and bypass interceptors; `options` apply to
 * the batch requests. Calls that upload or download media are rejected. A batch
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

function startCalls(
  client: Client,
  calls: readonly Call<unknown>[],
  options: BatchOptions,
): Promise<unknown>[] {
  const { join, send } = openBatch(client, options, batchRuntime);
  const values = startAll(calls, join);
  send();
  return values;
}
