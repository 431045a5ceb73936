/* eslint-disable */
// biome-ignore-all lint: generated

import { builtin, type NodeMessage, type NodeStream } from "./builtin.js";
import { headersOf } from "./headers.js";

/** One for all: making it costs more than most answers. */
const utf8 = /* @__PURE__ */ new TextDecoder();

/** The answer as a `Response`, of which only what is used is made. */
export function answerOf(message: NodeMessage): Response {
  const { statusCode: status = 0, statusMessage: statusText = "" } = message;
  const { "content-type": type = "" } = message.headers;
  let headers: Headers | undefined;
  let body: NonNullable<Response["body"]> | undefined;
  const all = async () => {
    // Whoever has looked at the body has taken the stream.
    if (body) return [new Uint8Array(await new Response(body).arrayBuffer())];
    if (message.destroyed) throw new TypeError("the answer broke off");
    return collect(decoded(message));
  };
  const response: Partial<Response> = {
    status,
    statusText,
    ok: status > 199 && status < 300,
    get headers() {
      return (headers ??= headersOf(message));
    },
    get body() {
      return (body ??= builtin("node:stream").Readable.toWeb(decoded(message)));
    },
    text: async () => utf8.decode(joined(await all())),
    json: async () => JSON.parse(utf8.decode(joined(await all()))),
    arrayBuffer: async () => ownBuffer(joined(await all())),
    blob: async () => new Blob(await all(), { type: String(type) }),
  };
  return response as Response;
}

/** The body without its content coding. */
function decoded(message: NodeMessage): NodeStream {
  const { "content-encoding": coding } = message.headers;
  if (!/^(br|(x-)?gzip|deflate)$/i.test(String(coding))) return message;
  const zlib = builtin("node:zlib");
  const decoder =
    String(coding).toLowerCase() == "br"
      ? zlib.createBrotliDecompress()
      : zlib.createUnzip();
  message.once("error", (error) => decoder.destroy(error));
  return message.pipe(decoder);
}

/** The pieces of a body, all of them. */
function collect(stream: NodeStream): Promise<Uint8Array<ArrayBuffer>[]> {
  return new Promise((resolve, reject) => {
    const parts: Uint8Array<ArrayBuffer>[] = [];
    // An error costs more than the rest, and all streams close.
    const broken = () => {
      if (!stream.readableEnded) reject(new TypeError("the answer broke off"));
    };
    stream.on("data", (part) => parts.push(part));
    stream.once("end", () => resolve(parts));
    stream.once("error", reject);
    stream.once("close", broken);
  });
}

/** A piece shares its buffer with other answers. */
function ownBuffer(bytes: Uint8Array<ArrayBuffer>): ArrayBuffer {
  const { buffer, length } = bytes;
  return buffer.byteLength == length ? buffer : bytes.slice().buffer;
}

function joined(
  parts: readonly Uint8Array<ArrayBuffer>[],
): Uint8Array<ArrayBuffer> {
  if (parts.length == 1) return parts[0]!;
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
