/* eslint-disable */
// biome-ignore-all lint: generated

import type { Wrap } from "./service.js";

/**
 * The envelope `{"data": ...}` of APIs with the feature `dataWrapper`. A body
 * that has a field `data` already is taken to be in its envelope.
 */
export const dataWrapper: Wrap = {
  encode: (body) => (hasData(body) ? body : { data: body }),
  decode: (body) => (hasData(body) ? body.data : body),
};

function hasData(body: unknown): body is { data: unknown } {
  return Object.hasOwn(Object(body), "data");
}
