/* eslint-disable */
// biome-ignore-all lint: generated

import type { NodeMessage } from "./builtin.js";

/**
 * Returns read-only headers of a response. A `Headers` object is created only
 * when the headers are iterated over: creating the object takes as long as all
 * other processing of a response, and most callers read only one or two
 * headers.
 */
export function headersOf(message: NodeMessage): Headers {
  return new LazyHeaders(message) as unknown as Headers;
}

/**
 * Returns the value of a header; `null` if the response does not have it.
 * Searches `rawHeaders` first, because this is faster than creating `headers`
 * and most requested headers are absent.
 *
 * @param name name in lower case.
 */
export function headerOf(message: NodeMessage, name: string): string | null {
  const { rawHeaders } = message;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const received = rawHeaders[at]!;
    if (received.length === name.length && received.toLowerCase() === name)
      return [message.headers[name]].flat().join(", ");
  }
  return null;
}

/** Iteration methods of `Headers`, which some type libraries do not declare. */
interface IterableHeaders {
  entries(): unknown;
  keys(): unknown;
  values(): unknown;
}

/**
 * Read-only implementation of `Headers`. It is a class, so that all instances
 * share the same methods.
 */
class LazyHeaders {
  readonly #message: NodeMessage;
  #headers: (Headers & IterableHeaders) | undefined;

  constructor(message: NodeMessage) {
    this.#message = message;
  }

  get(name: string): string | null {
    return headerOf(this.#message, name.toLowerCase());
  }

  has(name: string): boolean {
    return this.get(name) !== null;
  }

  getSetCookie(): string[] {
    return [this.#message.headers["set-cookie"] ?? []].flat();
  }

  forEach(...rest: Parameters<Headers["forEach"]>): void {
    this.#toHeaders().forEach(...rest);
  }

  entries(): unknown {
    return this.#toHeaders().entries();
  }

  keys(): unknown {
    return this.#toHeaders().keys();
  }

  values(): unknown {
    return this.#toHeaders().values();
  }

  [Symbol.iterator](): unknown {
    return this.entries();
  }

  #toHeaders(): Headers & IterableHeaders {
    if (this.#headers) return this.#headers;
    const headers = new Headers() as Headers & IterableHeaders;
    for (const [name, value = []] of Object.entries(this.#message.headers))
      for (const item of [value].flat()) headers.append(name, item);
    return (this.#headers = headers);
  }
}
