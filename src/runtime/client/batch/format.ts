import type { ApiRequest } from "../request.js";

/**
 * A request as a part: `application/http` with its place as `Content-ID`.
 *
 * @throws TypeError for a body that is no text.
 */
export function formatPart(
  { url, init, facts }: ApiRequest,
  id: string,
): string {
  // The platform's error for a bad URL holds it: without its query.
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

/** Bounds of a response, beyond which it makes no sense. */
const MAX = { parts: 10_000, head: 65_536, headers: 1000 };

/**
 * The parts of a `multipart/mixed` body (RFC 2046 §5.1.1), in time linear in
 * its length: delimiters are found, not lines split.
 *
 * @throws SyntaxError for a body that breaks off or has too many parts.
 */
export function splitParts(type: string, text: string): string[] {
  const [, quoted, plain] =
    /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(type) ?? [];
  const boundary = quoted ?? plain;
  if (!boundary) throw new SyntaxError("the batch has no boundary");
  const mark = `--${boundary}`;
  const parts: string[] = [];
  let start = -1;
  for (let at = text.indexOf(mark); at >= 0;) {
    let end = at + mark.length;
    const isLast = text.startsWith("--", end);
    if (isLast) end += 2;
    // Blanks between boundary and line end are padding.
    while (end < text.length && " \t\r".includes(text[end]!)) end++;
    const isLine = end >= text.length || text[end] === "\n";
    if (isLine && (at === 0 || text[at - 1] === "\n")) {
      if (start >= 0) parts.push(text.slice(start, at).replace(/\r?\n$/, ""));
      if (parts.length > MAX.parts)
        throw new SyntaxError(`the batch has over ${MAX.parts} parts`);
      if (isLast) return parts;
      start = end + 1;
    }
    at = text.indexOf(mark, Math.max(end, at + mark.length));
  }
  throw new SyntaxError("the batch breaks off");
}

/** The response in a part, and the `Content-ID` that it came with. */
export function parsePart(part: string): { id: string; response: Response } {
  const [outer, inner] = splitHead(part.trimStart());
  const [head, body] = splitHead(inner);
  const [start = "", ...lines] = head.split(/\r?\n/);
  const [, status, statusText = ""] =
    /^HTTP\/[\d.]{1,9} (\d{3}) ?(.*)$/.exec(start) ?? [];
  if (!status) throw new SyntaxError("a part of the batch is no response");
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
 * What is before the first empty line, and what is after it.
 *
 * @throws SyntaxError for a head that is longer than servers send.
 */
function splitHead(text: string): [head: string, rest: string] {
  const at = /\r?\n\r?\n/.exec(text);
  if ((at?.index ?? text.length) > MAX.head)
    throw new SyntaxError(`a head has over ${MAX.head} characters`);
  if (!at) return [text, ""];
  return [text.slice(0, at.index), text.slice(at.index + at[0].length)];
}

function headersOf(lines: readonly string[]): Headers {
  if (lines.length > MAX.headers)
    throw new SyntaxError(`a head has over ${MAX.headers} lines`);
  const headers = new Headers();
  for (const line of lines) {
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(colon, 0));
    if (name && !/\s/.test(name))
      headers.append(name, line.slice(colon + 1).trim());
  }
  return headers;
}
