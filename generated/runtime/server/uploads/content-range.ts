/* eslint-disable */
// biome-ignore-all lint: generated

import { ApiError } from "../error.js";

/** Byte range that a request to an upload session contains. */
export interface UploadRange {
  /**
   * Offset of the first byte; undefined if the request only queries the state
   * of the upload.
   */
  readonly start: number | undefined;
  /**
   * Offset of the last byte; undefined if the range extends to the end of the
   * request body.
   */
  readonly last: number | undefined;
  /** Size of the complete content, if known. */
  readonly total: number | undefined;
  /** True if the request contains the last byte of the content. */
  readonly isWhole: boolean;
}

const RANGE = /^bytes\s+(?:(\d{1,15})-(\d{1,15}|\*)|\*)\/(\d{1,15}|\*)$/i;

/**
 * Matches an invalid value that the official Python client sends for empty
 * content.
 */
const NOTHING = /^bytes\s+0--1\/0$/i;

/**
 * Parses the `Content-Range` header in all forms that clients send. If the
 * header is absent, the request contains the complete content. Otherwise, the
 * header has the form `bytes A-B/N`, in which `B`, `N` or `A-B` can be an
 * asterisk.
 *
 * @throws ApiError 400 for any other value.
 */
export function parseContentRange(header: string | undefined): UploadRange {
  if (header === undefined || header.trim() === "")
    return { start: 0, last: undefined, total: undefined, isWhole: true };
  if (NOTHING.test(header.trim()))
    return { start: 0, last: undefined, total: 0, isWhole: true };
  const match = RANGE.exec(header.trim());
  if (match === null) throw badRange(header);
  const [, first, end, size] = match;
  const total = size === "*" ? undefined : Number(size);
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
