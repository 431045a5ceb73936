import { checkKey, compareKeys } from "./keys.js";
import type { Entry, Range, Reader, Transaction } from "./store.js";

/** What a transaction changed: values as JSON, undefined for what it deleted. */
export type Changes = ReadonlyMap<
  string,
  ReadonlyMap<string, string | undefined>
>;

/** A transaction that keeps its writes to itself, in front of what is stored. */
export class Overlay implements Transaction {
  readonly #base: Reader;
  readonly #changes = new Map<string, Map<string, string | undefined>>();

  constructor(base: Reader) {
    this.#base = base;
  }

  /** What has to be written when it ends well. */
  get changes(): Changes {
    return this.#changes;
  }

  put(table: string, key: string, value: unknown): void {
    checkKey(key);
    this.#own(table).set(key, JSON.stringify(value));
  }

  delete(table: string, key: string): void {
    checkKey(key);
    this.#own(table).set(key, undefined);
  }

  async get<T>(table: string, key: string): Promise<T | undefined> {
    const own = this.#changes.get(table);
    if (own?.has(key) !== true) return this.#base.get<T>(table, key);
    const text = own.get(key);
    return text === undefined ? undefined : (JSON.parse(text) as T);
  }

  async list<T>(
    table: string,
    range: Range = {},
  ): Promise<readonly Entry<T>[]> {
    const own = this.#changes.get(table);
    if (own === undefined) return this.#base.list<T>(table, range);
    const { offset = 0, limit = Infinity, ...place } = range;
    // Each change takes one of the stored entries away at most.
    const most = offset + limit + own.size;
    const stored = await this.#base.list<T>(table, { ...place, limit: most });
    return merge(stored, own, range).slice(offset, offset + limit);
  }

  async count(table: string, prefix: string = ""): Promise<number> {
    let count = await this.#base.count(table, prefix);
    for (const [key, text] of this.#changes.get(table) ?? []) {
      if (!key.startsWith(prefix)) continue;
      const was = (await this.#base.get(table, key)) !== undefined;
      count += Number(text !== undefined) - Number(was);
    }
    return count;
  }

  #own(table: string): Map<string, string | undefined> {
    const own = this.#changes.get(table) ?? new Map<string, string>();
    this.#changes.set(table, own);
    return own;
  }
}

function merge<T>(
  stored: readonly Entry<T>[],
  own: ReadonlyMap<string, string | undefined>,
  range: Range,
): Entry<T>[] {
  const order = range.isReverse === true ? -1 : 1;
  const added = [...own]
    .filter(([key, text]) => text !== undefined && isWithin(key, range))
    .map(([key, text]) => ({ key, value: JSON.parse(text!) as T }));
  return [...stored.filter(({ key }) => !own.has(key)), ...added].sort(
    (a, b) => compareKeys(a.key, b.key) * order,
  );
}

/** Whether a range has a key, its limit and offset aside. */
export function isWithin(
  key: string,
  { prefix = "", after, isReverse }: Range,
): boolean {
  if (!key.startsWith(prefix)) return false;
  if (after === undefined) return true;
  const order = compareKeys(key, after);
  return isReverse === true ? order < 0 : order > 0;
}
