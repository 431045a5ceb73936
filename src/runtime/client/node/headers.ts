import type { NodeMessage } from "./builtin.js";

type RawHeaders = NodeMessage["headers"];

/**
 * Returns read-only headers of a response. A `Headers` object is created only
 * when the headers are iterated over: creating the object takes as long as all
 * other processing of a response, and most callers read only one or two
 * headers.
 */
export function headersOf({ headers }: NodeMessage): Headers {
  return new LazyHeaders(headers) as unknown as Headers;
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
  readonly #fields: RawHeaders;
  #headers: (Headers & IterableHeaders) | undefined;

  constructor(fields: RawHeaders) {
    this.#fields = fields;
  }

  get(name: string): string | null {
    const key = name.toLowerCase();
    const value = Object.hasOwn(this.#fields, key) ? this.#fields[key] : null;
    return Array.isArray(value) ? value.join(", ") : (value ?? null);
  }

  has(name: string): boolean {
    return this.get(name) !== null;
  }

  getSetCookie(): string[] {
    return [this.#fields["set-cookie"] ?? []].flat();
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
    for (const [name, value = []] of Object.entries(this.#fields))
      for (const item of [value].flat()) headers.append(name, item);
    return (this.#headers = headers);
  }
}
