import type { Wrap } from "./contract.js";

/**
 * Envelope `{"data": ...}`, for APIs whose description lists `dataWrapper` in
 * the field `features`. A body that already has a field `data` is not wrapped
 * again.
 */
export const dataWrapper: Wrap = {
  encode: (body) => (hasData(body) ? body : { data: body }),
  decode: (body) => (hasData(body) ? body.data : body),
};

function hasData(body: unknown): body is { data: unknown } {
  return Object.hasOwn(Object(body), "data");
}
