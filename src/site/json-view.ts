const QUOTE = 34;
const BACKSLASH = 92;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;
const OPEN_ARRAY = 91;
const CLOSE_ARRAY = 93;
const COMMA = 44;
const COLON = 58;

/**
 * View of a JSON value in the bytes of a document. The value is parsed only
 * when needed: a document can be several megabytes in size, and a member can be
 * found without creating objects for all values. A malformed value has no
 * members; the document check reports the syntax error.
 */
export class JsonView {
  readonly bytes: Buffer;
  /** Offset of the first byte of the value. */
  readonly start: number;
  /** Offset after the last byte of the value. */
  readonly end: number;
  #members: Map<string, JsonView> | undefined;

  constructor(bytes: Buffer, start: number, end: number) {
    this.bytes = bytes;
    this.start = start;
    this.end = end;
  }

  /**
   * Members of an object, in the order of the document. If a name occurs more
   * than once, only the last member is included. Empty if the value is not an
   * object.
   */
  get members(): ReadonlyMap<string, JsonView> {
    return (this.#members ??= readMembers(this.bytes, this.start, this.end));
  }

  /**
   * Returns the value that is reached by following member names; undefined if
   * it does not exist.
   */
  at(...path: readonly string[]): JsonView | undefined {
    let view: JsonView | undefined = this as JsonView;
    for (const name of path) view = view?.members.get(name);
    return view;
  }

  /** Parses the value. Returns undefined if the text is malformed. */
  value(): unknown {
    try {
      return JSON.parse(this.bytes.toString("utf8", this.start, this.end));
    } catch {
      return undefined;
    }
  }

  /** Returns the value if it is a string, otherwise undefined. */
  text(): string | undefined {
    if (this.bytes[this.start] !== QUOTE) return undefined;
    const value = this.value();
    return typeof value === "string" ? value : undefined;
  }
}

/**
 * Returns a view of the JSON value in the bytes of a file. Skips a byte order
 * mark.
 */
export function viewOf(bytes: Buffer): JsonView {
  const start =
    bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  const first = skipSpace(bytes, start, bytes.length);
  return new JsonView(bytes, first, bytes.length);
}

function readMembers(
  bytes: Buffer,
  start: number,
  end: number,
): Map<string, JsonView> {
  const members = new Map<string, JsonView>();
  if (bytes[start] !== OPEN_OBJECT) return members;
  let at = skipSpace(bytes, start + 1, end);
  while (at < end && bytes[at] === QUOTE) {
    const keyEnd = skipString(bytes, at, end);
    const key = keyOf(bytes, at, keyEnd);
    at = skipSpace(bytes, keyEnd, end);
    if (key === undefined || bytes[at] !== COLON) return members;
    const from = skipSpace(bytes, at + 1, end);
    const to = skipValue(bytes, from, end);
    members.set(key, new JsonView(bytes, from, to));
    at = skipSpace(bytes, to, end);
    if (bytes[at] !== COMMA) break;
    at = skipSpace(bytes, at + 1, end);
  }
  return members;
}

function keyOf(bytes: Buffer, start: number, end: number): string | undefined {
  const raw = bytes.toString("utf8", start + 1, end - 1);
  if (!raw.includes("\\")) return raw;
  try {
    return JSON.parse(`"${raw}"`) as string;
  } catch {
    return undefined;
  }
}

function skipSpace(bytes: Buffer, start: number, end: number): number {
  let at = start;
  while (at < end && bytes[at]! <= 32) at++;
  return at;
}

/** Returns the offset after the closing quote of a string. */
function skipString(bytes: Buffer, start: number, end: number): number {
  let at = start + 1;
  while (at < end && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return Math.min(at + 1, end);
}

/**
 * Returns the offset after a value. The function is a single loop without
 * calls, for speed: files can be several megabytes in size, and the service
 * must start within milliseconds.
 */
function skipValue(bytes: Buffer, start: number, end: number): number {
  let at = start;
  let depth = 0;
  while (at < end) {
    const byte = bytes[at]!;
    if (byte === QUOTE) {
      at++;
      while (at < end) {
        const inner = bytes[at]!;
        if (inner === QUOTE) break;
        at += inner === BACKSLASH ? 2 : 1;
      }
      if (depth === 0) return at < end ? at + 1 : end;
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth++;
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      if (depth === 0) return at;
      if (--depth === 0) return at + 1;
    } else if (depth === 0 && (byte === COMMA || byte <= 32)) return at;
    at++;
  }
  return end;
}
