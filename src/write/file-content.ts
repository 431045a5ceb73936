import { createHash, type Hash } from "node:crypto";
import { readSync } from "node:fs";
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

/** Size in bytes of the parts in which large files are read. */
const PART = 1 << 20;

/**
 * Returns the same as `hasContent`, for large content. Compares hashes, so that
 * memory contains neither the file nor the expected content.
 * @param limit maximum size of a file that can have the content, in bytes
 */
export function hasLargeContent(
  out: string,
  relative: string,
  limit: number,
  expected: string,
): boolean {
  const isExpected = (descriptor: number): boolean =>
    hashOf(descriptor, false) === expected ||
    hashOf(descriptor, true) === expected;
  return readUnlinked(`${out}/${relative}`, limit, isExpected) === true;
}

/**
 * Returns the hash of an open file.
 * @param isNormalized true to hash LF instead of CRLF at line ends
 */
function hashOf(descriptor: number, isNormalized: boolean): string {
  const sum = createHash("sha256");
  const buffer = Buffer.allocUnsafeSlow(PART);
  let position = 0;
  let rest = "";
  for (;;) {
    const length = readSync(descriptor, buffer, 0, PART, position);
    if (length === 0) break;
    position += length;
    const part = buffer.subarray(0, length);
    if (isNormalized) rest = updateNormalized(sum, rest, part);
    else sum.update(part);
  }
  return sum.update(rest).digest("base64url");
}

/**
 * Adds a part of a file to a hash, with LF instead of CRLF. A CR at the end of
 * the part is not added but returned, because the next part can start with LF.
 */
function updateNormalized(sum: Hash, before: string, part: Buffer): string {
  if (before === "" && !part.includes("\r")) {
    sum.update(part);
    return "";
  }
  const text = before + part.toString("latin1");
  const rest = text.endsWith("\r") ? "\r" : "";
  const complete = text.slice(0, text.length - rest.length);
  sum.update(complete.replace(/\r\n/g, "\n"), "latin1");
  return rest;
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
