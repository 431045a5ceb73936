/** Maximum number of UTF-16 code units in one part of a string. */
const PART = 1 << 20;

/**
 * Encodes a string as UTF-8 in parts, so that a large string is not in memory
 * twice. Each part is valid only until the next part is encoded.
 */
export function* encodedParts(text: string): Generator<Uint8Array> {
  const buffer = Buffer.allocUnsafeSlow(Math.min(text.length, PART) * 3);
  let start = 0;
  while (start < text.length) {
    const end = endOfPart(text, start + PART);
    const length = buffer.write(text.slice(start, end));
    yield buffer.subarray(0, length);
    start = end;
  }
}

/**
 * Returns the end of a part. The end is moved by one code unit if it would
 * split a surrogate pair.
 */
function endOfPart(text: string, end: number): number {
  if (end >= text.length) return text.length;
  const last = text.charCodeAt(end - 1);
  return last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}
