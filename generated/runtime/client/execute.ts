/* eslint-disable */
// biome-ignore-all lint: generated

import { buildRequest } from "./build-request.js";
import type { CallResult, Invocation } from "./contract.js";
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
    async (signal, context) =>
      client.retry(attempt, buildRequest(call, signal, context), call),
    keep,
  );
}

/**
 * Parses the JSON body of a response; returns `undefined` for an empty body.
 * The content type is ignored, because some servers declare JSON as text.
 *
 * @throws SyntaxError for any other body, such as an HTML page from a proxy.
 *   The message contains the content type and the first characters.
 */
export async function readValue(
  response: Response,
  { context }: Pick<ApiRequest, "context">,
  { client, hint = "" }: Invocation,
): Promise<unknown> {
  const text = await response.text();
  if (!text) return undefined;
  context.kind = "decode";
  context.body = text.slice(0, 2000);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const type = response.headers.get("content-type");
    throw new SyntaxError(
      `expected JSON${hint}; received ${type}: ${text.slice(0, 99)}`,
    );
  }
  const { wrap } = client.service;
  return wrap ? wrap.decode(value) : value;
}
