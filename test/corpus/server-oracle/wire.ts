import { MemoryIncoming } from "./incoming.js";
import type { Expected, Payload, Seen } from "./records.js";

const BOUNDARY = "===============boundary==";

/** Returns a recorded request in a common form; clients use different line ends in parts. */
export function incomingOf({ record, expected, client }: Seen): MemoryIncoming {
  const { method, path, rawQuery, headers, body } = expected;
  const target = rawQuery === "" ? path : `${path}?${rawQuery}`;
  if (body?.parts === undefined)
    return new MemoryIncoming(method, target, headers, bytesOf(body, record));
  const line = client === "node" ? "\r\n" : "\n";
  const all = {
    ...headers,
    "content-type": `multipart/related; boundary="${BOUNDARY}"`,
  };
  return new MemoryIncoming(
    method,
    target,
    all,
    parts(body.parts, record, line),
  );
}

/** Returns the second request of a resumable upload, to the URL of the first response. */
export function uploadOf({ record }: Seen, location: string): MemoryIncoming {
  const { method, headers, body } = record.upload!;
  const url = new URL(location);
  const target = url.pathname + url.search;
  return new MemoryIncoming(method, target, headers, bytesOf(body, record));
}

function bytesOf(payload: Expected["body"], record: Seen["record"]): Buffer {
  if (payload === null) return Buffer.alloc(0);
  if (payload.ref === "input") return Buffer.from(JSON.stringify(record.body));
  if (payload.ref === "media")
    return Buffer.from(record.media!.base64, "base64");
  if (payload.base64 !== undefined)
    return Buffer.from(payload.base64, "base64");
  return Buffer.from(payload.text ?? JSON.stringify(payload.json));
}

function parts(
  list: NonNullable<Payload["parts"]>,
  record: Seen["record"],
  line: string,
): Buffer {
  const pieces = list.flatMap((part) => {
    const head = Object.entries(part.headers)
      .map(([name, value]) => `${name}: ${value}${line}`)
      .join("");
    return [
      Buffer.from(`--${BOUNDARY}${line}${head}${line}`),
      bytesOf(part, record),
      Buffer.from(line),
    ];
  });
  return Buffer.concat([...pieces, Buffer.from(`--${BOUNDARY}--`)]);
}
