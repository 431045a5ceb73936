/* eslint-disable */
// biome-ignore-all lint: generated

import { ApiError } from "../error.js";

/** What a request to an upload's session says of its bytes. */
export interface UploadRange {
  /** Offset of the first byte; undefined for a question about what is kept. */
  readonly start: number | undefined;
  /** Offset of the last byte; undefined for all up to the end of the request. */
  readonly last: number | undefined;
  /** Bytes of the whole content, where they are known. */
  readonly total: number | undefined;
  /** Whether the content ends with the request. */
  readonly isWhole: boolean;
}

const RANGE = /^bytes\s+(?:(\d{1,15})-(\d{1,15}|\*)|\*)\/(\d{1,15}|\*)$/i;

/** What the official Python client says of no bytes at all. */
const NOTHING = /^bytes\s+0--1\/0$/i;

/**
 * Reads `Content-Range` in all forms that clients send: none for the whole, and
 * `bytes A-B/N`, in which B, N, or all before the slash can be an asterisk.
 *
 * @throws ApiError 400 for anything else.
 */
export function parseContentRange(header: string | undefined): UploadRange {
  if (header === undefined || header.trim() === "")
    return { start: 0, last: undefined, total: undefined, isWhole: true };
  if (NOTHING.test(header.trim()))
    return { start: 0, last: undefined, total: 0, isWhole: true };
  const match = RANGE.exec(header.trim());
  if (match === null) throw badRange(header);
  const [, first, end, whole] = match;
  const total = whole === "*" ? undefined : Number(whole);
  if (first === undefined)
    return { start: undefined, last: undefined, total, isWhole: false };
  const start = Number(first);
  const last = end === "*" ? undefined : Number(end);
  if (last !== undefined && last < start) throw badRange(header);
  if (total !== undefined && (last ?? start) >= Math.max(total, start + 1))
    throw badRange(header);
  const isWhole = last === undefined || last + 1 === total;
  return { start, last, total, isWhole };
}

function badRange(header: string): ApiError {
  const text = JSON.stringify(header.slice(0, 100));
  return new ApiError(400, `Invalid Content-Range ${text}.`);
}
