/* eslint-disable */
// biome-ignore-all lint: generated

// This file is longer than 250 lines, because the steps of the parser share a
// buffer of received bytes.

import { ApiError } from "../error.js";
import { readHeaderLines } from "./header-lines.js";

/**
 * Part of a multipart body. The content must be read before the next part is
 * requested; otherwise the content is skipped.
 */
export interface Part {
  /**
   * Header values, keyed by lower-case name; empty for a part without headers.
   */
  readonly headers: ReadonlyMap<string, string>;
  /** Returns the content without the line break before the delimiter. */
  chunks(): AsyncIterable<Uint8Array>;
}

/** Maximum size of a part's headers in bytes. */
const HEADER = 16 * 1024;

/**
 * Maximum size in bytes of the epilogue, the data after the closing delimiter.
 */
const EPILOGUE = 16 * 1024;

/** Maximum length of a boundary in characters (RFC 2046). */
const BOUNDARY = 70;

/**
 * Maximum number of spaces and tabs after a delimiter. A line with more of them
 * is not a delimiter; it counts as content.
 */
const PADDING = 64;

/**
 * Returns the boundary in a multipart content type. The boundary can be
 * unquoted, or in double or single quotes.
 *
 * @throws ApiError 400 if the content type has no valid boundary.
 */
export function boundaryOf(contentType: string): string {
  const match =
    /;\s*boundary\s*=\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([^;\s]+))/i.exec(
      contentType,
    );
  const boundary =
    match?.[1]?.replace(/\\(.)/g, "$1") ?? match?.[2] ?? match?.[3] ?? "";
  if (boundary === "" || boundary.length > BOUNDARY)
    throw malformedMultipart("The content type must have a boundary.");
  return boundary;
}

/**
 * Parses a multipart body while it is being received. Lines end with CR LF or
 * LF. A line that only resembles a delimiter counts as content.
 *
 * @throws ApiError 400 for a malformed or incomplete body.
 */
export async function* readParts(
  chunks: AsyncIterable<Uint8Array>,
  boundary: string,
): AsyncGenerator<Part> {
  const reader = new PartReader(chunks, boundary);
  try {
    await reader.start();
    while (!reader.isDone) {
      const headers = await reader.headers();
      yield { headers, chunks: () => reader.content() };
      for await (const _ of reader.content()) {
        // The loop skips content that the caller did not read.
      }
    }
    await reader.end();
  } finally {
    await reader.close();
  }
}

/** Returns the error for a malformed multipart body. */
export function malformedMultipart(message: string, cause?: unknown): ApiError {
  return new ApiError(400, message, { reason: "parseError", cause });
}

const LF = 10;
const CR = 13;
const DASH = 45;

/**
 * Result of a search for a delimiter line: the start and end of the line, or
 * the number of bytes at the start of the buffer that can't be part of a
 * delimiter.
 */
type DelimiterSearch =
  | { readonly at: number; readonly end: number; readonly isLast: boolean }
  | { readonly safe: number };

class PartReader {
  /** True after the closing delimiter has been read. */
  isDone = false;
  /**
   * Bytes that have been received but not yet consumed; a view into `#space`,
   * unless that is undefined.
   */
  #buffer: Uint8Array = new Uint8Array();
  /**
   * Memory that contains the buffer and grows as needed, and the position of
   * the buffer in this memory.
   */
  #space: Uint8Array | undefined;
  #start = 0;
  /**
   * Number of bytes at the start of the buffer that were already searched for a
   * line break.
   */
  #searched = 0;
  #isEnded = false;
  #isInPart = false;
  readonly #source: AsyncIterator<Uint8Array>;
  readonly #delimiter: Uint8Array;

  constructor(chunks: AsyncIterable<Uint8Array>, boundary: string) {
    this.#source = chunks[Symbol.asyncIterator]();
    this.#delimiter = new TextEncoder().encode(`--${boundary}`);
  }

  /** Skips the preamble up to the first delimiter. */
  async start(): Promise<void> {
    // A delimiter must follow a line break. Therefore, a line break is inserted
    // before the body, so that the body can begin with a delimiter.
    this.#buffer = Uint8Array.of(LF);
    this.#isInPart = true;
    for await (const _ of this.content()) {
      // The loop discards the preamble.
    }
  }

  async headers(): Promise<ReadonlyMap<string, string>> {
    const lines: string[] = [];
    let size = 0;
    for (;;) {
      const line = await this.#line();
      if (line === "") break;
      size += line.length;
      if (size > HEADER)
        throw malformedMultipart("The headers of a part are too long.");
      lines.push(line);
    }
    this.#isInPart = true;
    return readHeaderLines(lines);
  }

  /**
   * Yields the remaining content of a part, and consumes the delimiter after
   * the content.
   */
  async *content(): AsyncGenerator<Uint8Array> {
    while (this.#isInPart) {
      const hit = this.#findDelimiter();
      if ("safe" in hit) {
        if (hit.safe > 0) yield this.#consume(hit.safe);
        if (!(await this.#readChunk()))
          throw malformedMultipart("The body ends before a part is complete.");
        continue;
      }
      const hasCr = hit.at > 0 && this.#buffer[hit.at - 1] === CR;
      const rest = this.#consume(hasCr ? hit.at - 1 : hit.at);
      this.#consume(hit.end - rest.length);
      this.#isInPart = false;
      this.isDone = hit.isLast;
      if (rest.length > 0) yield rest;
    }
  }

  /**
   * Reads the epilogue after the closing delimiter, so that the connection can
   * be reused.
   */
  async end(): Promise<void> {
    let left = EPILOGUE;
    for (;;) {
      left -= this.#consume(this.#buffer.length).length;
      if (left < 0 || !(await this.#readChunk())) return;
    }
  }

  async close(): Promise<void> {
    await this.#source.return?.();
  }

  /** Finds the first delimiter in the buffer. */
  #findDelimiter(): DelimiterSearch {
    const buffer = this.#buffer;
    let at = buffer.indexOf(LF);
    while (at !== -1) {
      const end = this.#delimiterEnd(at + 1);
      if (end === undefined) return { safe: this.#beforeCr(at) };
      if (end !== -1) return { at, end: Math.abs(end), isLast: end < 0 };
      at = buffer.indexOf(LF, at + 1);
    }
    return { safe: this.#beforeCr(buffer.length) };
  }

  /**
   * Returns the end of the content that precedes a position. A CR before the
   * position is excluded, because it can belong to the delimiter.
   */
  #beforeCr(at: number): number {
    return at > 0 && this.#buffer[at - 1] === CR ? at - 1 : at;
  }

  /**
   * Returns the end of the delimiter line that starts at a position. The number
   * is negative for the closing delimiter. Returns -1 if the line is not a
   * delimiter, and undefined if more bytes are needed to decide.
   */
  #delimiterEnd(start: number): number | undefined {
    const buffer = this.#buffer;
    const mark = this.#delimiter;
    for (let index = 0; index < mark.length; index++) {
      if (start + index >= buffer.length) return this.#isEnded ? -1 : undefined;
      if (buffer[start + index] !== mark[index]) return -1;
    }
    let at = start + mark.length;
    if (buffer[at] === DASH && buffer[at + 1] === DASH) return -(at + 2);
    if (buffer[at] === DASH && at + 1 >= buffer.length)
      return this.#isEnded ? -1 : undefined;
    const most = at + PADDING;
    while (at < most && (buffer[at] === 32 || buffer[at] === 9)) at++;
    if (buffer[at] === CR) at++;
    if (at >= buffer.length) return this.#isEnded ? -1 : undefined;
    return buffer[at] === LF ? at + 1 : -1;
  }

  async #line(): Promise<string> {
    for (;;) {
      const end = this.#buffer.indexOf(LF, this.#searched);
      if (end !== -1) {
        const line = new TextDecoder().decode(this.#consume(end + 1));
        return line.replace(/\r?\n$/, "");
      }
      this.#searched = this.#buffer.length;
      if (this.#buffer.length > HEADER)
        throw malformedMultipart("The headers of a part are too long.");
      if (!(await this.#readChunk()))
        throw malformedMultipart("The body ends before a part is complete.");
    }
  }

  #consume(count: number): Uint8Array {
    const taken = this.#buffer.subarray(0, count);
    this.#buffer = this.#buffer.subarray(count);
    this.#start += count;
    this.#searched = 0;
    return taken;
  }

  /**
   * Reads the next chunk. Returns false at the end of the body if all bytes
   * have been parsed.
   */
  async #readChunk(): Promise<boolean> {
    const { done, value } = await this.#source.next();
    if (done === true) {
      const isNews = !this.#isEnded;
      this.#isEnded = true;
      return isNews && this.#buffer.length > 0;
    }
    this.#append(value);
    return true;
  }

  /**
   * Appends bytes in amortized linear time. Consumed bytes are never
   * overwritten, because callers can still use them.
   */
  #append(chunk: Uint8Array): void {
    const { length } = this.#buffer;
    if (length === 0) {
      this.#space = undefined;
      this.#buffer = chunk;
      return;
    }
    const size = length + chunk.length;
    if (this.#space === undefined || this.#space.length - this.#start < size) {
      this.#space = new Uint8Array(2 * size);
      this.#space.set(this.#buffer);
      this.#start = 0;
    }
    this.#space.set(chunk, this.#start + length);
    this.#buffer = this.#space.subarray(this.#start, this.#start + size);
  }
}
