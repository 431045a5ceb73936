/* eslint-disable */
// biome-ignore-all lint: generated

import type { Invocation } from "./contract.js";
import type { ApiRequest } from "./request.js";

/**
 * Parses the JSON body of a response; returns `undefined` for an empty body.
 * The content type is ignored, because some servers declare JSON as text.
 *
 * @throws SyntaxError for any other body, such as an HTML page from a proxy.
 *   The message contains the content type and the first characters.
 */
export async function readValue(
  response: Response,
  { facts }: Pick<ApiRequest, "facts">,
  { client }: Invocation,
): Promise<unknown> {
  const text = await response.text();
  if (!text) return undefined;
  facts.kind = "decode";
  facts.body = text.slice(0, 2000);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const type = response.headers.get("content-type");
    throw new SyntaxError(
      `expected JSON; received ${type}: ${text.slice(0, 99)}`,
    );
  }
  const { wrap } = client.service;
  return wrap ? wrap.decode(value) : value;
}
