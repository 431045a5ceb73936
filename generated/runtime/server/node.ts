import { ApiError } from "./error.js";
import { isPending } from "./eventually.js";
import { readText } from "./node-body.js";
import { tooLarge } from "./read.js";
import type { AnswerBody, Incoming, Outgoing } from "./request.js";
import type { Server } from "./server.js";

/** What the runtime uses of Node's `IncomingMessage`. */
export interface NodeRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: {
    readonly [name: string]: string | readonly string[] | undefined;
  };
  readonly complete: boolean;
  readonly destroyed: boolean;
  readonly socket: {
    readonly remoteAddress?: string | undefined;
    readonly encrypted?: boolean | undefined;
  };
  on(event: string, listener: (...values: never[]) => void): unknown;
  destroy(): unknown;
}

/** What the runtime uses of Node's `ServerResponse`. */
export interface NodeResponse {
  readonly destroyed: boolean;
  readonly writableFinished: boolean;
  writeHead(status: number, headers: Record<string, string | number>): unknown;
  write(chunk: string | Uint8Array): boolean;
  end(chunk?: string | Uint8Array): unknown;
  on(event: string, listener: () => void): unknown;
  once(event: string, listener: () => void): unknown;
  destroy(): unknown;
}

/** A listener for Node's `http.createServer`; no Request or Response is made on the way. */
export function toNodeListener(
  server: Pick<Server, "handle">,
  { bodyTime = 60_000 }: { readonly bodyTime?: number } = {},
): (request: NodeRequest, response: NodeResponse) => void {
  return (request, response) => {
    const incoming = new NodeIncoming(request, response, bodyTime);
    const answer = server.handle(incoming);
    if (isPending(answer))
      void answer.then((later) => trySend(later, incoming, response));
    else trySend(answer, incoming, response);
  };
}

/** Length of a text in UTF-8, counted without making its bytes where Node is at hand. */
const byteLength: (text: string) => number =
  (
    globalThis as {
      readonly Buffer?: { byteLength(text: string): number };
    }
  ).Buffer?.byteLength ?? ((text) => new TextEncoder().encode(text).length);

/** A header that can't be sent must not end the process. */
function trySend(
  answer: Outgoing,
  incoming: NodeIncoming,
  response: NodeResponse,
): void {
  try {
    send(answer, incoming, response);
  } catch {
    response.destroy();
  }
}

function send(
  { status, headers, body }: Outgoing,
  incoming: NodeIncoming,
  response: NodeResponse,
): void {
  if (response.destroyed) return leave(body);
  // What the handler did not read is thrown away, up to a point.
  incoming.drain();
  const all: Record<string, string | number> = headers;
  const isHead = incoming.method === "HEAD";
  if (typeof body === "string" || body instanceof Uint8Array) {
    all["content-length"] ??=
      typeof body === "string" ? byteLength(body) : body.length;
    response.writeHead(status, all);
    response.end(isHead ? undefined : body);
  } else if (body === undefined || isHead) {
    if (body === undefined && status !== 204 && status !== 304)
      all["content-length"] ??= "0";
    response.writeHead(status, all);
    response.end();
    leave(body);
  } else {
    response.writeHead(status, all);
    void stream(body, response);
  }
}

/** Tells a stream that nobody will read it. */
function leave(body: AnswerBody | undefined): void {
  const isStream = typeof body === "object" && !(body instanceof Uint8Array);
  if (!isStream) return;
  void Promise.resolve(body[Symbol.asyncIterator]().return?.()).catch(() => {});
}

/** Writes a stream no faster than the caller reads; stops when the caller is gone. */
async function stream(
  body: AsyncIterable<Uint8Array | string>,
  response: NodeResponse,
): Promise<void> {
  let isGone = false;
  let wake: (() => void) | undefined;
  response.on("close", () => {
    isGone = true;
    wake?.();
  });
  response.on("drain", () => wake?.());
  try {
    for await (const chunk of body) {
      if (isGone) return;
      if (response.write(chunk)) continue;
      await new Promise<void>((resolve) => (wake = resolve));
    }
    response.end();
  } catch {
    // Too late for an error: the caller sees a connection that broke off.
    response.destroy();
  }
}

/** Bytes of a body that nobody wanted, which are read to keep the connection. */
const UNWANTED = 256 * 1024;

class NodeIncoming implements Incoming {
  readonly raw: NodeRequest;
  readonly #response: NodeResponse;
  readonly #bodyTime: number;
  #isRead = false;
  #abort: AbortController | undefined;

  constructor(raw: NodeRequest, response: NodeResponse, bodyTime: number) {
    this.raw = raw;
    this.#response = response;
    this.#bodyTime = bodyTime;
  }

  get method(): string {
    return this.raw.method ?? "GET";
  }

  get target(): string {
    const { url = "/" } = this.raw;
    if (url.startsWith("/")) return url;
    const start = url.indexOf("/", url.indexOf("//") + 2);
    return url.includes("//") && start !== -1 ? url.slice(start) : "/";
  }

  get origin(): string {
    const isSecure = this.raw.socket.encrypted === true;
    return `http${isSecure ? "s" : ""}://${this.header("host") ?? "localhost"}`;
  }

  get remoteAddress(): string | undefined {
    return this.raw.socket.remoteAddress;
  }

  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      const abort = (this.#abort = new AbortController());
      const response = this.#response;
      if (response.destroyed) abort.abort();
      response.on("close", () => {
        if (!response.writableFinished) abort.abort();
      });
    }
    return this.#abort.signal;
  }

  header(name: string): string | undefined {
    const value = this.raw.headers[name];
    return value === undefined || typeof value === "string"
      ? value
      : value.join(", ");
  }

  text(limit: number): Promise<string> {
    if (!this.#hasBody()) return Promise.resolve("");
    const length = this.raw.headers["content-length"];
    if (Number(length ?? 0) > limit) return Promise.reject(tooLarge(limit));
    this.#isRead = true;
    return readText(this.raw, limit, this.#bodyTime);
  }

  async *chunks(): AsyncIterable<Uint8Array> {
    this.#isRead = true;
    try {
      yield* this.raw as unknown as AsyncIterable<Uint8Array>;
    } catch (cause) {
      throw new ApiError(400, "The body broke off.", { cause });
    }
  }

  #hasBody(): boolean {
    const { headers } = this.raw;
    const length = headers["content-length"];
    return length === undefined
      ? headers["transfer-encoding"] !== undefined
      : length !== "0";
  }

  /** Reads on behind an answer, so that the connection can be used again. */
  drain(): void {
    const { method } = this.raw;
    // Node makes its headers when they are looked at first: not for these.
    if (method === "GET" || method === "HEAD") return;
    if (this.#isRead || this.raw.complete || !this.#hasBody()) return;
    let size = 0;
    this.raw.on("data", (chunk: Uint8Array) => {
      if ((size += chunk.length) > UNWANTED) this.raw.destroy();
    });
    this.raw.on("error", () => {});
  }
}
