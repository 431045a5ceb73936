/** Least recently used cache with a maximum total size in bytes. */
export class ByteCache<T> {
  readonly #limit: number;
  readonly #entries = new Map<string, { readonly value: T; size: number }>();
  #size = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: string): T | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** Stores a value, unless its size exceeds half of the maximum total size. */
  set(key: string, value: T, size: number): void {
    this.delete(key);
    if (size > this.#limit / 2) return;
    this.#entries.set(key, { value, size });
    this.#size += size;
    this.#shrink();
  }

  /** Increases the recorded size of a cached value. */
  grow(key: string, value: T, by: number): void {
    const entry = this.#entries.get(key);
    if (entry?.value !== value) return;
    entry.size += by;
    this.#size += by;
    this.#shrink();
  }

  delete(key: string): void {
    this.#size -= this.#entries.get(key)?.size ?? 0;
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
    this.#size = 0;
  }

  #shrink(): void {
    for (const key of this.#entries.keys()) {
      if (this.#size <= this.#limit) return;
      this.delete(key);
    }
  }
}
