/* eslint-disable */
// biome-ignore-all lint: generated

import type { WaitOptions } from "./call-types.js";
import type { Feature, Invocation } from "./contract.js";
import { ApiError, type ErrorDetail, type ErrorItem } from "./error.js";
import { execute } from "./execute.js";
import { sleep } from "./retry.js";

export type { OperationCall, WaitOptions } from "./call-types.js";

/** Rules for polling a long-running operation. */
export interface OperationRules {
  /**
   * Path of the method that returns the current state of the operation, such as
   * `v1/{+name}`. The values of path variables are taken from the call's
   * parameters, except for the variable {@link name}.
   */
  readonly poll: string;
  /**
   * Names of query parameters. Their values are copied from the call to the
   * polling requests.
   */
  readonly query?: readonly string[];
  /**
   * Path variable whose value is the operation's field `name`. Default: `name`.
   */
  readonly name?: string;
}

/**
 * Returns the `Feature` that adds `wait()` to calls that return a long-running
 * operation.
 */
/* @__NO_SIDE_EFFECTS__ */
export function operation(rules: OperationRules): Feature {
  return (call, invocation) => ({
    async wait(options: WaitOptions = {}) {
      const state = await call;
      return waitForResult(state, invocation, rules, options);
    },
  });
}

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
    readonly details?: readonly ErrorDetail[];
    readonly errors?: readonly ErrorItem[];
  };
  readonly [field: string]: unknown;
}

/**
 * Polls an operation until it is complete. Returns the result of the operation.
 */
async function waitForResult(
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
): Promise<unknown> {
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
      serverCode: code === undefined ? undefined : String(code),
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
  context: object = {},
): ApiError {
  return new ApiError(message, { methodId: descriptor.id, kind, ...context });
}
