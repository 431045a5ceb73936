import { decodeForm } from "./percent.js";

/** Takes names and values of a query, decoded. */
export interface Taker {
  take(name: string, value: string): unknown;
}

/**
 * Reads pairs as forms send them (application/x-www-form-urlencoded), in order.
 *
 * @returns the first pair that is malformed, if any; the others are taken.
 */
export function readQuery(text: string, taker: Taker): string | undefined {
  let malformed: string | undefined;
  let start = 0;
  const { length } = text;
  while (start < length) {
    let end = text.indexOf("&", start);
    if (end === -1) end = length;
    if (end > start && !readPair(text, start, end, taker))
      malformed ??= text.slice(start, Math.min(end, start + 100));
    start = end + 1;
  }
  return malformed;
}

function readPair(
  text: string,
  start: number,
  end: number,
  taker: Taker,
): boolean {
  const pair = text.slice(start, end);
  const equals = pair.indexOf("=");
  const name = decodeForm(equals === -1 ? pair : pair.slice(0, equals));
  const value = equals === -1 ? "" : decodeForm(pair.slice(equals + 1));
  if (name === undefined || value === undefined) return false;
  taker.take(name, value);
  return true;
}
