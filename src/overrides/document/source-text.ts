/** The text of a file, with what has to be put back when it is written. */
export interface SourceText {
  /** Without the byte order mark. */
  readonly text: string;
  readonly hasMark: boolean;
  /** Offset of the first thing that is not text; -1 where all is. */
  readonly badAt: number;
}

const MARK = "\ufeff";

/** Reads UTF-8; says where the bytes are something else. */
export function decode(bytes: Uint8Array): SourceText {
  const whole = Buffer.from(bytes).toString("utf8");
  const hasMark = whole.startsWith(MARK);
  const text = hasMark ? whole.slice(1) : whole;
  return { text, hasMark, badAt: firstBad(bytes, text) };
}

/** The bytes of a text as they were read. */
export function encode(text: string, hasMark: boolean): Buffer {
  return Buffer.from(hasMark ? MARK + text : text, "utf8");
}

function firstBad(bytes: Uint8Array, text: string): number {
  const isUtf16 =
    (bytes[0] === 0xff && bytes[1] === 0xfe) ||
    (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (isUtf16) return 0;
  // A replacement character that the bytes really hold is rare enough to be refused too.
  return text.search(/[\u0000-\u0008\u000e-\u001f\u007f\ufffd]/);
}
