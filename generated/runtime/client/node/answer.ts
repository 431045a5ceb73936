import { builtin, type NodeMessage, type NodeStream } from "./builtin.js";

/** The answer as a `Response`, of which only what is used is made. */
export function answerOf(message: NodeMessage): Response {
  const { statusCode: status = 0, statusMessage: statusText = "" } = message;
  const { "content-type": type = "" } = message.headers;
  let headers: Headers | undefined;
  let body: NonNullable<Response["body"]> | undefined;
  const all = () => collect(decoded(message));
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
    text: async () => new TextDecoder().decode(await all()),
    json: async () => JSON.parse(new TextDecoder().decode(await all())),
    arrayBuffer: async () => (await all()).buffer,
    blob: async () => new Blob([await all()], { type: String(type) }),
  };
  return response as Response;
}

function headersOf({ headers: fields }: NodeMessage): Headers {
  const headers = new Headers();
  for (const [name, value = []] of Object.entries(fields))
    for (const one of typeof value == "string" ? [value] : value)
      headers.append(name, one);
  return headers;
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

function collect(stream: NodeStream): Promise<Uint8Array<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    const parts: Uint8Array[] = [];
    stream.on("data", (part) => parts.push(part));
    stream.once("end", () => resolve(joined(parts)));
    stream.once("error", reject);
    stream.once("close", () => reject(new TypeError("the answer broke off")));
  });
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
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
