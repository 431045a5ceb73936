import { randomUUID } from "node:crypto";
import type { Incoming } from "../../../generated/runtime/server/index.js";
import { withoutNulls } from "../without-nulls.js";
import type { RequestLimiter } from "./key-buckets.js";
import type { TokenCounts } from "./usage.js";

/**
 * Names of members for which `null` has a different meaning than a missing
 * member.
 */
const NULLABLE_MEMBERS = new Set(["content"]);

/** State of a request: the caller's API key and the requested model. */
export interface ChatRequestState {
  /** Name of the caller's API key. */
  key: string | undefined;
  /** Id of the caller's API key. */
  keyId: string | undefined;
  /** Name of the model; undefined if the model does not exist. */
  model: string | undefined;
  /** Limits of the API key; undefined if it has no limits. */
  limiter: RequestLimiter | undefined;
  /** Tokens of the completion; undefined until it has ended. */
  usage: TokenCounts | undefined;
}

/**
 * Request that also stores the text of its body and the state of its
 * processing.
 */
export class ChatRequest implements Incoming {
  /** Id of the request in the response and in the log. */
  readonly id: string = `req_${randomUUID().replaceAll("-", "")}`;
  readonly state: ChatRequestState = {
    key: undefined,
    keyId: undefined,
    model: undefined,
    limiter: undefined,
    usage: undefined,
  };
  /** Unchanged text of the body; empty until the body has been read. */
  body = "";
  /**
   * Reason why the service aborted the request; undefined if the service did
   * not abort it.
   */
  ended: "stopped" | "stalled" | undefined;
  readonly #inner: Incoming;

  constructor(inner: Incoming) {
    this.#inner = inner;
  }

  get method(): string {
    return this.#inner.method;
  }

  get target(): string {
    return this.#inner.target;
  }

  get origin(): string {
    return this.#inner.origin;
  }

  get remoteAddress(): string | undefined {
    return this.#inner.remoteAddress;
  }

  get signal(): AbortSignal {
    return this.#inner.signal;
  }

  get raw(): unknown {
    return this.#inner.raw;
  }

  header(name: string): string | undefined {
    return this.#inner.header(name);
  }

  async text(...bounds: Parameters<Incoming["text"]>): Promise<string> {
    this.body = await this.#inner.text(...bounds);
    return withoutNulls(this.body, NULLABLE_MEMBERS);
  }

  chunks(): AsyncIterable<Uint8Array> {
    return this.#inner.chunks();
  }

  /**
   * Path prefix that a framework removed; undefined if the platform does not
   * report it.
   */
  get mount(): string | undefined {
    return (this.#inner as { readonly mount?: string }).mount;
  }

  /** Aborts the request, if the platform supports it. */
  abort(reason: unknown): void {
    this.ended ??= "stopped";
    const inner = this.#inner as { abort?(reason: unknown): void };
    inner.abort?.(reason);
  }

  /** Closes the connection of a caller that has stopped reading. */
  disconnect(): void {
    this.ended ??= "stalled";
    const { socket } = Object(this.raw) as {
      socket?: { destroy?: () => unknown };
    };
    socket?.destroy?.();
  }
}
