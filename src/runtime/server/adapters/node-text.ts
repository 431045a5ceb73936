import { ApiError } from "../error.js";
import { SyncPromise } from "./sync-promise.js";
import type { NodeRequest } from "./contract.js";
import { decodeUtf8, concatBytes, tooLarge } from "../bodies/read.js";
import { requestTimeout } from "../bodies/timeouts.js";

/** Chunk of a body: a Buffer. */
interface NodeChunk extends Uint8Array {
  toString(encoding?: string): string;
}

/** Members of Node's request that reading uses. */
type Source = Pick<NodeRequest, "on" | "destroyed">;

/**
 * Reads a body as text. Most bodies arrive in one chunk.
 *
 * @param limit in bytes.
 * @param time milliseconds to receive it, rounded up to seconds.
 */
export function readText(
  source: Source,
  limit: number,
  time: number,
): SyncPromise<string> {
  const body = new Body(source, time);
  source.on("data", (chunk: NodeChunk) => {
    if (!body.add(chunk, limit)) body.fail(tooLarge(limit));
  });
  source.on("end", () => body.end());
  return body.text;
}

/**
 * Body being received, linked in a list of all of them. One timer checks the
 * list every second for timeouts and closed connections; a timer and a listener
 * per body would cost more than reading most bodies.
 */
class Body {
  readonly text: SyncPromise<string> = new SyncPromise();
  readonly #source: Source;
  readonly #expires: number;
  #chunks: NodeChunk[] = [];
  #size = 0;
  #isListed = true;
  #before: Body | undefined;
  #after: Body | undefined;

  constructor(source: Source, time: number) {
    this.#source = source;
    this.#expires = Body.#ticks + Math.ceil(time / 1000) + 1;
    this.#before = Body.#last;
    if (Body.#last !== undefined) Body.#last.#after = this;
    Body.#last = this;
    Body.#start();
  }

  /** Adds a chunk; returns false beyond the limit. */
  add(chunk: NodeChunk, limit: number): boolean {
    this.#size += chunk.length;
    if (this.#size > limit) return false;
    if (this.#isListed) this.#chunks.push(chunk);
    return true;
  }

  /** Decodes the body after its last chunk. */
  end(): void {
    if (!this.leave()) return;
    let text: string;
    try {
      text = this.#text();
    } catch (error) {
      return this.text.reject(error);
    }
    this.text.resolve(text);
  }

  #text(): string {
    const [first] = this.#chunks;
    if (this.#chunks.length !== 1)
      return decodeUtf8(concatBytes(this.#chunks, this.#size));
    const text = first!.toString("utf8");
    // U+FFFD is a decoding error, unless the body contains it.
    return text.includes("\uFFFD") ? decodeUtf8(first!) : text;
  }

  /** Discards the body and rejects with an error. */
  fail(error: ApiError): void {
    if (!this.leave()) return;
    this.#chunks = [];
    this.text.reject(error);
  }

  /** Removes the body from the list; returns false if it was removed before. */
  leave(): boolean {
    if (!this.#isListed) return false;
    this.#isListed = false;
    if (this.#before !== undefined) this.#before.#after = this.#after;
    if (this.#after !== undefined) this.#after.#before = this.#before;
    if (Body.#last === this) Body.#last = this.#before;
    return true;
  }

  #check(): void {
    if (this.#source.destroyed)
      this.fail(new ApiError(400, "The body could not be read completely."));
    else if (this.#expires <= Body.#ticks) this.fail(requestTimeout());
  }

  static #last: Body | undefined;
  /** Seconds counted by the timer. */
  static #ticks = 0;
  static #timer: ReturnType<typeof setInterval> | undefined;

  static #start(): void {
    if (Body.#timer !== undefined) return;
    Body.#timer = setInterval(() => Body.#tick(), 1000);
    (Body.#timer as { unref?: () => void }).unref?.();
  }

  static #tick(): void {
    Body.#ticks++;
    let body = Body.#last;
    while (body !== undefined) {
      const before: Body | undefined = body.#before;
      body.#check();
      body = before;
    }
    if (Body.#last !== undefined) return;
    clearInterval(Body.#timer);
    Body.#timer = undefined;
  }
}
