import type { Invocation } from "./call.js";
import { toApiError, type ErrorFacts } from "./error.js";
import { prepare, type ApiRequest } from "./request.js";
import { readValue } from "./response.js";

/** What a call resolves to, and the response that it came in. */
export interface Answer<T> {
  /** The value. */
  readonly data: T;
  /** Status and headers. */
  readonly response: Response;
}

/** Turns a response into a value; what it throws becomes an ApiError. */
export type Reader<T> = (
  response: Response,
  request: ApiRequest,
  call: Invocation,
) => Promise<T>;

/**
 * A call from its parameters to its value: encode, send, read; in time, even
 * if `fetch` or the source of tokens do not obey the signal.
 *
 * @param keep whether the reader leaves the body open, for the signal to end.
 * @throws ApiError (as rejection), whatever goes wrong.
 */
export function execute<T>(
  call: Invocation,
  read: Reader<T> = readValue as Reader<T>,
  keep = false,
): Promise<Answer<T>> {
  const { client, descriptor, options } = call;
  const { signal, timeout = client.options.timeout } = options;
  const facts: ErrorFacts = { kind: "request", methodId: descriptor.id };
  const controller = new AbortController();
  const own = controller.signal;
  const stop = () => controller.abort(signal?.reason);
  const late = () =>
    controller.abort(new DOMException(`over ${timeout} ms`, "TimeoutError"));
  const timer = timeout && setTimeout(late, Math.min(timeout, 2e9));
  const work = async () => {
    own.throwIfAborted();
    const request = prepare(call, own, facts);
    const response = await client.send(request);
    return { data: await read(response, request, call), response };
  };
  signal?.addEventListener("abort", stop);
  if (signal?.aborted) stop();
  return new Promise<Answer<T>>((resolve, reject) => {
    const fail = (thrown: unknown) => reject(toApiError(thrown, own, facts));
    own.onabort = fail;
    work().then(resolve, fail);
  }).finally(() => {
    clearTimeout(timer);
    if (!keep) signal?.removeEventListener("abort", stop);
  });
}
