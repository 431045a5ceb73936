import { builtin, type NodeMessage, type NodeStream } from "./builtin.js";
import type { SizeLimit } from "../limit-size.js";
import { headersOf } from "./headers.js";

/** One for all: making it costs more than most answers. */
const utf8 = /* @__PURE__ */ new TextDecoder();

type Bytes = Uint8Array<ArrayBuffer>;

/** The response, of which only what is used is made. */
export function createNodeResponse(
  message: NodeMessage,
  method?: string,
): Response {
  return new NodeResponse(message, method) as unknown as Response;
}

/**
 * A class: the getters of an object literal are closures, which give each
 * object a shape of its own, and a fifth of a call goes into collecting those.
 */
class NodeResponse {
  readonly status: number;
  readonly statusText: string;
  readonly ok: boolean;
  readonly #message: NodeMessage;
  readonly #method: string | undefined;
  #bound: SizeLimit | undefined;
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

  /** See limit.ts: what counts bytes as they are read costs no stream. */
  limitSize(bound: SizeLimit): void {
    this.#bound = bound;
  }

  async text(): Promise<string> {
    return utf8.decode(concatenate(await this.#all()));
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return toOwnBuffer(concatenate(await this.#all()));
  }

  async blob(): Promise<Blob> {
    const { "content-type": type = "" } = this.#message.headers;
    return new Blob(await this.#all(), { type: String(type) });
  }

  #decoded(): NodeStream {
    // What there is of a content is said by the headers also where none is sent.
    const isHead = this.#method === "HEAD";
    return isHead ? this.#message : decode(this.#message);
  }

  #all(): Bytes[] | Promise<Bytes[]> {
    // Whoever has looked at the body has taken the stream.
    if (this.#body) return readAll(this.#body);
    if (this.#message.destroyed) throw new TypeError("the answer broke off");
    return collect(this.#decoded(), this.#bound);
  }
}

async function readAll(body: NonNullable<Response["body"]>): Promise<Bytes[]> {
  return [new Uint8Array(await new Response(body).arrayBuffer())];
}

/** Compressed texts without content, for servers that send not even these. */
const emptyContent = { br: [6], zlib: [0x78, 0x9c, 3, 0, 0, 0, 0, 1] };

/** The body without its content coding. */
function decode(message: NodeMessage): NodeStream {
  const { "content-encoding": coding } = message.headers;
  if (!/^(br|(x-)?gzip|deflate)$/i.test(String(coding))) return message;
  const zlib = builtin("node:zlib");
  const isBrotli = String(coding).toLowerCase() === "br";
  const decoder = isBrotli ? zlib.createBrotliDecompress() : zlib.createUnzip();
  let end: Uint8Array | undefined = Uint8Array.from(
    isBrotli ? emptyContent.br : emptyContent.zlib,
  );
  message.once("data", () => (end = undefined));
  message.once("error", (error) => decoder.destroy(error));
  message.once("end", () => decoder.end(end));
  // Whoever stops reading ends the connection, too.
  decoder.once("close", () => message.destroy());
  return message.pipe(decoder, { end: false });
}

/** The pieces of a body, all of them. */
function collect(stream: NodeStream, bound?: SizeLimit): Promise<Bytes[]> {
  return new Promise((resolve, reject) => {
    const parts: Bytes[] = [];
    let left = bound?.limit ?? Infinity;
    // An error costs more than the rest, and all streams close.
    const broken = () => {
      if (!stream.readableEnded) reject(new TypeError("the answer broke off"));
    };
    stream.on("data", (part) => {
      left -= part.length;
      if (left < 0) stream.destroy(bound!.error());
      else parts.push(part);
    });
    stream.once("end", () => resolve(parts));
    stream.once("error", reject);
    stream.once("close", broken);
  });
}

/** A piece shares its buffer with other answers. */
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
  const all = new Uint8Array(length);
  length = 0;
  for (const part of parts) {
    all.set(part, length);
    length += part.length;
  }
  return all;
}
