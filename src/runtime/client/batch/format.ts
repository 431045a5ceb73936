import type { ApiRequest } from "../request.js";

/**
 * Formats a request as a part of type `application/http`.
 *
 * @param id the `Content-ID`.
 * @throws TypeError for a body that is not text.
 */
export function formatPart(
  { url, init, facts }: ApiRequest,
  id: string,
): string {
  // Parse the URL without its query: the platform's error would quote it.
  const { pathname } = new URL(facts.url!);
  const search = url.slice(facts.url!.length);
  const lines = [
    "Content-Type: application/http",
    `Content-ID: <${id}>`,
    "",
    `${init.method} ${pathname}${search} HTTP/1.1`,
  ];
  for (const [name, value] of Object.entries(init.headers))
    lines.push(`${name}: ${value}`);
  const body = init.body == null ? "" : init.body;
  if (typeof body !== "string")
    throw new TypeError("media cannot go in a batch");
  if (body)
    lines.push(`content-length: ${new TextEncoder().encode(body).length}`);
  return [...lines, "", body].join("\r\n");
}

/** Limits of a response: parts, characters and lines of the head of a part. */
const MAX = { parts: 10_000, head: 65_536, headers: 1000 };

/**
 * Splits a `multipart/mixed` body (RFC 2046 §5.1.1) into its parts. Searches
 * for delimiters instead of splitting lines, so time is linear in the length.
 *
 * @throws SyntaxError for a body that is incomplete or has too many parts.
 */
export function splitParts(type: string, text: string): string[] {
  const [, quoted, plain] =
    /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(type) ?? [];
  const boundary = quoted ?? plain;
  if (!boundary) throw new SyntaxError("the batch response has no boundary");
  const mark = `--${boundary}`;
  const parts: string[] = [];
  let start = -1;
  for (let at = text.indexOf(mark); at >= 0;) {
    let end = at + mark.length;
    const isLast = text.startsWith("--", end);
    if (isLast) end += 2;
    // White space between boundary and line end is padding.
    while (end < text.length && " \t\r".includes(text[end]!)) end++;
    const isLine = end >= text.length || text[end] === "\n";
    if (isLine && (at === 0 || text[at - 1] === "\n")) {
      if (start >= 0) parts.push(text.slice(start, at).replace(/\r?\n$/, ""));
      if (parts.length > MAX.parts)
        throw new SyntaxError(
          `the batch response has more than ${MAX.parts} parts`,
        );
      if (isLast) return parts;
      start = end + 1;
    }
    at = text.indexOf(mark, Math.max(end, at + mark.length));
  }
  throw new SyntaxError("the batch response is incomplete");
}

/** Parses a part into its response and its `Content-ID`. */
export function parsePart(part: string): { id: string; response: Response } {
  const [outer, inner] = splitHead(part.trimStart());
  const [head, body] = splitHead(inner);
  const [start = "", ...lines] = head.split(/\r?\n/);
  const [, status, statusText = ""] =
    /^HTTP\/[\d.]{1,9} (\d{3}) ?(.*)$/.exec(start) ?? [];
  if (!status)
    throw new SyntaxError("a part of the batch is not an HTTP response");
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
 * Splits a text at its first empty line.
 *
 * @throws SyntaxError for a head that is longer than the limit.
 */
function splitHead(text: string): [head: string, rest: string] {
  const at = /\r?\n\r?\n/.exec(text);
  if ((at?.index ?? text.length) > MAX.head)
    throw new SyntaxError(
      `the head of a part has more than ${MAX.head} characters`,
    );
  if (!at) return [text, ""];
  return [text.slice(0, at.index), text.slice(at.index + at[0].length)];
}

function headersOf(lines: readonly string[]): Headers {
  if (lines.length > MAX.headers)
    throw new SyntaxError(
      `the head of a part has more than ${MAX.headers} lines`,
    );
  const headers = new Headers();
  for (const line of lines) {
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(colon, 0));
    if (name && !/\s/.test(name))
      headers.append(name, line.slice(colon + 1).trim());
  }
  return headers;
}
