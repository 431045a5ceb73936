/* eslint-disable */
// biome-ignore-all lint: generated

/*
 * Functions of the runtime that the upload code needs. They are passed to the
 * upload code instead of being imported by it. Otherwise, bundlers would move
 * these functions to separate files, which all programs would load.
 */
import type * as requests from "../build-request.js";
import type * as errors from "../error.js";
import type * as execution from "../execute.js";
import type * as redirects from "../follow-redirects.js";
import type * as headers from "../headers.js";
import type * as values from "../read-value.js";
import type * as credentials from "../refresh-auth.js";
import type * as retries from "../retry.js";
import type * as streams from "../discard-body.js";
import type * as timeouts from "../with-timeout.js";

/** Error class of the runtime. */
export type ApiError = errors.ApiError;

export let ApiError: typeof errors.ApiError;
export let toApiError: typeof errors.toApiError;
export let buildRequest: typeof requests.buildRequest;
export let execute: typeof execution.execute;
export let pickHeaders: typeof redirects.pickHeaders;
export let mergeHeaders: typeof headers.mergeHeaders;
export let readValue: typeof values.readValue;
export let refreshAuth: typeof credentials.refreshAuth;
export let discardBody: typeof streams.discardBody;
export let withTimeout: typeof timeouts.withTimeout;
export let CLEARED: typeof retries.CLEARED;
export let isTransient: typeof retries.isTransient;
export let retryDelay: typeof retries.retryDelay;
export let retryOptions: typeof retries.retryOptions;
export let sleep: typeof retries.sleep;

/**
 * Type of the tuple with the functions that the upload code needs. A tuple
 * takes fewer bytes in a bundle than an object.
 */
export type UploadRuntime = readonly [
  ApiError: typeof ApiError,
  toApiError: typeof toApiError,
  buildRequest: typeof buildRequest,
  execute: typeof execute,
  pickHeaders: typeof pickHeaders,
  mergeHeaders: typeof mergeHeaders,
  readValue: typeof readValue,
  refreshAuth: typeof refreshAuth,
  discardBody: typeof discardBody,
  withTimeout: typeof withTimeout,
  CLEARED: typeof CLEARED,
  isTransient: typeof isTransient,
  retryDelay: typeof retryDelay,
  retryOptions: typeof retryOptions,
  sleep: typeof sleep,
];

/**
 * Stores the functions of the runtime. Must be called before the other modules
 * in this folder are used.
 */
export function receiveRuntime(runtime: UploadRuntime): void {
  [
    ApiError,
    toApiError,
    buildRequest,
    execute,
    pickHeaders,
    mergeHeaders,
    readValue,
    refreshAuth,
    discardBody,
    withTimeout,
    CLEARED,
    isTransient,
    retryDelay,
    retryOptions,
    sleep,
  ] = runtime;
}
