/* eslint-disable */
// biome-ignore-all lint: generated

import type { Invocation } from "./call.js";
import type { ApiRequest } from "./request.js";

/**
 * The value of an answer: nothing (`undefined`) for an empty body; the text
 * for `text/*`; parsed for JSON and for an answer without a content type; a
 * `Blob` for any other type.
 *
 * @throws SyntaxError for text that is not JSON but should be.
 */
export async function readValue(
  response: Response,
  { facts }: ApiRequest,
  { client }: Invocation,
): Promise<unknown> {
  const type = response.headers.get("content-type") ?? "json";
  const isJson = /json/i.test(type);
  if (!isJson && !/^text\//i.test(type)) {
    const blob = await response.blob();
    return blob.size ? blob : undefined;
  }
  const text = await response.text();
  if (!text || !isJson) return text || undefined;
  facts.kind = "decode";
  facts.body = text.slice(0, 2000);
  const value: unknown = JSON.parse(text);
  const { wrap } = client.service;
  return wrap ? wrap.decode(value) : value;
}
