import type { Incoming } from "../../../generated/runtime/server/index.js";
import type { StoredBody } from "./compressed-body.js";

/** Headers that the front itself obeys; behind it, answers are whole. */
const OBEYED = new Set(["if-none-match", "if-match", "range", "if-range"]);

/** A request as the generated server is to see it. */
export class PlainRequest implements Incoming {
  readonly method: string;
  readonly target: string;
  /** What the handler answers with, where the front can send it packed as it lies in memory. */
  stored: StoredBody | undefined;
  readonly #request: Incoming;

  constructor(request: Incoming, method: string, target: string) {
    this.#request = request;
    this.method = method;
    this.target = target;
  }

  get origin(): string {
    return this.#request.origin;
  }

  get remoteAddress(): string | undefined {
    return this.#request.remoteAddress;
  }

  get signal(): AbortSignal {
    return this.#request.signal;
  }

  get raw(): unknown {
    return this.#request.raw;
  }

  header(name: string): string | undefined {
    return OBEYED.has(name) ? undefined : this.#request.header(name);
  }

  text(limit: number, time: number): Promise<string> {
    return this.#request.text(limit, time);
  }

  chunks(): AsyncIterable<Uint8Array> {
    return this.#request.chunks();
  }
}
