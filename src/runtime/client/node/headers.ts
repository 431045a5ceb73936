import type { NodeMessage } from "./builtin.js";

type RawHeaders = NodeMessage["headers"];

/**
 * The headers of an answer, to be read. A `Headers` is filled only where all
 * are wanted: that costs as much as the rest of an answer, and a call looks at
 * one or two.
 */
export function headersOf({ headers }: NodeMessage): Headers {
  return new LazyHeaders(headers) as unknown as Headers;
}

/** A type of its own, for some libraries of types leave these out. */
interface IterableHeaders {
  entries(): unknown;
  keys(): unknown;
  values(): unknown;
}

/** A class, for its methods are shared by all answers. */
class LazyHeaders {
  readonly #fields: RawHeaders;
  #all: (Headers & IterableHeaders) | undefined;

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
    if (this.#all) return this.#all;
    const all = new Headers() as Headers & IterableHeaders;
    for (const [name, value = []] of Object.entries(this.#fields))
      for (const one of [value].flat()) all.append(name, one);
    return (this.#all = all);
  }
}
