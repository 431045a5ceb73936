import { formatCount } from "../../diagnostics/format-count.js";
import { AdminError } from "../service.js";
import type { Store, Transaction } from "../store/store.js";
import { itemColumns, prepareItems, putItems } from "./import/items.js";
import {
  preparePurchases,
  purchaseColumns,
  putPurchases,
} from "./import/purchases.js";
import { type Format, readRows } from "./import/rows.js";
import { requireOwner } from "./keys.js";

/**
 * Text of the import file, and user name of the owner of its items or
 * purchases.
 */
export interface ImportOptions {
  readonly owner: string;
  readonly text: string;
  readonly format: Format;
  /**
   * True to import the valid rows even if other rows have problems. If false,
   * any problem prevents the import.
   */
  readonly isPartial: boolean;
  /** ISO 8601. */
  readonly now: string;
}

/**
 * Number of imported rows, and messages about the rows that were not imported.
 */
export interface ImportResult {
  readonly imported: number;
  readonly problems: readonly string[];
}

/**
 * Imports items from a file.
 *
 * @throws AdminError if the import fails; the store is unchanged in this case
 */
export async function importItems(
  store: Store,
  options: ImportOptions,
): Promise<ImportResult> {
  const { text, format, owner, now } = options;
  const rows = readRows(text, format, itemColumns, "items");
  return inTransaction(store, options, async (tx) => {
    const { items, problems } = await prepareItems(rows, owner, tx, now);
    throwProblems(problems, options);
    if (items.length > 0) await putItems(tx, owner, items);
    return { imported: items.length, problems };
  });
}

/**
 * Imports purchases from a file.
 *
 * @throws AdminError if the import fails; the store is unchanged in this case
 */
export async function importPurchases(
  store: Store,
  options: ImportOptions,
): Promise<ImportResult> {
  const { text, format, owner } = options;
  const rows = readRows(text, format, purchaseColumns, "purchases");
  return inTransaction(store, options, async (tx) => {
    const { purchases, problems } = await preparePurchases(rows, owner, tx);
    throwProblems(problems, options);
    putPurchases(tx, owner, purchases);
    return { imported: purchases.length, problems };
  });
}

function inTransaction(
  store: Store,
  { owner }: ImportOptions,
  run: (tx: Transaction) => Promise<ImportResult>,
): Promise<ImportResult> {
  return store.transaction(async (tx) => {
    await requireOwner(tx, owner);
    return run(tx);
  });
}

function throwProblems(
  problems: readonly string[],
  { isPartial }: ImportOptions,
): void {
  if (isPartial || problems.length === 0) return;
  const count = formatCount(problems.length, "problem");
  throw new AdminError(`the file has ${count}; nothing was imported`, problems);
}
