import { hash } from "../platform/hash.js";
import { MAX_PLAIN_BYTES, readUnlinked } from "../platform/plain-file.js";
import { readScratch } from "../platform/scratch.js";
import type { FileState, PathInspector } from "./path-inspector.js";

/**
 * Tests whether a file has the expected content. Also returns true if the only
 * difference is CRLF instead of LF at line ends, as in a checkout with Git's
 * core.autocrlf.
 */
export function hasContent(
  out: string,
  relative: string,
  size: number,
  expected: Buffer,
): boolean {
  // With CRLF instead of LF, a file is at most twice as large as the expected
  // content. A larger file therefore has different content.
  if (size < expected.length || size > 2 * expected.length) return false;
  const current = readUnlinked(`${out}/${relative}`, size, readScratch);
  if (current === undefined) return false;
  return (
    current.equals(expected) ||
    (!expected.includes("\r") &&
      withoutCarriageReturns(current).equals(expected))
  );
}

/**
 * Tests whether a path is a regular file with the given content hash. Line
 * breaks in the file can be CRLF instead of LF.
 */
export function hasHash(
  out: string,
  relative: string,
  inspector: PathInspector,
  expected: string,
): boolean {
  const state = inspector.inspect(relative);
  return typeof state !== "string" && hasHashIn(out, relative, state, expected);
}

/**
 * Tests whether a regular file has the given content hash. Line breaks in the
 * file can be CRLF instead of LF.
 */
export function hasHashIn(
  out: string,
  relative: string,
  { size }: FileState,
  expected: string,
): boolean {
  if (size > MAX_PLAIN_BYTES) return false;
  const current = readUnlinked(
    `${out}/${relative}`,
    MAX_PLAIN_BYTES,
    readScratch,
  );
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
