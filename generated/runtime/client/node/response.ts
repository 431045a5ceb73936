/* eslint-disable */
// biome-ignore-all lint: generated

import type { SizeLimit } from "../limit-size.js";
import { builtin, type NodeMessage, type NodeStream } from "./builtin.js";

/**
 * Text decoder shared by all responses, because creating a decoder takes longer
 * than reading most responses.
 */
const utf8 = /* @__PURE__ */ new TextDecoder();

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Creates a response whose headers and body are created when they are first
 * read.
 */
export function createNodeResponse(
  message: NodeMessage,
  method?: string,
): Response {
  return new NodeResponse(message, method) as unknown as Response;
}

/**
 * Implementation of `Response`. It is a class instead of an object literal:
 * getters of an object literal are closures, which give each object its own
 * hidden class, and garbage collection of these classes takes 20% of the time
 * of a call.
 */
class NodeResponse {
  readonly status: number;
  readonly statusText: string;
  readonly ok: boolean;
  readonly #message: NodeMessage;
  readonly #method: string | undefined;
  #limit: SizeLimit | undefined;
  #headers: Headers | undefined;
  #body: NonNullable<Response["body"]> | undefined;

  constructor(message: NodeMessage, method: string | undefined) {
    const { statusCode: status = 0, statusMessage: statusText = "" } = message;
    this.status = status;
    this.statusText = statusText;
    this.ok = status > 199 && status < 300;
    this.#message = message;
    this.#method = method;
  }

  get headers(): Headers {
    return (this.#headers ??= headersOf(this.#message));
  }

  get body(): Response["body"] {
    if (/^(204|205|304)$/.test(`${this.status}`)) return null;
    return (this.#body ??= builtin("node:stream").Readable.toWeb(
      this.#decoded(),
    ));
  }

  /**
   * Limits the number of bytes while the body is read, without an additional
   * stream. Called by limit-size.ts.
   */
  limitSize(limit: SizeLimit): void {
    this.#limit = limit;
  }

  async text(): Promise<string> {
    return utf8.decode(concatenate(await this.#chunks()));
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return toOwnBuffer(concatenate(await this.#chunks()));
  }

  async blob(): Promise<Blob> {
    const { "content-type": type = "" } = this.#message.headers;
    return new Blob(await this.#chunks(), { type: String(type) });
  }

  #decoded(): NodeStream {
    // A response to a HEAD request has no content, even if its headers describe
    // content, such as `content-encoding`.
    const isHead = this.#method === "HEAD";
    return isHead ? this.#message : decode(this.#message);
  }

  #chunks(): Bytes[] | Promise<Bytes[]> {
    // If a caller has accessed `body`, the content is read from its web stream.
    if (this.#body) return readWebStream(this.#body);
    if (this.#message.destroyed)
      throw new TypeError("the response is incomplete");
    return readNodeStream(this.#decoded(), this.#limit);
  }
}

async function readWebStream(
  body: NonNullable<Response["body"]>,
): Promise<Bytes[]> {
  return [new Uint8Array(await new Response(body).arrayBuffer())];
}

/**
 * Compressed form of empty content, keyed by content coding. It is passed to
 * the decoder if a server sends an empty body but declares a content coding.
 */
const emptyContent = { br: [6], zlib: [0x78, 0x9c, 3, 0, 0, 0, 0, 1] };

/**
 * Returns a stream of the decoded body: the content coding, such as gzip, is
 * removed.
 */
function decode(message: NodeMessage): NodeStream {
  const coding = headerOf(message, "content-encoding");
  if (!coding || !/^(br|(x-)?gzip|deflate)$/i.test(coding)) return message;
  const zlib = builtin("node:zlib");
  const isBrotli = coding.toLowerCase() === "br";
  const decoder = isBrotli ? zlib.createBrotliDecompress() : zlib.createUnzip();
  let end: Uint8Array | undefined = Uint8Array.from(
    isBrotli ? emptyContent.br : emptyContent.zlib,
  );
  message.once("data", () => (end = undefined));
  message.once("error", (error) => decoder.destroy(error));
  message.once("end", () => decoder.end(end));
  // The connection must also be closed if the reader stops early.
  decoder.once("close", () => message.destroy());
  return message.pipe(decoder, { end: false });
}

/** Reads a stream to its end. */
function readNodeStream(
  stream: NodeStream,
  limit?: SizeLimit,
): Promise<Bytes[]> {
  return new Promise((resolve, reject) => {
    const parts: Bytes[] = [];
    let remaining = limit?.limit ?? Infinity;
    // This listener runs for every stream. The error is created only if the
    // stream is incomplete, because creating an error is slow.
    const onClose = () => {
      if (!stream.readableEnded)
        reject(new TypeError("the response is incomplete"));
    };
    stream.on("data", (part) => {
      remaining -= part.length;
      if (remaining < 0) stream.destroy(limit!.error());
      else parts.push(part);
    });
    // `on` is used because `once` would create a function for each listener.
    stream.on("end", () => resolve(parts));
    stream.on("error", reject);
    stream.on("close", onClose);
  });
}

/**
 * Returns the buffer that contains the bytes. The bytes are copied first if
 * their buffer also contains the bytes of other responses.
 */
function toOwnBuffer(bytes: Uint8Array<ArrayBuffer>): ArrayBuffer {
  const { buffer, length } = bytes;
  return buffer.byteLength === length ? buffer : bytes.slice().buffer;
}

function concatenate(
  parts: readonly Uint8Array<ArrayBuffer>[],
): Uint8Array<ArrayBuffer> {
  if (parts.length === 1) return parts[0]!;
  let length = 0;
  for (const part of parts) length += part.length;
  const bytes = new Uint8Array(length);
  length = 0;
  for (const part of parts) {
    bytes.set(part, length);
    length += part.length;
  }
  return bytes;
}

/**
 * Returns read-only headers of a response. A `Headers` object is created only
 * when the headers are iterated over: creating the object takes as long as all
 * other processing of a response, and most callers read only one or two
 * headers.
 */
export function headersOf(message: NodeMessage): Headers {
  return new LazyHeaders(message) as unknown as Headers;
}

/**
 * Returns the value of a header; `null` if the response does not have it.
 * Searches `rawHeaders` first, because this is faster than creating `headers`
 * and most requested headers are absent.
 *
 * @param name name in lower case.
 */
export function headerOf(message: NodeMessage, name: string): string | null {
  const { rawHeaders } = message;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const received = rawHeaders[at]!;
    if (received.length === name.length && received.toLowerCase() === name)
      return [message.headers[name]].flat().join(", ");
  }
  return null;
}

/** Iteration methods of `Headers`, which some type libraries do not declare. */
interface IterableHeaders {
  entries(): unknown;
  keys(): unknown;
  values(): unknown;
}

/**
 * Read-only implementation of `Headers`. It is a class, so that all instances
 * share the same methods.
 */
class LazyHeaders {
  readonly #message: NodeMessage;
  #headers: (Headers & IterableHeaders) | undefined;

  constructor(message: NodeMessage) {
    this.#message = message;
  }

  get(name: string): string | null {
    return headerOf(this.#message, name.toLowerCase());
  }

  has(name: string): boolean {
    return this.get(name) !== null;
  }

  getSetCookie(): string[] {
    return [this.#message.headers["set-cookie"] ?? []].flat();
  }

  forEach(...rest: Parameters<Headers["forEach"]>): void {
    this.#toHeaders().forEach(...rest);
  }

  entries(): unknown {
    return this.#toHeaders().entries();
  }

  keys(): unknown {
    return this.#toHeaders().keys();
  }

  values(): unknown {
    return this.#toHeaders().values();
  }

  [Symbol.iterator](): unknown {
    return this.entries();
  }

  #toHeaders(): Headers & IterableHeaders {
    if (this.#headers) return this.#headers;
    const headers = new Headers() as Headers & IterableHeaders;
    for (const [name, value = []] of Object.entries(this.#message.headers))
      for (const item of [value].flat()) headers.append(name, item);
    return (this.#headers = headers);
  }
}
