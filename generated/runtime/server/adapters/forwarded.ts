/* eslint-disable */
// biome-ignore-all lint: generated

import type { ServerOptions } from "../options.js";
import { isHost, type Incoming } from "../request.js";

/**
 * Function that wraps a request. The wrapper reads the origin and remote
 * address from the headers of a proxy or from the server's options.
 */
export type Forward = (request: Incoming) => Incoming;

/**
 * Returns the function that wraps incoming requests; undefined if the options
 * do not require a wrapper.
 */
export function createForward({
  origin,
  trustProxy = false,
}: ServerOptions): Forward | undefined {
  if (origin === undefined && !trustProxy) return undefined;
  const fixed = origin?.replace(/\/+$/, "");
  return (request) => new Forwarded(request, fixed, trustProxy);
}

/**
 * Request that was received through a trusted proxy, or by a server with a
 * fixed origin.
 */
class Forwarded implements Incoming {
  readonly #inner: Incoming;
  readonly #origin: string | undefined;
  readonly #trustsProxy: boolean;

  constructor(
    inner: Incoming,
    origin: string | undefined,
    trustsProxy: boolean,
  ) {
    this.#inner = inner;
    this.#origin = origin;
    this.#trustsProxy = trustsProxy;
  }

  get method(): string {
    return this.#inner.method;
  }

  get target(): string {
    return this.#inner.target;
  }

  get mount(): string | undefined {
    return this.#inner.mount;
  }

  get isPart(): boolean | undefined {
    return this.#inner.isPart;
  }

  get isDecoded(): boolean | undefined {
    return this.#inner.isDecoded;
  }

  get raw(): unknown {
    return this.#inner.raw;
  }

  get signal(): AbortSignal {
    return this.#inner.signal;
  }

  get origin(): string {
    if (this.#origin !== undefined) return this.#origin;
    const { origin } = this.#inner;
    const mark = origin.indexOf("://");
    const scheme = this.#last("x-forwarded-proto")?.toLowerCase();
    const host = this.#last("x-forwarded-host");
    const isScheme = scheme === "http" || scheme === "https";
    return `${isScheme ? scheme : origin.slice(0, mark)}://${isHost(host) ? host : origin.slice(mark + 3)}`;
  }

  get remoteAddress(): string | undefined {
    const { remoteAddress } = this.#inner;
    return this.#trustsProxy
      ? (this.#last("x-forwarded-for") ?? remoteAddress)
      : remoteAddress;
  }

  header(name: string): string | undefined {
    return this.#inner.header(name);
  }

  text(limit: number, time: number): Promise<string> {
    return this.#inner.text(limit, time);
  }

  chunks(): AsyncIterable<Uint8Array> {
    return this.#inner.chunks();
  }

  abort(reason: unknown): void {
    this.#inner.abort?.(reason);
  }

  /**
   * Returns the last of several values in a header. Each proxy appends a value;
   * all earlier values can be forged by callers.
   */
  #last(name: string): string | undefined {
    const value = this.#inner.header(name);
    if (value === undefined) return undefined;
    const last = value.slice(value.lastIndexOf(",") + 1).trim();
    return last === "" ? undefined : last;
  }
}
