import { randomUUID } from "node:crypto";
import type { Incoming } from "../../../generated/runtime/server/index.js";
import { withoutNulls } from "../without-nulls.js";
import type { KeyBuckets } from "./limits.js";

/** A message without content is not the same as one without this member. */
const MEANT = new Set(["content"]);

/** What is known of a request besides what was sent. */
export interface RequestFacts {
  /** Name of the key. */
  key: string | undefined;
  /** The model, if there is one of this name. */
  model: string | undefined;
  buckets: KeyBuckets | undefined;
}

/** A request that keeps the text of its body and what is found out about it. */
export class ChatRequest implements Incoming {
  /** Goes with the answer and into the log. */
  readonly id: string = `req_${randomUUID().replaceAll("-", "")}`;
  readonly facts: RequestFacts = {
    key: undefined,
    model: undefined,
    buckets: undefined,
  };
  /** The body as it was sent, once it is read. */
  body = "";
  /** Why the service ended it, if it did: the caller has not left then. */
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
    return withoutNulls(this.body, MEANT);
  }

  chunks(): AsyncIterable<Uint8Array> {
    return this.#inner.chunks();
  }

  /** Path that a framework took off, where the platform tells it. */
  get mount(): string | undefined {
    return (this.#inner as { readonly mount?: string }).mount;
  }

  /** The server stops waiting, where the platform lets it. */
  abort(reason: unknown): void {
    this.ended ??= "stopped";
    const inner = this.#inner as { abort?(reason: unknown): void };
    inner.abort?.(reason);
  }

  /** Ends the connection of a caller who reads nothing. */
  cut(): void {
    this.ended ??= "stalled";
    const { socket } = Object(this.raw) as {
      socket?: { destroy?: () => unknown };
    };
    socket?.destroy?.();
  }
}
