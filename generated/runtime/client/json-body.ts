/* eslint-disable */
// biome-ignore-all lint: generated

import type { Invocation, Payload } from "./contract.js";

/**
 * Encodes `requestBody` as JSON, in the envelope of the API if it has one. Used
 * for methods with a `request` in the API description.
 *
 * @throws TypeError for a body without a JSON form (a cycle, a bigint), and for
 *   a body with GET or HEAD, which `fetch` can't send.
 */
export function jsonBody(call: Invocation): Payload | undefined {
  const { requestBody } = call.parameters;
  if (requestBody === undefined) return undefined;
  const { httpMethod = "GET" } = call.descriptor;
  if (/^(GET|HEAD)$/.test(httpMethod))
    throw new TypeError(`${httpMethod} must not have a requestBody`);
  const { wrap } = call.client.service;
  const body = JSON.stringify(wrap ? wrap.encode(requestBody) : requestBody);
  return { body, headers: { "content-type": "application/json" } };
}
