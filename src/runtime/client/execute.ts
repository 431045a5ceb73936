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

/** Makes an attempt with a request, or a changed copy of it. */
export type Attempt<T> = (request: ApiRequest) => Promise<T>;

/**
 * A call from its parameters to its value: encode, send, read; again if the
 * service's `retry` says so.
 *
 * @param keep whether the reader leaves the body open, for the signal to end.
 * @throws ApiError (as rejection), whatever goes wrong.
 */
export function execute<T>(
  call: Invocation,
  read: Reader<T> = readValue as Reader<T>,
  keep?: boolean,
): Promise<Answer<T>> {
  const attempt = async (request: ApiRequest): Promise<Answer<T>> => {
    const response = await call.client.send(request);
    return { data: await read(response, request, call), response };
  };
  const { retry } = call.client.service;
  return inTime(
    call,
    async (signal, facts) => {
      const request = prepare(call, signal, facts);
      return retry ? retry(attempt, request, call) : attempt(request);
    },
    keep,
  );
}

/**
 * Does the work of a call in time, even if `fetch` or the source of tokens do
 * not obey the signal.
 *
 * @throws ApiError (as rejection), whatever goes wrong.
 */
export function inTime<T>(
  { client, descriptor, options }: Invocation,
  work: (signal: AbortSignal, facts: ErrorFacts) => Promise<T>,
  keep?: boolean,
): Promise<T> {
  const { signal, timeout = client.options.timeout } = options;
  const facts: ErrorFacts = { kind: "request", methodId: descriptor.id };
  const controller = new AbortController();
  const own = controller.signal;
  const stop = () => controller.abort(signal?.reason);
  const late = () =>
    controller.abort(new DOMException(`over ${timeout} ms`, "TimeoutError"));
  const timer = timeout && setTimeout(late, Math.min(timeout, 2 ** 31 - 1));
  signal?.addEventListener("abort", stop);
  return new Promise<T>((resolve, reject) => {
    const fail = (thrown: unknown) => reject(toApiError(thrown, own, facts));
    own.onabort = fail;
    if (signal?.aborted) stop();
    else work(own, facts).then(resolve, fail);
  }).finally(() => {
    clearTimeout(timer);
    if (!keep) signal?.removeEventListener("abort", stop);
  });
}
