/* eslint-disable */
// biome-ignore-all lint: generated

import type { ApiRequest } from "../request.js";

/**
 * A request as a part: `application/http` with its place as `Content-ID`.
 *
 * @throws TypeError for a body that is no text.
 */
export function formatPart({ url, init }: ApiRequest, id: string): string {
  const { pathname, search } = new URL(url);
  const lines = [
    "Content-Type: application/http",
    `Content-ID: <${id}>`,
    "",
    `${init.method} ${pathname}${search} HTTP/1.1`,
  ];
  for (const [name, value] of Object.entries(init.headers))
    lines.push(`${name}: ${value}`);
  const body = init.body == null ? "" : init.body;
  if (typeof body != "string")
    throw new TypeError("media cannot go in a batch");
  if (body)
    lines.push(`content-length: ${new TextEncoder().encode(body).length}`);
  return [...lines, "", body].join("\r\n");
}

/** The parts of a `multipart/mixed` body. */
export function splitParts(type: string, text: string): string[] {
  const [, quoted, plain] =
    /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(type) ?? [];
  const boundary = quoted ?? plain;
  if (!boundary) throw new SyntaxError("the batch has no boundary");
  const parts: string[] = [];
  let current: string[] | undefined;
  for (const line of text.split("\n")) {
    const bare = line.replace(/[ \t\r]+$/, "");
    if (bare != `--${boundary}` && bare != `--${boundary}--`) {
      current?.push(line);
      continue;
    }
    if (current) parts.push(current.join("\n").replace(/\r$/, ""));
    current = bare.endsWith(`${boundary}--`) ? undefined : [];
    if (!current) return parts;
  }
  throw new SyntaxError("the batch breaks off");
}

/** The response in a part, and the `Content-ID` that it came with. */
export function parsePart(part: string): { id: string; response: Response } {
  const [outer, inner] = cut(part.replace(/^\s+/, ""));
  const [head, body] = cut(inner);
  const [start = "", ...lines] = head.split(/\r?\n/);
  const [, status, statusText = ""] =
    /^HTTP\/\S+ (\d{3}) ?(.*)$/.exec(start) ?? [];
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

/** What is before the first empty line, and what is after it. */
function cut(text: string): [head: string, rest: string] {
  const at = /\r?\n\r?\n/.exec(text);
  if (!at) return [text, ""];
  return [text.slice(0, at.index), text.slice(at.index + at[0].length)];
}

function headersOf(lines: readonly string[]): Headers {
  const headers = new Headers();
  for (const line of lines) {
    const [, name = "", value = ""] = /^([^:\s]+):[ \t]*(.*)$/.exec(line) ?? [];
    if (name) headers.append(name, value);
  }
  return headers;
}
