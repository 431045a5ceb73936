/* eslint-disable */
// biome-ignore-all lint: generated

import { ApiError } from "../error.js";
import { readHeaderLines } from "./header-lines.js";

/** A part of a multipart body. Its content has to be read before the next part. */
export interface Part {
  /** Values by lower-case name; none for a part without header lines. */
  readonly headers: ReadonlyMap<string, string>;
  /** The content, without the line end that belongs to the boundary. */
  chunks(): AsyncIterable<Uint8Array>;
}

/** Bytes of one part's header lines. */
const HEADER = 16 * 1024;

/** Bytes behind the closing delimiter that are read. */
const EPILOGUE = 16 * 1024;

/** Longest boundary (RFC 2046). */
const BOUNDARY = 70;

/** Most blanks behind a delimiter; a line with more is content. */
const PADDING = 64;

/**
 * The boundary of a multipart content type: bare, in double or in single quotes,
 * among other parameters.
 *
 * @throws ApiError 400 where there is none.
 */
export function boundaryOf(contentType: string): string {
  const match =
    /;\s*boundary\s*=\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([^;\s]+))/i.exec(
      contentType,
    );
  const boundary =
    match?.[1]?.replace(/\\(.)/g, "$1") ?? match?.[2] ?? match?.[3] ?? "";
  if (boundary === "" || boundary.length > BOUNDARY)
    throw malformedMultipart("The content type names no boundary.");
  return boundary;
}

/**
 * Takes a multipart body apart while it arrives. Lines end with CR LF or LF;
 * what only looks like a boundary is content.
 *
 * @throws ApiError 400 for a body that is no multipart, or ends early.
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
        // What nobody read is not wanted.
      }
    }
    await reader.end();
  } finally {
    await reader.close();
  }
}

/** A body that is no multipart, or not this one. */
export function malformedMultipart(message: string, cause?: unknown): ApiError {
  return new ApiError(400, message, { reason: "parseError", cause });
}

const LF = 10;
const CR = 13;
const DASH = 45;

/** Where a delimiter line starts and what follows it; or from where on there may be one. */
type Hit =
  | { readonly at: number; readonly end: number; readonly isLast: boolean }
  | { readonly safe: number };

class PartReader {
  /** Whether the closing delimiter was read. */
  isDone = false;
  /** What has arrived and was not taken; the start of `#space`, where that is known. */
  #buffer: Uint8Array = new Uint8Array();
  /** Memory of the reader's own in which the buffer lies, and where it starts there. */
  #space: Uint8Array | undefined;
  #start = 0;
  /** Bytes at the start of the buffer without a line end. */
  #searched = 0;
  #isEnded = false;
  #isInPart = false;
  readonly #source: AsyncIterator<Uint8Array>;
  readonly #mark: Uint8Array;

  constructor(chunks: AsyncIterable<Uint8Array>, boundary: string) {
    this.#source = chunks[Symbol.asyncIterator]();
    this.#mark = new TextEncoder().encode(`--${boundary}`);
  }

  /** Goes to the first delimiter; a preamble is skipped. */
  async start(): Promise<void> {
    // As if a line had ended before the body.
    this.#buffer = Uint8Array.of(LF);
    this.#isInPart = true;
    for await (const _ of this.content()) {
      // The preamble says nothing.
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

  /** The rest of the part, up to its delimiter, which is read as well. */
  async *content(): AsyncGenerator<Uint8Array> {
    while (this.#isInPart) {
      const hit = this.#find();
      if ("safe" in hit) {
        if (hit.safe > 0) yield this.#take(hit.safe);
        if (!(await this.#fill()))
          throw malformedMultipart("The body ends within a part.");
        continue;
      }
      const hasCr = hit.at > 0 && this.#buffer[hit.at - 1] === CR;
      const rest = this.#take(hasCr ? hit.at - 1 : hit.at);
      this.#take(hit.end - rest.length);
      this.#isInPart = false;
      this.isDone = hit.isLast;
      if (rest.length > 0) yield rest;
    }
  }

  /** Reads what is behind the closing delimiter, so that the connection can be used again. */
  async end(): Promise<void> {
    let left = EPILOGUE;
    for (;;) {
      left -= this.#take(this.#buffer.length).length;
      if (left < 0 || !(await this.#fill())) return;
    }
  }

  async close(): Promise<void> {
    await this.#source.return?.();
  }

  /** The next delimiter in what has arrived. */
  #find(): Hit {
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

  /** A CR may belong to the line end before a delimiter. */
  #beforeCr(at: number): number {
    return at > 0 && this.#buffer[at - 1] === CR ? at - 1 : at;
  }

  /**
   * Where a delimiter line that starts here ends: negative for the closing one,
   * -1 for none, undefined where too little has arrived to tell.
   */
  #delimiterEnd(start: number): number | undefined {
    const buffer = this.#buffer;
    const mark = this.#mark;
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
        const line = new TextDecoder().decode(this.#take(end + 1));
        return line.replace(/\r?\n$/, "");
      }
      this.#searched = this.#buffer.length;
      if (this.#buffer.length > HEADER)
        throw malformedMultipart("The headers of a part are too long.");
      if (!(await this.#fill()))
        throw malformedMultipart("The body ends within a part.");
    }
  }

  #take(count: number): Uint8Array {
    const taken = this.#buffer.subarray(0, count);
    this.#buffer = this.#buffer.subarray(count);
    this.#start += count;
    this.#searched = 0;
    return taken;
  }

  /** More of the body; false where there is none. */
  async #fill(): Promise<boolean> {
    const { done, value } = await this.#source.next();
    if (done === true) {
      const isNews = !this.#isEnded;
      this.#isEnded = true;
      return isNews && this.#buffer.length > 0;
    }
    this.#append(value);
    return true;
  }

  /** Adds bytes; many small chunks take time in proportion to their bytes. What was taken is never overwritten. */
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
