/* eslint-disable */
// biome-ignore-all lint: generated

import type { Work } from "./bare.js";
import type { Invocation } from "./call.js";
import { toApiError, type ErrorFacts } from "./error.js";

/**
 * Does the work of a call in time, even if `fetch` or the source of tokens do
 * not obey the signal. Without a limit there is no signal: it would cost as
 * much as the rest of the call.
 *
 * @throws ApiError (as rejection), whatever goes wrong.
 */
export function inTime<T>(
  { client, descriptor, options }: Invocation,
  work: Work<T>,
  keep?: boolean,
  facts: ErrorFacts = { kind: "request", methodId: descriptor.id },
): Promise<T> {
  const { signal, timeout = client.options.timeout } = options;
  const run = (own: AbortSignal | null) =>
    work(own, facts).catch((thrown) => {
      throw toApiError(thrown, own, facts);
    });
  if (!signal && !timeout) return run(null);
  const controller = new AbortController();
  const own = controller.signal;
  const stop = () => controller.abort(signal?.reason);
  const late = () =>
    controller.abort(new DOMException(`over ${timeout} ms`, "TimeoutError"));
  const timer = timeout && setTimeout(late, Math.min(timeout, 2 ** 31 - 1));
  signal?.addEventListener("abort", stop);
  return new Promise<T>((resolve, reject) => {
    own.onabort = () => reject(toApiError(own, own, facts));
    if (signal?.aborted) stop();
    else run(own).then(resolve, reject);
  }).finally(() => {
    clearTimeout(timer);
    if (!keep) signal?.removeEventListener("abort", stop);
  });
}
