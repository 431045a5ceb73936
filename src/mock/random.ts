/**
 * Generator of pseudorandom numbers. The sequence depends only on the seed, not
 * on the machine.
 */
export class Random {
  #state: number;

  constructor(seed: string) {
    this.#state = hash(seed);
  }

  /**
   * Returns a random integer that is at least 0 and less than `end`; `end` is
   * at most 2^32.
   */
  below(end: number): number {
    return Math.floor(this.fraction() * end);
  }

  /** Returns a random number that is at least 0 and less than 1. */
  fraction(): number {
    return this.#next() / 2 ** 32;
  }

  /** Returns a random element of a non-empty list. */
  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }

  /** Returns a random string of `length` characters from an alphabet. */
  text(length: number, alphabet: string): string {
    let text = "";
    while (text.length < length) text += alphabet[this.below(alphabet.length)];
    return text;
  }

  /**
   * Returns the next number of the Mulberry32 generator, which needs only
   * 32-bit integer operations.
   */
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }
}

/**
 * Returns the FNV-1a hash of a string's UTF-16 code units, mixed by the
 * finalizer of MurmurHash3.
 */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return value ^ (value >>> 16);
}
