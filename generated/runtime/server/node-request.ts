/* eslint-disable */
// biome-ignore-all lint: generated

import { ApiError } from "./error.js";
import { readText } from "./node-body.js";
import { bytesOfParsed, textOfParsed } from "./parsed.js";
import { tooLarge } from "./read.js";
import { isHost, type Incoming } from "./request.js";

/** What the runtime uses of Node's `IncomingMessage`. */
export interface NodeRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: {
    readonly [name: string]: string | readonly string[] | undefined;
  };
  readonly complete: boolean;
  readonly destroyed: boolean;
  readonly readableEnded?: boolean;
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
  readonly headersSent?: boolean;
  writeHead(status: number, headers: Record<string, string | number>): unknown;
  write(chunk: string | Uint8Array): boolean;
  end(chunk?: string | Uint8Array): unknown;
  on(event: string, listener: () => void): unknown;
  once(event: string, listener: () => void): unknown;
  destroy(): unknown;
}

/** What a framework in between knows better than the request. */
export interface Around {
  /** Path and query without what the framework took off, and that. */
  readonly target?: string;
  readonly mount?: string;
  readonly protocol?: string;
  readonly host?: string | undefined;
  readonly remoteAddress?: string | undefined;
  /** The body, where the framework has read it. */
  readonly parsed?: unknown;
}

/** Bytes of a body that nobody wanted, which are read to keep the connection; and the milliseconds for them. */
const UNWANTED = 256 * 1024;
const UNWANTED_TIME = 10_000;

const NOTHING: Around = {};

/** A request of `node:http` as the runtime sees requests. */
export class NodeIncoming implements Incoming {
  readonly raw: NodeRequest;
  readonly #response: NodeResponse;
  readonly #around: Around;
  #isRead = false;
  #abort: AbortController | undefined;

  constructor(
    raw: NodeRequest,
    response: NodeResponse,
    around: Around = NOTHING,
  ) {
    this.raw = raw;
    this.#response = response;
    this.#around = around;
  }

  get method(): string {
    return this.raw.method ?? "GET";
  }

  get target(): string {
    const { url = "/" } = this.raw;
    if (this.#around.target !== undefined) return this.#around.target;
    if (url.startsWith("/")) return url;
    const start = url.indexOf("/", url.indexOf("//") + 2);
    return url.includes("//") && start !== -1 ? url.slice(start) : "/";
  }

  get mount(): string | undefined {
    return this.#around.mount;
  }

  get origin(): string {
    const isSecure = this.raw.socket.encrypted === true;
    const { protocol = isSecure ? "https" : "http" } = this.#around;
    const host = this.#around.host ?? this.header("host");
    return `${protocol}://${isHost(host) ? host : "localhost"}`;
  }

  get remoteAddress(): string | undefined {
    return this.#around.remoteAddress ?? this.raw.socket.remoteAddress;
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

  abort(reason: unknown): void {
    void this.signal;
    this.#abort?.abort(reason);
    if (this.#response.headersSent === true) this.#response.destroy();
  }

  header(name: string): string | undefined {
    const value = this.raw.headers[name];
    return typeof value === "object" ? value.join(", ") : value;
  }

  text(limit: number, time: number): Promise<string> {
    const { parsed } = this.#around;
    if (parsed !== undefined)
      return textOfParsed(parsed, this.header("content-type"), limit);
    if (!this.#hasBody()) return Promise.resolve("");
    const length = this.raw.headers["content-length"];
    if (Number(length ?? 0) > limit) return Promise.reject(tooLarge(limit));
    if (this.raw.readableEnded === true) return Promise.reject(readBefore());
    this.#isRead = true;
    return readText(this.raw, limit, time);
  }

  async *chunks(): AsyncIterable<Uint8Array> {
    const { parsed } = this.#around;
    if (parsed !== undefined)
      return yield bytesOfParsed(parsed, this.header("content-type"));
    if (this.#hasBody() && this.raw.readableEnded === true) throw readBefore();
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

  /** Reads on behind an answer, so that the connection can be used again; what is too much or too slow ends it. */
  drain(): void {
    const { method } = this.raw;
    // Node makes its headers when they are looked at first: not for these.
    if (method === "GET" || method === "HEAD") return;
    if (this.#isRead || this.raw.complete || !this.#hasBody()) return;
    let size = 0;
    const give = (): unknown => this.raw.destroy();
    const timer = setTimeout(give, UNWANTED_TIME);
    this.raw.on("data", (chunk: Uint8Array) => {
      if ((size += chunk.length) > UNWANTED) give();
    });
    this.raw.on("error", () => {});
    this.raw.on("close", () => clearTimeout(timer));
  }
}

function readBefore(): TypeError {
  return new TypeError(
    "The body was read before the server got the request, and is not in request.body.",
  );
}
