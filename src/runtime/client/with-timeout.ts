import type { Invocation, TimedTask } from "./contract.js";
import { toApiError, type ErrorContext } from "./error.js";

/** Timeout of calls without media in milliseconds. */
const DEFAULT_TIMEOUT = 300_000;

/**
 * Runs an asynchronous function within the timeout of a call, even if `fetch`
 * or the token function ignores the signal.
 *
 * The client's `observeCall` runs around calls, but not around single attempts.
 *
 * @param keep `true` to keep the signal connected after the function has
 *   finished, because a body is still being read.
 * @param attempt properties of the call's error. Present if the function makes
 *   a single attempt, after which the call can be retried.
 * @throws ApiError (as a rejection) for any failure.
 */
export function withTimeout<T>(
  call: Invocation,
  task: TimedTask<T>,
  keep?: boolean,
  attempt?: ErrorContext,
): Promise<T> {
  const run = () => runTask(call, task, keep, attempt);
  const { observeCall } = call.client.options;
  return observeCall && !attempt
    ? observeCall({ methodId: call.descriptor.id }, run)
    : run();
}

function runTask<T>(
  { client, descriptor, options, parameters }: Invocation,
  task: TimedTask<T>,
  keep?: boolean,
  attempt?: ErrorContext,
): Promise<T> {
  const context = attempt ?? { kind: "request", methodId: descriptor.id };
  const standard = parameters["media"] === undefined ? DEFAULT_TIMEOUT : 0;
  const { signal, timeout = client.options.timeout ?? standard } = options;
  const run = (combined: AbortSignal | null) =>
    task(combined, context).catch((thrown) => {
      throw toApiError(thrown, combined, context);
    });
  if (!signal && !timeout) return run(null);
  const controller = new AbortController();
  // AbortSignal.any is preferred, because an event listener would leak while a
  // body is being read.
  const combine = keep && signal && AbortSignal.any;
  const combined = combine
    ? AbortSignal.any([signal, controller.signal])
    : controller.signal;
  const stop = () => controller.abort(signal?.reason);
  const expire = () =>
    controller.abort(
      new DOMException(
        `${attempt ? "attemptTimeout" : "timeout"} of ${timeout} ms exceeded`,
        "TimeoutError",
      ),
    );
  const timer = timeout && setTimeout(expire, Math.min(timeout, 2 ** 31 - 1));
  if (!combine) signal?.addEventListener("abort", stop);
  if (signal?.aborted) stop();
  return new Promise<T>((resolve, reject) => {
    const fail = (combined.onabort = () =>
      reject(toApiError(combined, combined, context)));
    if (combined.aborted) fail();
    else run(combined).then(resolve, reject);
  }).finally(() => {
    clearTimeout(timer);
    combined.onabort = null;
    if (!keep) signal?.removeEventListener("abort", stop);
  });
}
