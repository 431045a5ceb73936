/**
 * Generates pseudorandom numbers from a seed. The numbers are the same on every
 * machine.
 */
export class Random {
  #state: number;

  constructor(seed: string) {
    this.#state = hash(seed);
  }

  /**
   * Returns an integer from 0 up to, but not including, `end`; `end` is at most
   * 2^32.
   */
  below(end: number): number {
    return Math.floor(this.fraction() * end);
  }

  /** Returns a number from 0 up to, but not including, 1. */
  fraction(): number {
    return this.#next() / 2 ** 32;
  }

  /** Returns an element of a non-empty list. */
  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }

  /** Returns a string of `length` characters from an alphabet. */
  text(length: number, alphabet: string): string {
    let text = "";
    while (text.length < length) text += alphabet[this.below(alphabet.length)];
    return text;
  }

  /** Implements Mulberry32, which needs only 32-bit integer operations. */
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }
}

/**
 * Computes the FNV-1a hash of the UTF-16 code units, and applies the finalizer
 * of MurmurHash3.
 */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return value ^ (value >>> 16);
}
