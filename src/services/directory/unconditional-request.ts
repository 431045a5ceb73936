import type { Incoming } from "../../../generated/runtime/server/index.js";
import type { CompressedBody } from "./compressed-body.js";

/**
 * Headers that the response cache handles itself. They are not passed to the
 * generated server, because the cache needs complete responses.
 */
const CONDITIONAL_HEADERS = new Set([
  "if-none-match",
  "if-match",
  "range",
  "if-range",
]);

/** Request to the generated server, without conditional and range headers. */
export class UnconditionalRequest implements Incoming {
  readonly method: string;
  readonly target: string;
  /**
   * Compressed bytes of the response; set by the handler if they are in memory.
   */
  compressedBody: CompressedBody | undefined;
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
    return CONDITIONAL_HEADERS.has(name)
      ? undefined
      : this.#request.header(name);
  }

  text(limit: number, time: number): Promise<string> {
    return this.#request.text(limit, time);
  }

  chunks(): AsyncIterable<Uint8Array> {
    return this.#request.chunks();
  }
}
