/* eslint-disable */
// biome-ignore-all lint: generated

import { buildRequest } from "./build-request.js";
import type { CallResult, Invocation } from "./contract.js";
import { readValue } from "./read-value.js";
import type { ApiRequest } from "./request.js";

/**
 * Function that converts a response to a value. Errors thrown by the function
 * are converted to ApiErrors.
 */
export type Reader<T> = (
  response: Response,
  request: ApiRequest,
  call: Invocation,
) => Promise<T>;

/**
 * Executes a call: encodes the request, sends it and reads the response. Failed
 * attempts are retried according to the settings.
 *
 * @param keep `true` to keep the signal connected after `read` has returned,
 *   because the body is read later.
 * @throws ApiError (as a rejection) for any failure.
 */
export function execute<T>(
  call: Invocation,
  read: Reader<T> = readValue as Reader<T>,
  keep?: boolean,
): Promise<CallResult<T>> {
  const { client } = call;
  const attempt = async (request: ApiRequest): Promise<CallResult<T>> => {
    const response = await client.send(request, call);
    return { data: await read(response, request, call), response };
  };
  return client.withTimeout(
    call,
    async (signal, facts) =>
      client.retry(attempt, buildRequest(call, signal, facts), call),
    keep,
  );
}
