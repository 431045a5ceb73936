/* eslint-disable */
// biome-ignore-all lint: generated

import { decodeForm } from "../routing/percent.js";

/** Object that receives the decoded names and values of a query. */
export interface QueryReceiver {
  add(name: string, value: string): unknown;
}

const AMPERSAND = 38;
const EQUALS_SIGN = 61;
const PLUS = 43;
const PERCENT = 37;

/**
 * Parses form-encoded pairs (application/x-www-form-urlencoded) in order, in a
 * single pass.
 *
 * @returns the first malformed pair, if any. The receiver still receives all
 *   other pairs.
 */
export function readQuery(
  text: string,
  taker: QueryReceiver,
): string | undefined {
  let malformed: string | undefined;
  const { length } = text;
  let start = 0;
  while (start < length) {
    let equals = -1;
    let isPlain = true;
    let end = start;
    for (; end < length; end++) {
      const unit = text.charCodeAt(end);
      if (unit === AMPERSAND) break;
      if (unit === EQUALS_SIGN) equals = equals === -1 ? end : equals;
      else if (unit === PLUS || unit === PERCENT) isPlain = false;
    }
    if (end > start && !readPair(text, start, equals, end, isPlain, taker))
      malformed ??= text.slice(start, Math.min(end, start + 100));
    start = end + 1;
  }
  return malformed;
}

function readPair(
  text: string,
  start: number,
  equals: number,
  end: number,
  isPlain: boolean,
  taker: QueryReceiver,
): boolean {
  const raw = text.slice(start, equals === -1 ? end : equals);
  const rest = equals === -1 ? "" : text.slice(equals + 1, end);
  const name = isPlain ? raw : decodeForm(raw);
  const value = isPlain ? rest : decodeForm(rest);
  if (name === undefined || value === undefined) return false;
  taker.add(name, value);
  return true;
}
