/* eslint-disable */
// biome-ignore-all lint: generated

import type { ApiRequest } from "./request.js";

/**
 * Formats a request as a part of type `application/http`.
 *
 * @param id value of the `Content-ID` header.
 * @throws TypeError for a body that is not a string.
 */
export function formatPart(
  { url, init, context }: ApiRequest,
  id: string,
): string {
  // The query is removed before the URL is parsed, because the platform's error
  // messages contain the URL, and a query can contain secrets.
  const { pathname } = new URL(context.url!);
  const search = url.slice(context.url!.length);
  const lines = [
    "Content-Type: application/http",
    `Content-ID: <${id}>`,
    "",
    `${init.method} ${pathname}${search} HTTP/1.1`,
  ];
  for (const [name, value] of Object.entries(init.headers))
    lines.push(`${name}: ${value}`);
  const body = init.body ?? "";
  if (typeof body !== "string")
    throw new TypeError("the body of a call in a batch must be text");
  if (body)
    lines.push(`content-length: ${new TextEncoder().encode(body).length}`);
  return [...lines, "", body].join("\r\n");
}

/**
 * Splits a `multipart/mixed` body (RFC 2046 §5.1.1) into its parts in linear
 * time.
 *
 * @throws SyntaxError for a body that is incomplete or has over 10,000 parts.
 */
export function splitParts(type: string, text: string): string[] {
  const [, quoted, plain] =
    /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(type) ?? [];
  const boundary = (quoted ?? plain)?.replace(/\W/g, "\\$&");
  if (!boundary) throw new SyntaxError("the batch response has no boundary");
  // White space after a boundary on the same line is padding (RFC 2046).
  const delimiters = text.matchAll(
    new RegExp(`(?:^|\\n)--${boundary}(--)?[ \\t\\r]*(?=\\n|$)`, "g"),
  );
  const parts: string[] = [];
  let start = -1;
  for (const { 0: delimiter, 1: last, index } of delimiters) {
    if (start >= 0) parts.push(text.slice(start, index).replace(/\r$/, ""));
    checkLimit(parts.length, 10_000, "parts");
    if (last) return parts;
    start = index + delimiter.length + 1;
  }
  throw new SyntaxError("the batch response is incomplete");
}

/** @throws SyntaxError if `count` exceeds `limit`. */
function checkLimit(count: number, limit: number, unit: string): void {
  if (count > limit)
    throw new SyntaxError(`the batch response has more than ${limit} ${unit}`);
}

/**
 * Parses a part of a batch response. Returns the response and its `Content-ID`.
 */
export function parsePart(part: string): { id: string; response: Response } {
  const [outer, inner] = splitHead(part.trimStart());
  const [head, body] = splitHead(inner);
  const [start = "", ...lines] = head.split(/\r?\n/);
  const [, status, statusText = ""] =
    /^HTTP\/[\d.]{1,9} (\d{3}) ?(.*)$/.exec(start) ?? [];
  if (!status) throw new SyntaxError("the batch response has an invalid part");
  const empty = /^(204|205|304)$/.test(status);
  const response = new Response(empty ? null : body, {
    status: Number(status),
    statusText,
    headers: headersOf(lines),
  });
  const id = headersOf(outer.split(/\r?\n/)).get("content-id") ?? "";
  return { id: id.replace(/^<|>$/g, ""), response };
}

/**
 * Splits a string at its first empty line.
 *
 * @throws SyntaxError for headers of more than 65,536 characters in total.
 */
function splitHead(text: string): [head: string, rest: string] {
  const end = /\r?\n\r?\n/.exec(text);
  const { index = text.length } = end ?? {};
  checkLimit(index, 65_536, "header characters in a part");
  return [text.slice(0, index), text.slice(index + (end?.[0].length ?? 0))];
}

/** @throws SyntaxError for more than 1,000 lines. */
function headersOf(lines: readonly string[]): Headers {
  checkLimit(lines.length, 1000, "header lines in a part");
  const headers = new Headers();
  for (const line of lines) {
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(colon, 0));
    if (name && !/\s/.test(name))
      headers.append(name, line.slice(colon + 1).trim());
  }
  return headers;
}
