/** Numbers that depend on a text and on nothing else: the same on every machine. */
export class Random {
  #state: number;

  constructor(seed: string) {
    this.#state = hash(seed);
  }

  /** A whole number from 0 to before `end`; `end` is at most 2^32. */
  below(end: number): number {
    return Math.floor(this.fraction() * end);
  }

  /** A number from 0 to before 1. */
  fraction(): number {
    return this.#next() / 2 ** 32;
  }

  /** One of a list that is not empty. */
  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }

  /** So many characters of an alphabet. */
  text(length: number, alphabet: string): string {
    let text = "";
    while (text.length < length) text += alphabet[this.below(alphabet.length)];
    return text;
  }

  /** Mulberry32: small, and in whole numbers alone. */
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }
}

/** FNV-1a over UTF-16 units, with a last mix. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return value ^ (value >>> 16);
}
