import type { Entry, Range, Reader, Store, Transaction } from "./store.js";

type Tables = Map<string, Map<string, string>>;

/** A store that is gone with the process. */
export function memoryStore(): Store {
  const tables: Tables = new Map();
  let last: Promise<unknown> = Promise.resolve();
  return {
    ...reader((table) => tables.get(table) ?? new Map()),
    transaction(run) {
      const result = last.then(() => inTransaction(tables, run));
      last = result.catch(() => {});
      return result;
    },
    close: async () => {},
  };
}

async function inTransaction<T>(
  tables: Tables,
  run: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  const changed: Tables = new Map();
  const now = (table: string): Map<string, string> =>
    changed.get(table) ?? tables.get(table) ?? new Map();
  const own = (table: string): Map<string, string> => {
    const copy = changed.get(table) ?? new Map(tables.get(table));
    changed.set(table, copy);
    return copy;
  };
  const result = await run({
    ...reader(now),
    put: (table, key, value) => void own(table).set(key, JSON.stringify(value)),
    delete: (table, key) => void own(table).delete(key),
  });
  for (const [table, rows] of changed) tables.set(table, rows);
  return result;
}

/** Values are kept as text, so that nobody shares objects with the store. */
function reader(rowsOf: (table: string) => Map<string, string>): Reader {
  return {
    async get<T>(table: string, key: string) {
      const text = rowsOf(table).get(key);
      return text === undefined ? undefined : (JSON.parse(text) as T);
    },
    async list<T>(table: string, range: Range = {}) {
      return select<T>(rowsOf(table), range);
    },
    async count(table, prefix = "") {
      const keys = [...rowsOf(table).keys()];
      return keys.filter((key) => key.startsWith(prefix)).length;
    },
  };
}

function select<T>(rows: Map<string, string>, range: Range): Entry<T>[] {
  const { prefix = "", after, limit = Infinity, offset = 0 } = range;
  const order = range.isReverse === true ? -1 : 1;
  const isMeant = (key: string): boolean =>
    key.startsWith(prefix) &&
    (after === undefined || compare(key, after) * order > 0);
  return [...rows.keys()]
    .filter(isMeant)
    .sort((a, b) => compare(a, b) * order)
    .slice(offset, offset + limit)
    .map((key) => ({ key, value: JSON.parse(rows.get(key)!) as T }));
}

function compare(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
