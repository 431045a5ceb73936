import type { Item as ItemJson } from "../../../generated/admin/v1/schemas.js";
import {
  mergePatch,
  type MergePatch,
} from "../../../generated/runtime/server/index.js";
import { AdminError } from "../service.js";
import {
  entriesOf,
  type Store,
  type StoreReader,
  type Transaction,
} from "../store/store.js";
import {
  itemKey,
  tables,
  type StoredItem,
  type StoredPurchase,
} from "./data.js";
import {
  countVersion,
  itemColumns,
  itemOf as itemFrom,
  lastId,
  previewProblems,
  putItems,
} from "./import/items.js";
import { checkObject } from "./import/rows.js";
import { requireOwner } from "./keys.js";
import type { Changed } from "./owners.js";
import { itemOf } from "./view.js";

/** Converts an item to JSON of the admin API. */
export function itemJson(item: StoredItem): ItemJson {
  const { kind, state, hasSupport } = item;
  return { ...itemOf(item), kind, state, support: hasSupport };
}

/**
 * Returns an item.
 *
 * @throws AdminError if the owner or the item does not exist
 */
export async function requireItem(
  store: StoreReader,
  owner: string,
  id: number,
): Promise<StoredItem> {
  const key = itemKey(owner, id);
  const item = key && (await store.get<StoredItem>(tables.items, key));
  if (item) return item;
  await requireOwner(store, owner);
  throw new AdminError(`'${owner}' has no item ${id}`, [], 404);
}

/**
 * Adds an item.
 *
 * @param now ISO 8601
 * @throws AdminError if the owner does not exist, or the id is already in use
 */
export function addItem(
  store: Store,
  owner: string,
  json: ItemJson,
  now: string,
): Promise<StoredItem> {
  const values = checkObject(json, itemColumns, previewProblems);
  return store.transaction(async (tx) => {
    await requireOwner(tx, owner);
    const wanted = values["id"] as number | undefined;
    const id = wanted ?? (await lastId(tx, owner)) + 1;
    if ((await tx.get(tables.items, itemKey(owner, id)!)) !== undefined)
      throw new AdminError(`'${owner}' already has an item ${id}`, [], 409);
    const item = itemFrom(values, id, now);
    await putItems(tx, owner, [item]);
    return item;
  });
}

/**
 * Changes the members of an item that a patch contains.
 *
 * @throws AdminError if the owner or the item does not exist, or the patch is
 *   invalid
 */
export function changeItem(
  store: Store,
  owner: string,
  id: number,
  patch: MergePatch<ItemJson>,
): Promise<Changed<StoredItem>> {
  return store.transaction(async (tx) => {
    const before = await requireItem(tx, owner, id);
    const json = mergePatch(itemJson(before), patch);
    const values = checkObject(json, itemColumns, previewProblems);
    if (values["id"] !== id)
      throw new AdminError("id can't be changed; omit it");
    const after = itemFrom(values, id, before.publishedAt);
    await putItems(tx, owner, [after]);
    return { before, after };
  });
}

/**
 * Deletes an item.
 *
 * @throws AdminError if the owner or the item does not exist, or the item was
 *   bought
 */
export function deleteItem(
  store: Store,
  owner: string,
  id: number,
): Promise<void> {
  return store.transaction(async (tx) => {
    await requireItem(tx, owner, id);
    if (await isBought(tx, owner, id))
      throw new AdminError(
        `the item ${id} has purchases; set its state to rejected instead`,
        [],
        409,
      );
    tx.delete(tables.items, itemKey(owner, id)!);
    await countVersion(tx, owner);
  });
}

async function isBought(
  tx: Transaction,
  owner: string,
  id: number,
): Promise<boolean> {
  const purchases = entriesOf<StoredPurchase>(tx, tables.purchases, {
    prefix: `${owner}/`,
  });
  for await (const { value } of purchases) if (value.itemId === id) return true;
  return false;
}
