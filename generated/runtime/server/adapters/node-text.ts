/* eslint-disable */
// biome-ignore-all lint: generated

import { ApiError } from "../error.js";
import type { NodeRequest } from "./contract.js";
import { decodeUtf8, concatBytes, tooLarge } from "../bodies/read.js";
import { requestTimeout } from "../bodies/timeouts.js";

/** Chunk of a body; a `Buffer` in Node. */
interface NodeChunk extends Uint8Array {
  toString(encoding?: string): string;
}

/** Members of Node's request that are needed to read the body. */
type Source = Pick<NodeRequest, "on" | "destroyed">;

/**
 * Reads a body as text. Optimized for a single chunk, because most bodies are
 * received in one chunk.
 *
 * @param limit maximum size in bytes.
 * @param time timeout in milliseconds, rounded up to full seconds.
 */
export function readText(
  source: Source,
  limit: number,
  time: number,
): Promise<string> {
  const body = new PendingBody(source, time);
  source.on("data", (chunk: NodeChunk) => {
    if (!body.add(chunk, limit)) body.fail(tooLarge(limit));
  });
  source.on("end", () => body.end());
  return body.text;
}

/**
 * Body that is being received; an entry in the linked list of all such bodies.
 * A single timer checks the list every second for timeouts and closed
 * connections. A separate timer and listener for each body would take longer
 * than reading a typical body.
 */
class PendingBody {
  readonly text: Promise<string>;
  #resolve!: (text: string) => void;
  #reject!: (error: unknown) => void;
  readonly #source: Source;
  readonly #expires: number;
  #chunks: NodeChunk[] = [];
  #size = 0;
  #isListed = true;
  #previous: PendingBody | undefined;
  #next: PendingBody | undefined;

  constructor(source: Source, time: number) {
    this.text = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#source = source;
    this.#expires = PendingBody.#ticks + Math.ceil(time / 1000) + 1;
    this.#previous = PendingBody.#last;
    if (PendingBody.#last !== undefined) PendingBody.#last.#next = this;
    PendingBody.#last = this;
    PendingBody.#start();
  }

  /** Adds a chunk. Returns false if the body exceeds the limit. */
  add(chunk: NodeChunk, limit: number): boolean {
    this.#size += chunk.length;
    if (this.#size > limit) return false;
    if (this.#isListed) this.#chunks.push(chunk);
    return true;
  }

  /** Decodes the body after the last chunk. */
  end(): void {
    if (!this.remove()) return;
    let text: string;
    try {
      text = this.#text();
    } catch (error) {
      return this.#reject(error);
    }
    this.#resolve(text);
  }

  #text(): string {
    const [first] = this.#chunks;
    if (this.#chunks.length !== 1)
      return decodeUtf8(concatBytes(this.#chunks, this.#size));
    const text = first!.toString("utf8");
    // U+FFFD in the decoded text means that the body is invalid UTF-8, unless
    // the body itself contains this character.
    return text.includes("\uFFFD") ? decodeUtf8(first!) : text;
  }

  /** Discards the body and rejects the promise with an error. */
  fail(error: ApiError): void {
    if (!this.remove()) return;
    this.#chunks = [];
    this.#reject(error);
  }

  /**
   * Removes the body from the list. Returns false if it was not in the list.
   */
  remove(): boolean {
    if (!this.#isListed) return false;
    this.#isListed = false;
    if (this.#previous !== undefined) this.#previous.#next = this.#next;
    if (this.#next !== undefined) this.#next.#previous = this.#previous;
    if (PendingBody.#last === this) PendingBody.#last = this.#previous;
    return true;
  }

  #check(): void {
    if (this.#source.destroyed)
      this.fail(new ApiError(400, "The body could not be read completely."));
    else if (this.#expires <= PendingBody.#ticks) this.fail(requestTimeout());
  }

  static #last: PendingBody | undefined;
  /** Number of seconds that the timer has counted. */
  static #ticks = 0;
  static #timer: ReturnType<typeof setInterval> | undefined;

  static #start(): void {
    if (PendingBody.#timer !== undefined) return;
    PendingBody.#timer = setInterval(() => PendingBody.#tick(), 1000);
    (PendingBody.#timer as { unref?: () => void }).unref?.();
  }

  static #tick(): void {
    PendingBody.#ticks++;
    let body = PendingBody.#last;
    while (body !== undefined) {
      const previous: PendingBody | undefined = body.#previous;
      body.#check();
      body = previous;
    }
    if (PendingBody.#last !== undefined) return;
    clearInterval(PendingBody.#timer);
    PendingBody.#timer = undefined;
  }
}
