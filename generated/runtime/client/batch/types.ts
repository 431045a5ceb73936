/* eslint-disable */
// biome-ignore-all lint: generated

import type { Call } from "../contract.js";
import type { CallOptions } from "../options.js";

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
