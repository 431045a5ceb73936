import type { Invocation, TimedTask } from "./contract.js";
import { toApiError, type ErrorFacts } from "./error.js";

/**
 * Does the work of a call in time, even if `fetch` or the source of tokens do
 * not obey the signal. Without a limit there is no signal: it would cost as
 * much as the rest of the call.
 *
 * @param attempt what is known of a call of which this is one attempt.
 * @throws ApiError (as rejection), whatever goes wrong.
 */
export function withTimeout<T>(
  { client, descriptor, options }: Invocation,
  work: TimedTask<T>,
  keep?: boolean,
  attempt?: ErrorFacts,
): Promise<T> {
  const facts = attempt ?? { kind: "request", methodId: descriptor.id };
  const { signal, timeout = client.options.timeout } = options;
  const run = (own: AbortSignal | null) =>
    work(own, facts).catch((thrown) => {
      throw toApiError(thrown, own, facts);
    });
  if (!signal && !timeout) return run(null);
  const controller = new AbortController();
  // Where a body goes on to be read, nobody would take a listener away.
  const weak = keep && signal && AbortSignal.any;
  const own = weak
    ? AbortSignal.any([signal, controller.signal])
    : controller.signal;
  const stop = () => controller.abort(signal?.reason);
  const late = () =>
    controller.abort(
      new DOMException(
        `${attempt ? "attemptTimeout" : "timeout"} of ${timeout} ms exceeded`,
        "TimeoutError",
      ),
    );
  const timer = timeout && setTimeout(late, Math.min(timeout, 2 ** 31 - 1));
  if (!weak) signal?.addEventListener("abort", stop);
  return new Promise<T>((resolve, reject) => {
    own.onabort = () => reject(toApiError(own, own, facts));
    if (signal?.aborted) {
      stop();
      reject(toApiError(own, own, facts));
    } else run(own).then(resolve, reject);
  }).finally(() => {
    clearTimeout(timer);
    own.onabort = null;
    if (!keep) signal?.removeEventListener("abort", stop);
  });
}
