/* eslint-disable */
// biome-ignore-all lint: generated

import { ApiError } from "../error.js";
import type { AdapterContext, NodeRequest, NodeResponse } from "./contract.js";
import { readText } from "./node-text.js";
import { bytesOfParsedBody, textOfParsedBody } from "./parsed-body.js";
import { tooLarge } from "../bodies/read.js";
import { isHost, type Incoming } from "../request.js";

/**
 * Maximum number of unread body bytes that are discarded to keep the connection
 * open for further requests. If more bytes are unread, the connection is
 * closed.
 */
const MAX_DISCARD = 256 * 1024;

/**
 * Maximum number of bytes to discard before a connection is closed. Some
 * clients read the response only after they have sent the complete body.
 */
const MAX_LINGER = 64 * 1024 * 1024;

/**
 * Limits for discarding unread bytes: length of an interval in milliseconds,
 * and maximum number of intervals. Discarding also stops if no bytes were
 * received in an interval.
 */
const LINGER_TURN = 1000;
const LINGER_TURNS = 10;

const NO_CONTEXT: AdapterContext = {};

/** Adapts a `node:http` request to the `Incoming` interface. */
export class NodeIncoming implements Incoming {
  readonly raw: NodeRequest;
  readonly #response: NodeResponse;
  readonly #context: AdapterContext;
  /**
   * Socket of the request. It is stored because Node can detach the socket from
   * a request after the body has been read.
   */
  readonly #socket: NodeRequest["socket"];
  /** Number of body bytes that `chunks` has returned. */
  #taken = 0;
  #abort: AbortController | undefined;

  constructor(
    raw: NodeRequest,
    response: NodeResponse,
    context: AdapterContext = NO_CONTEXT,
  ) {
    this.raw = raw;
    this.#response = response;
    this.#context = context;
    this.#socket = raw.socket;
  }

  get method(): string {
    return this.raw.method ?? "GET";
  }

  get target(): string {
    const { url = "/" } = this.raw;
    if (this.#context.target !== undefined) return this.#context.target;
    if (url.startsWith("/")) return url;
    const start = url.indexOf("/", url.indexOf("//") + 2);
    return url.includes("//") && start !== -1 ? url.slice(start) : "/";
  }

  get mount(): string | undefined {
    return this.#context.mount;
  }

  get origin(): string {
    const isSecure = this.#socket.encrypted === true;
    const { protocol = isSecure ? "https" : "http" } = this.#context;
    const host = this.#context.host ?? this.header("host");
    return `${protocol}://${isHost(host) ? host : "localhost"}`;
  }

  get remoteAddress(): string | undefined {
    return this.#context.remoteAddress ?? this.#socket.remoteAddress;
  }

  /**
   * True if the framework's body parser has read the body. Such parsers also
   * decode the content encoding.
   */
  get isDecoded(): boolean {
    return this.#context.parsedBody !== undefined;
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
    const { parsedBody } = this.#context;
    if (parsedBody !== undefined)
      return textOfParsedBody(parsedBody, this.header("content-type"), limit);
    if (!this.#hasBody()) return Promise.resolve("");
    const length = this.raw.headers["content-length"];
    if (Number(length ?? 0) > limit) return Promise.reject(tooLarge(limit));
    if (this.raw.readableEnded === true) return Promise.reject(bodyConsumed());
    return readText(this.raw, limit, time);
  }

  async *chunks(): AsyncIterable<Uint8Array> {
    const { parsedBody } = this.#context;
    if (parsedBody !== undefined)
      return yield bytesOfParsedBody(parsedBody, this.header("content-type"));
    if (this.#hasBody() && this.raw.readableEnded === true)
      throw bodyConsumed();
    try {
      // With `destroyOnReturn: false`, the connection remains open for the
      // response if the body is not read to its end.
      const source =
        this.raw.iterator?.({ destroyOnReturn: false }) ?? this.raw;
      for await (const chunk of source as AsyncIterable<Uint8Array>) {
        this.#taken += chunk.length;
        yield chunk;
      }
    } catch (cause) {
      throw new ApiError(400, "The body could not be read completely.", {
        cause,
      });
    }
  }

  #hasBody(): boolean {
    const { headers } = this.raw;
    const length = headers["content-length"];
    return length === undefined
      ? headers["transfer-encoding"] !== undefined
      : length !== "0";
  }

  /**
   * Amount of body data that has not been read: `none`, `little` if the
   * connection can remain open, or `much`.
   */
  get unread(): "none" | "little" | "much" {
    const { raw } = this;
    const { method } = raw;
    // The method is tested before the headers, because Node parses headers when
    // they are first read, and GET and HEAD requests do not need them here.
    if (method === "GET" || method === "HEAD") return "none";
    if (raw.readableEnded === true || !this.#hasBody()) return "none";
    const left = Number(raw.headers["content-length"]) - this.#taken;
    return raw.complete || left <= MAX_DISCARD ? "little" : "much";
  }

  /**
   * Receives and discards the rest of the body, within limits on size and time.
   *
   * @param onEnd function that is called with true if the complete body was
   *   received.
   */
  drain(onEnd: (isRead: boolean) => void): void {
    const { raw } = this;
    if (raw.destroyed) return onEnd(raw.readableEnded === true);
    let size = 0;
    let turns = 0;
    let lastSize = -1;
    let isFinished = false;
    const finish = (isRead: boolean): void => {
      if (isFinished) return;
      isFinished = true;
      clearInterval(timer);
      if (!isRead) raw.pause?.();
      onEnd(isRead);
    };
    const timer = setInterval(() => {
      if (size === lastSize || ++turns > LINGER_TURNS) finish(false);
      lastSize = size;
    }, LINGER_TURN);
    raw.on("data", (chunk: Uint8Array) => {
      if ((size += chunk.length) > MAX_LINGER) finish(false);
    });
    raw.on("error", () => {});
    raw.on("end", () => finish(true));
    raw.on("close", () => finish(false));
    raw.resume?.();
  }
}

function bodyConsumed(): TypeError {
  return new TypeError(
    "The body was read before the server received the request, and request.body is not set.",
  );
}
