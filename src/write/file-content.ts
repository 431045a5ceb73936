import path from "node:path";
import { hash } from "../platform/hash.js";
import { MAX_PLAIN_BYTES, readUnlinked } from "../platform/plain-file.js";
import type { PathInspector } from "./path-inspector.js";

/**
 * Whether a file holds a text. Checkouts may have CRLF where the text has LF
 * (Git's core.autocrlf): a difference in nothing else is none.
 */
export function hasText(
  out: string,
  relative: string,
  size: number,
  text: string,
): boolean {
  const wanted = Buffer.from(text);
  // At most one CR for each LF: a larger file needs no reading.
  if (size < wanted.length || size > 2 * wanted.length) return false;
  const current = readUnlinked(path.join(out, relative), size);
  if (current === undefined) return false;
  return (
    current.equals(wanted) ||
    (!wanted.includes("\r") && withoutCarriageReturns(current).equals(wanted))
  );
}

/** Whether a plain file has a hash, be it with CRLF in place of LF. */
export function hasHash(
  out: string,
  relative: string,
  inspector: PathInspector,
  expected: string,
): boolean {
  const found = inspector.inspect(relative);
  if (typeof found === "string" || found.size > MAX_PLAIN_BYTES) return false;
  const current = readUnlinked(path.join(out, relative));
  if (current === undefined) return false;
  return (
    hash(current) === expected ||
    (current.includes("\r\n") &&
      hash(withoutCarriageReturns(current)) === expected)
  );
}

function withoutCarriageReturns(content: Buffer): Buffer {
  return content.includes("\r\n")
    ? Buffer.from(content.toString("latin1").replace(/\r\n/g, "\n"), "latin1")
    : content;
}
