import type {
  Entry,
  KeyRange,
  SequenceName,
  StoreReader,
  Transaction,
} from "./store.js";

/** Table with the last ids of sequences in stores without sequences. */
export const SEQUENCE_TABLE = "migration-settings";

/** Returns the key of the last id of a sequence in {@link SEQUENCE_TABLE}. */
export function lastIdKey(sequence: SequenceName): string {
  return `last-${sequence}`;
}

/**
 * Changes of a transaction, keyed by table name, then by key. A value is the
 * new value as JSON, or undefined for a deleted key.
 */
export type Changes = ReadonlyMap<
  string,
  ReadonlyMap<string, string | undefined>
>;

/**
 * Transaction that buffers its writes. Reads in the transaction return the
 * buffered values.
 */
export class Overlay implements Transaction {
  readonly #base: StoreReader;
  readonly #nextId: ((sequence: SequenceName) => Promise<number>) | undefined;
  readonly #changes = new Map<string, Map<string, string | undefined>>();

  /**
   * @param nextId assigns ids; by default, a record of the last id of each
   *   sequence is part of the transaction
   */
  constructor(
    base: StoreReader,
    nextId?: (sequence: SequenceName) => Promise<number>,
  ) {
    this.#base = base;
    this.#nextId = nextId;
  }

  /** Changes that are written when the transaction is committed. */
  get changes(): Changes {
    return this.#changes;
  }

  put(table: string, key: string, value: unknown): void {
    checkKey(key);
    this.#changesOf(table).set(key, JSON.stringify(value));
  }

  delete(table: string, key: string): void {
    checkKey(key);
    this.#changesOf(table).set(key, undefined);
  }

  async get<T>(table: string, key: string): Promise<T | undefined> {
    const changes = this.#changes.get(table);
    if (changes?.has(key) !== true) return this.#base.get<T>(table, key);
    const text = changes.get(key);
    return text === undefined ? undefined : (JSON.parse(text) as T);
  }

  async list<T>(
    table: string,
    range: KeyRange = {},
  ): Promise<readonly Entry<T>[]> {
    const changes = this.#changes.get(table);
    if (changes === undefined) return this.#base.list<T>(table, range);
    const { offset = 0, limit = Infinity, ...bounds } = range;
    // Each buffered change hides at most one stored entry, so this maximum is
    // always sufficient for the requested range.
    const most = offset + limit + changes.size;
    const stored = await this.#base.list<T>(table, { ...bounds, limit: most });
    return merge(stored, changes, range).slice(offset, offset + limit);
  }

  async count(table: string, prefix: string = ""): Promise<number> {
    let count = await this.#base.count(table, prefix);
    for (const [key, text] of this.#changes.get(table) ?? []) {
      if (!key.startsWith(prefix)) continue;
      const exists = (await this.#base.get(table, key)) !== undefined;
      count += Number(text !== undefined) - Number(exists);
    }
    return count;
  }

  async existing(
    table: string,
    keys: readonly string[],
  ): Promise<ReadonlySet<string>> {
    const found = new Set(await this.#base.existing(table, keys));
    const changes = this.#changes.get(table);
    for (const key of keys) {
      if (changes?.has(key) !== true) continue;
      if (changes.get(key) === undefined) found.delete(key);
      else found.add(key);
    }
    return found;
  }

  async nextId(sequence: SequenceName): Promise<number> {
    if (this.#nextId !== undefined) return this.#nextId(sequence);
    const key = lastIdKey(sequence);
    const id = ((await this.get<number>(SEQUENCE_TABLE, key)) ?? 0) + 1;
    this.put(SEQUENCE_TABLE, key, id);
    return id;
  }

  #changesOf(table: string): Map<string, string | undefined> {
    const changes = this.#changes.get(table) ?? new Map<string, string>();
    this.#changes.set(table, changes);
    return changes;
  }
}

function merge<T>(
  stored: readonly Entry<T>[],
  changes: ReadonlyMap<string, string | undefined>,
  range: KeyRange,
): Entry<T>[] {
  const order = range.isReverse === true ? -1 : 1;
  const added = [...changes]
    .filter(([key, text]) => text !== undefined && isWithin(key, range))
    .map(([key, text]) => ({ key, value: JSON.parse(text!) as T }));
  return [...stored.filter(({ key }) => !changes.has(key)), ...added].sort(
    (a, b) => compareKeys(a.key, b.key) * order,
  );
}

/**
 * Tests whether a key is in a range. The limit and offset of the range are
 * ignored.
 */
export function isWithin(
  key: string,
  { prefix = "", after, isReverse }: KeyRange,
): boolean {
  if (!key.startsWith(prefix)) return false;
  if (after === undefined) return true;
  const order = compareKeys(key, after);
  return isReverse === true ? order < 0 : order > 0;
}

/**
 * Compares keys by their UTF-8 bytes. The result differs from the comparison of
 * JavaScript strings only between surrogates and characters from U+E000 to
 * U+FFFF.
 */
export function compareKeys(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

/**
 * Returns the sort order of a UTF-16 code unit. Surrogates come last, because
 * they encode code points above U+FFFF.
 */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/**
 * Tests whether a string contains no lone surrogates, so that it can be encoded
 * as UTF-8.
 */
export function isKey(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

/**
 * @throws TypeError for a key with a lone surrogate, because it would be stored
 *   as a different key
 */
function checkKey(key: string): void {
  if (isKey(key)) return;
  throw new TypeError(
    `the key must not contain lone surrogates: ${JSON.stringify(key)}`,
  );
}

/**
 * Returns the smallest key that is greater than all keys with a prefix;
 * undefined if no such key exists.
 */
export function endOfPrefix(prefix: string): string | undefined {
  const points = [...prefix];
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    const point = last.codePointAt(0)!;
    if (point === 0x10ffff) continue;
    // The range of the surrogates is skipped, because surrogates are not
    // characters.
    const next = point === 0xd7ff ? 0xe000 : point + 1;
    return points.join("") + String.fromCodePoint(next);
  }
  return undefined;
}
