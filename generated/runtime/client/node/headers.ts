/* eslint-disable */
// biome-ignore-all lint: generated

import type { NodeMessage } from "./builtin.js";

type Fields = NodeMessage["headers"];

/**
 * The headers of an answer, to be read. A `Headers` is filled only where all
 * are wanted: that costs as much as the rest of an answer, and a call looks at
 * one or two.
 */
export function headersOf({ headers }: NodeMessage): Headers {
  return new LazyHeaders(headers) as unknown as Headers;
}

/** A type of its own, for some libraries of types leave these out. */
interface Listed {
  entries(): unknown;
  keys(): unknown;
  values(): unknown;
}

/** A class, for its methods are shared by all answers. */
class LazyHeaders {
  readonly #fields: Fields;
  #all: (Headers & Listed) | undefined;

  constructor(fields: Fields) {
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
    this.#whole().forEach(...rest);
  }

  entries(): unknown {
    return this.#whole().entries();
  }

  keys(): unknown {
    return this.#whole().keys();
  }

  values(): unknown {
    return this.#whole().values();
  }

  [Symbol.iterator](): unknown {
    return this.entries();
  }

  #whole(): Headers & Listed {
    if (this.#all) return this.#all;
    const all = new Headers() as Headers & Listed;
    for (const [name, value = []] of Object.entries(this.#fields))
      for (const one of [value].flat()) all.append(name, one);
    return (this.#all = all);
  }
}
