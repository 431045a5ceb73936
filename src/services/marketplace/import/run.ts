import { AdminError } from "../../service.js";
import type { Store, Transaction } from "../../store/store.js";
import { requireOwner } from "../keys.js";
import { itemColumns, putItems, storableItems } from "./items.js";
import {
  purchaseColumns,
  putPurchases,
  storablePurchases,
} from "./purchases.js";
import { readRows, type Format } from "./rows.js";

/** A file to import. */
export interface ImportOptions {
  readonly owner: string;
  readonly text: string;
  readonly format: Format;
  /** Takes the rows that are right and leaves the others; else it is all or nothing. */
  readonly isPartial: boolean;
  /** ISO 8601. */
  readonly now: string;
}

/** What became of a file. */
export interface Imported {
  readonly imported: number;
  /** Of rows that were left out. */
  readonly problems: readonly string[];
}

/** @throws AdminError for what can't be imported; nothing has changed then */
export function importItems(
  store: Store,
  options: ImportOptions,
): Promise<Imported> {
  const { text, format, owner, now } = options;
  const read = readRows(text, format, itemColumns, "items");
  return inTransaction(store, options, async (tx) => {
    const { items, problems } = await storableItems(read, owner, tx, now);
    refuse(problems, options);
    if (items.length > 0) await putItems(tx, owner, items);
    return { imported: items.length, problems };
  });
}

/** @throws AdminError for what can't be imported; nothing has changed then */
export function importPurchases(
  store: Store,
  options: ImportOptions,
): Promise<Imported> {
  const { text, format, owner } = options;
  const read = readRows(text, format, purchaseColumns, "purchases");
  return inTransaction(store, options, async (tx) => {
    const { purchases, problems } = await storablePurchases(read, owner, tx);
    refuse(problems, options);
    putPurchases(tx, owner, purchases);
    return { imported: purchases.length, problems };
  });
}

function inTransaction(
  store: Store,
  { owner }: ImportOptions,
  run: (tx: Transaction) => Promise<Imported>,
): Promise<Imported> {
  return store.transaction(async (tx) => {
    await requireOwner(tx, owner);
    return run(tx);
  });
}

function refuse(
  problems: readonly string[],
  { isPartial }: ImportOptions,
): void {
  if (isPartial || problems.length === 0) return;
  const many =
    problems.length === 1 ? "1 problem" : `${problems.length} problems`;
  throw new AdminError(`the file has ${many}; nothing was imported`, problems);
}
