/**
 * Text that was decoded from the bytes of a file, without its byte order mark.
 */
export interface SourceText {
  /** Text without the byte order mark. */
  readonly text: string;
  readonly hasBom: boolean;
  /**
   * Offset of the first invalid byte sequence or control character; -1 if there
   * is none.
   */
  readonly invalidOffset: number;
}

const BOM = "\ufeff";

/** Decodes UTF-8 and finds the first invalid byte or control character. */
export function decode(bytes: Uint8Array): SourceText {
  const decoded = Buffer.from(bytes).toString("utf8");
  const hasBom = decoded.startsWith(BOM);
  const text = hasBom ? decoded.slice(1) : decoded;
  return { text, hasBom, invalidOffset: findInvalid(bytes, text) };
}

/** Encodes a string as UTF-8, with a byte order mark if `hasMark` is true. */
export function encode(text: string, hasMark: boolean): Buffer {
  return Buffer.from(hasMark ? BOM + text : text, "utf8");
}

function findInvalid(bytes: Uint8Array, text: string): number {
  const isUtf16 =
    (bytes[0] === 0xff && bytes[1] === 0xfe) ||
    (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (isUtf16) return 0;
  // The decoder replaces an invalid byte sequence with U+FFFD. A file that
  // itself contains this character is rejected too, but such files are rare.
  return text.search(/[\u0000-\u0008\u000e-\u001f\u007f\ufffd]/);
}
