/* eslint-disable */
// biome-ignore-all lint: generated

import type { WaitOptions } from "../call-types.js";
import type { Invocation } from "../contract.js";
import type * as errors from "../error.js";
import type * as execution from "../execute.js";
import type * as retries from "../retry.js";
import type { OperationRules } from "./rules.js";

/*
 * Functions of the runtime. They are passed to this module instead of being
 * imported by it; upload/runtime.ts explains why.
 */
let ApiError: typeof errors.ApiError;
let execute: typeof execution.execute;
let sleep: typeof retries.sleep;

/**
 * Type of the tuple with the functions that the code of `wait()` needs. A tuple
 * takes fewer bytes in a bundle than an object.
 */
export type OperationRuntime = readonly [
  ApiError: typeof ApiError,
  execute: typeof execute,
  sleep: typeof sleep,
];

/**
 * Fields of a long-running operation. APIs use different subsets of these
 * fields.
 */
interface Operation {
  readonly done?: unknown;
  readonly status?: unknown;
  readonly response?: unknown;
  readonly error?: {
    readonly code?: unknown;
    readonly message?: unknown;
    readonly details?: readonly errors.ErrorDetail[];
    readonly errors?: readonly errors.ErrorItem[];
  };
  readonly [field: string]: unknown;
}

/**
 * Polls an operation until it is complete. Returns the result of the operation.
 */
export async function waitForResult(
  first: unknown,
  call: Invocation,
  rules: OperationRules,
  {
    signal = call.options.signal,
    timeout,
    interval = 1000,
    maxInterval = 20_000,
    onProgress,
  }: WaitOptions,
  runtime: OperationRuntime,
): Promise<unknown> {
  [ApiError, execute, sleep] = runtime;
  let state = first as Operation;
  const end = timeout ? performance.now() + timeout : Infinity;
  for (let pause = interval; ; pause = Math.min(pause * 1.5, maxInterval)) {
    onProgress?.(state);
    if (state.done === true || state.status === "DONE")
      return resultOf(state, call);
    const remaining = end - performance.now();
    await sleep(Math.max(0, Math.min(pause, remaining)), signal).catch(
      (cause) => {
        throw operationError(call, "abort", "wait() was aborted", { cause });
      },
    );
    if (remaining <= pause)
      throw operationError(
        call,
        "timeout",
        `wait() timed out after ${timeout} ms`,
      );
    state = await poll(state, call, rules, signal);
  }
}

/**
 * Names of standard query parameters that identify the caller. Polling requests
 * copy them from the call.
 */
const COMMON_PARAMETERS = [
  "key",
  "access_token",
  "oauth_token",
  "quotaUser",
  "userIp",
];

async function poll(
  state: Operation,
  call: Invocation,
  { poll: path, name: variable = "name", query = [] }: OperationRules,
  signal: AbortSignal | undefined,
): Promise<Operation> {
  const variables = Array.from(
    path.matchAll(/\{\+?([^{}]+)/g),
    ([, name]) => name!,
  );
  const parameters: Record<string, unknown> = {};
  for (const name of [...COMMON_PARAMETERS, ...query, ...variables])
    parameters[name] = call.parameters[name];
  parameters[variable] = state["name"];
  const descriptor = { id: call.descriptor.id, path };
  const { client } = call;
  const { headers, timeout, retry, interceptors } = call.options;
  const options = { headers, timeout, retry, interceptors, signal };
  const next = await execute({ client, descriptor, parameters, options });
  return Object(next.data) as Operation;
}

function resultOf(state: Operation, call: Invocation): unknown {
  const { error } = state;
  if (error) {
    const { code, message, details, errors } = error;
    const text = message ?? errors?.[0]?.message ?? "the operation failed";
    throw operationError(call, "operation", String(text), {
      code: code === undefined ? undefined : String(code),
      details,
      errors,
    });
  }
  return state.done === true ? state.response : state;
}

function operationError(
  { descriptor }: Invocation,
  kind: "abort" | "timeout" | "operation",
  message: string,
  facts: object = {},
): errors.ApiError {
  return new ApiError(message, { methodId: descriptor.id, kind, ...facts });
}
