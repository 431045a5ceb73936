import type { Incoming } from "../../../src/runtime/server/index.js";

/** A request without a connection. */
export class MemoryIncoming implements Incoming {
  readonly raw: unknown = undefined;
  readonly signal: AbortSignal = new AbortController().signal;
  readonly origin: string = "http://server.example";

  constructor(
    readonly method: string,
    readonly target: string,
    private readonly headers: Readonly<Record<string, string>>,
    private readonly body: Uint8Array,
  ) {}

  header(name: string): string | undefined {
    return this.headers[name];
  }

  text(): Promise<string> {
    return Promise.resolve(new TextDecoder().decode(this.body));
  }

  /** Body in chunks of arbitrary size. */
  async *chunks(): AsyncIterable<Uint8Array> {
    for (let at = 0; at < this.body.length; at += 7)
      yield this.body.subarray(at, at + 7);
  }
}
