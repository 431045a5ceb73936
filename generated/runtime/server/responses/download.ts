/* eslint-disable */
// biome-ignore-all lint: generated

import type { ContentSource } from "../content.js";
import { ApiError } from "../error.js";
import { addHeaders } from "../headers.js";
import { OCTET_STREAM } from "../bodies/media.js";
import type { ResponseBody, Outgoing, ServerRequest } from "../request.js";

/** Range of bytes from `start` up to, but not including, `end`. */
interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Writes the response to a download request: the complete content, the requested range,
 * or status 304 if the caller already has the current content.
 *
 * @throws ApiError 412 if a precondition fails, 416 for an invalid range.
 */
export function writeContent(
  source: ContentSource,
  request: ServerRequest,
): Outgoing {
  const { etag, contentType = OCTET_STREAM } = source;
  const headers: Record<string, string> = {};
  addHeaders(headers, { ...source.headers, etag });
  const status = conditionOf(request, etag);
  if (status === 304) return { status, headers };
  headers["content-type"] = contentType;
  const size = sizeOf(source);
  if (size === undefined)
    return { status: 200, headers, body: bodyOf(source, undefined) };
  headers["accept-ranges"] = "bytes";
  const span = requestedRange(request, size, etag);
  const { start, end } = span ?? { start: 0, end: size };
  headers["content-length"] = String(end - start);
  if (span !== undefined)
    headers["content-range"] = `bytes ${start}-${end - 1}/${size}`;
  return {
    status: span === undefined ? 200 : 206,
    headers,
    body: bodyOf(source, { start, end }),
  };
}

/**
 * Evaluates the preconditions of a request. Returns 304 if the caller already
 * has the current content, otherwise 200.
 *
 * @throws ApiError 412 if `If-Match` does not match.
 */
export function conditionOf(
  request: ServerRequest,
  etag: string | undefined,
): 200 | 304 {
  const wanted = request.header("if-match");
  if (wanted !== undefined && !hasTag(wanted, etag, true))
    throw new ApiError(412, "The content has changed.");
  const known = request.header("if-none-match");
  return known !== undefined && hasTag(known, etag, false) ? 304 : 200;
}

function hasTag(
  list: string,
  etag: string | undefined,
  isStrong: boolean,
): boolean {
  if (list.trim() === "*") return true;
  if (etag === undefined) return false;
  const bare = (tag: string): string =>
    isStrong ? tag : tag.replace(/^W\//, "");
  if (isStrong && etag.startsWith("W/")) return false;
  return (list.match(/(?:W\/)?"[^"]*"/g) ?? []).some(
    (tag) => bare(tag) === bare(etag),
  );
}

function sizeOf({ body, size }: ContentSource): number | undefined {
  return body instanceof Uint8Array ? body.length : size;
}

function bodyOf(
  { body }: ContentSource,
  span: ByteRange | undefined,
): ResponseBody {
  if (body instanceof Uint8Array)
    return span === undefined ? body : body.subarray(span.start, span.end);
  if (typeof body === "function") return body(span?.start ?? 0, span?.end);
  return span === undefined ? body : sliceStream(body, span);
}

/**
 * Yields a range of a stream. The bytes before the range are read and skipped,
 * because a stream can be read only from its start.
 */
async function* sliceStream(
  chunks: AsyncIterable<Uint8Array>,
  { start, end }: ByteRange,
): AsyncGenerator<Uint8Array> {
  let at = 0;
  if (end === start) return;
  for await (const chunk of chunks) {
    const next = at + chunk.length;
    if (next > start)
      yield chunk.subarray(
        Math.max(0, start - at),
        Math.min(chunk.length, end - at),
      );
    at = next;
    if (at >= end) return;
  }
}

const ONE_RANGE = /^bytes=\s*(?:(\d{1,15})\s*)?-\s*(?:(\d{1,15})\s*)?$/i;

/**
 * Returns the requested range. Returns undefined if the response must contain
 * the complete content, for example because several ranges are requested.
 */
function requestedRange(
  request: ServerRequest,
  size: number,
  etag: string | undefined,
): ByteRange | undefined {
  const header = request.header("range");
  const condition = request.header("if-range");
  const match = ONE_RANGE.exec(header ?? "");
  if (match === null) return undefined;
  const [, first = "", last = ""] = match;
  if (first === "" && last === "") return undefined;
  if (condition !== undefined && !hasTag(condition, etag, true))
    return undefined;
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const end =
    first === "" || last === "" ? size : Math.min(size, Number(last) + 1);
  if (start < end) return { start, end };
  // Empty content is returned with 200, because clients that download in chunks
  // can't handle 416 for an empty file.
  if (start === 0 && size === 0) return undefined;
  if (first !== "" && last !== "" && Number(last) < Number(first))
    return undefined;
  throw new ApiError(416, "The range starts beyond the end of the content.", {
    headers: { "content-range": `bytes */${size}` },
  });
}
