import { randomBytes } from "node:crypto";
import type { Purchase as PurchaseJson } from "../../../generated/admin/v1/schemas.js";
import {
  mergePatch,
  type MergePatch,
} from "../../../generated/runtime/server/index.js";
import { hashOf, idOfHash } from "../key-hash.js";
import { AdminError } from "../service.js";
import type { Store, StoreReader, Transaction } from "../store/store.js";
import { itemKey, purchaseKey, tables, type StoredPurchase } from "./data.js";
import {
  purchaseColumns,
  purchaseOf,
  putPurchases,
  supportProblems,
} from "./import/purchases.js";
import { checkObject } from "./import/rows.js";
import { requireOwner } from "./keys.js";
import type { Changed } from "./owners.js";

/** Returns the id of a purchase in audit events. Its code is secret. */
export function purchaseId(code: string): string {
  return idOfHash(hashOf(code));
}

/** Converts a purchase to JSON of the admin API. */
export function purchaseJson(purchase: StoredPurchase): PurchaseJson {
  const { code, supportedUntil } = purchase;
  return {
    id: purchaseId(code),
    purchase_code: code,
    item_id: purchase.itemId,
    license_type: purchase.licenseType,
    price: purchase.price,
    currency: purchase.currency,
    ...(supportedUntil === undefined
      ? {}
      : { supported_until: supportedUntil }),
    downloaded: purchase.isDownloaded,
    date: purchase.date,
  };
}

/**
 * Returns a purchase. Messages do not contain its code, because it is secret.
 *
 * @throws AdminError if the owner or the purchase does not exist
 */
export async function requirePurchase(
  store: StoreReader,
  owner: string,
  code: string,
): Promise<StoredPurchase> {
  const key = purchaseKey(owner, code);
  const purchase = await store.get<StoredPurchase>(tables.purchases, key);
  if (purchase !== undefined) return purchase;
  await requireOwner(store, owner);
  throw new AdminError(`'${owner}' has no purchase with this code`, [], 404);
}

/** Sale to record. */
export interface Sale {
  readonly owner: string;
  readonly json: PurchaseJson;
  /** Key of the request. Default: the code of the purchase. */
  readonly requestId: string | undefined;
  /** ISO 8601. */
  readonly now: string;
}

/**
 * Records a sale. A request that was recorded before returns its purchase.
 *
 * @returns `isNew` is false if the request was recorded before
 * @throws AdminError if the owner does not exist, the sale is invalid, or the
 *   request or the code was used for another sale
 */
export function recordSale(
  store: Store,
  { owner, json, requestId, now }: Sale,
): Promise<{ readonly purchase: StoredPurchase; readonly isNew: boolean }> {
  const key = requestId ?? json.purchase_code;
  if (key === undefined || key === "" || key.length > 200)
    throw new AdminError(
      "idempotencyKey must have 1 to 200 characters; it can be omitted if the body has a purchase_code",
    );
  const { id: _, ...members } = json;
  const values = checkObject(
    { purchase_code: randomCode(), date: now, ...members },
    purchaseColumns,
    supportProblems,
  );
  const requestHash = hashOfSale(json);
  return store.transaction(async (tx) => {
    await requireOwner(tx, owner);
    const earlier = await findSale(tx, owner, key);
    if (earlier !== undefined) {
      if (earlier.requestHash === requestHash)
        return { purchase: earlier, isNew: false };
      throw new AdminError(
        "the key of the request was used for a different sale; use another idempotencyKey or purchase_code",
        [],
        409,
      );
    }
    const purchase = { ...purchaseOf(values), requestId: key, requestHash };
    await addPurchase(tx, owner, purchase);
    tx.put(tables.sales, purchaseKey(owner, key), purchase.code);
    return { purchase, isNew: true };
  });
}

async function addPurchase(
  tx: Transaction,
  owner: string,
  purchase: StoredPurchase,
): Promise<void> {
  const { code, itemId } = purchase;
  const existing = await tx.get(tables.purchases, purchaseKey(owner, code));
  if (existing !== undefined)
    throw new AdminError("a purchase with this code exists", [], 409);
  if ((await tx.get(tables.items, itemKey(owner, itemId)!)) === undefined)
    throw new AdminError(
      `item_id: ${itemId} is not an item of '${owner}'; add the item first`,
    );
  putPurchases(tx, owner, [purchase]);
}

/** Returns the purchase that a request has recorded. */
async function findSale(
  tx: Transaction,
  owner: string,
  key: string,
): Promise<StoredPurchase | undefined> {
  const code = await tx.get<string>(tables.sales, purchaseKey(owner, key));
  if (code === undefined) return undefined;
  const purchase = await tx.get<StoredPurchase>(
    tables.purchases,
    purchaseKey(owner, code),
  );
  // An import that replaces a purchase removes the key of its request.
  return purchase?.requestId === key ? purchase : undefined;
}

function randomCode(): string {
  return randomBytes(20).toString("base64url");
}

/**
 * Returns the SHA-256 of a request. The order of its members has no effect, and
 * `null` equals an absent member.
 */
function hashOfSale(json: PurchaseJson): string {
  const members = Object.entries(json)
    .filter(([name, value]) => name !== "id" && (value ?? null) !== null)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return hashOf(JSON.stringify(members));
}

/**
 * Changes the members of a purchase that a patch contains.
 *
 * @throws AdminError if the owner or the purchase does not exist, or the patch
 *   is invalid
 */
export function changePurchase(
  store: Store,
  owner: string,
  code: string,
  patch: MergePatch<PurchaseJson>,
): Promise<Changed<StoredPurchase>> {
  return store.transaction(async (tx) => {
    const before = await requirePurchase(tx, owner, code);
    const { id: _, ...json } = mergePatch(purchaseJson(before), patch);
    const values = checkObject(json, purchaseColumns, supportProblems);
    const changed = purchaseOf(values);
    for (const [name, isSame] of [
      ["purchase_code", changed.code === code],
      ["item_id", changed.itemId === before.itemId],
    ] as const)
      if (!isSame) throw new AdminError(`${name} can't be changed; omit it`);
    const { requestId, requestHash } = before;
    const after: StoredPurchase = {
      ...changed,
      ...(requestId === undefined ? {} : { requestId }),
      ...(requestHash === undefined ? {} : { requestHash }),
    };
    putPurchases(tx, owner, [after]);
    return { before, after };
  });
}

/**
 * Deletes a purchase. A request with the key of its sale records a new one.
 *
 * @throws AdminError if the owner or the purchase does not exist
 */
export function deletePurchase(
  store: Store,
  owner: string,
  code: string,
): Promise<void> {
  return store.transaction(async (tx) => {
    const { requestId } = await requirePurchase(tx, owner, code);
    tx.delete(tables.purchases, purchaseKey(owner, code));
    if (requestId !== undefined)
      tx.delete(tables.sales, purchaseKey(owner, requestId));
  });
}
