import type { Invocation } from "./call.js";
import { prepare, type ApiRequest } from "./request.js";
import { readValue } from "./read-value.js";

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
 * client's `retry` says so.
 *
 * @param keep whether the reader leaves the body open, for the signal to end.
 * @throws ApiError (as rejection), whatever goes wrong.
 */
export function execute<T>(
  call: Invocation,
  read: Reader<T> = readValue as Reader<T>,
  keep?: boolean,
): Promise<Answer<T>> {
  const { client } = call;
  const attempt = async (request: ApiRequest): Promise<Answer<T>> => {
    const response = await client.send(request, call);
    return { data: await read(response, request, call), response };
  };
  return client.within(
    call,
    async (signal, facts) =>
      client.retry(attempt, prepare(call, signal, facts), call),
    keep,
  );
}
