import {
  ApiError,
  reply,
  type Reply,
} from "../../../generated/runtime/server/index.js";
import type { MarketplaceService } from "../../../generated/marketplace/v1/server.js";
import type { Reader } from "../store/store.js";
import {
  itemKey,
  purchaseKey,
  tables,
  type Owner,
  type StoredItem,
  type StoredPurchase,
} from "./data.js";
import type { ItemLists } from "./item-lists.js";
import { ownerOf } from "./keys.js";
import { accountOf, itemOf, purchaseOf } from "./view.js";

/** The methods of the API on a store. Failures have the words of the description. */
export function handlers(
  store: Reader,
  lists: ItemLists,
  hasSupport: boolean,
): Required<MarketplaceService> {
  return {
    account: {
      async details({ params }) {
        const owner = await caller(store, params.api_key, 401);
        const account = await store.get<Owner>(tables.owners, owner);
        if (account === undefined) throw new ApiError(401, "");
        return personal({ status: "success", data: accountOf(account) });
      },
    },
    items: {
      async all({ params }) {
        const owner = await caller(store, params.api_key, 404);
        const { size, answer, json } = await lists.of(owner);
        if (size === 0) throw new ApiError(404, "");
        return personal(answer, json);
      },
      async item({ params }) {
        const owner = await caller(store, params.api_key, 404);
        const item = await itemWith(store, owner, params.item_id);
        if (item?.state !== "approved") throw new ApiError(404, "");
        return personal({ status: "success", item: itemOf(item) });
      },
    },
    purchases: {
      async validation({ params: { api_key, purchase_code } }) {
        const owner = await caller(store, api_key, 404);
        if (purchase_code === "") throw isMissing("purchase_code");
        const key = purchaseKey(owner, purchase_code);
        const found = await store.get<StoredPurchase>(tables.purchases, key);
        const item = found && (await itemWith(store, owner, found.itemId));
        if (found === undefined || item === undefined)
          throw new ApiError(404, "");
        const purchase = purchaseOf(found, item, hasSupport);
        return personal({ status: "success", data: { purchase } });
      },
    },
  };
}

/** The owner whose key the caller has; else a failure that does not tell keys from what they open. */
async function caller(
  store: Reader,
  key: string,
  status: 401 | 404,
): Promise<string> {
  if (key === "") throw isMissing("api_key");
  const owner = await ownerOf(store, key);
  if (owner === undefined) throw new ApiError(status, "");
  return owner;
}

async function itemWith(
  store: Reader,
  owner: string,
  id: number,
): Promise<StoredItem | undefined> {
  const key = itemKey(owner, id);
  return key === undefined ? undefined : store.get(tables.items, key);
}

/** What only the holder of the key may see stays in no cache on the way. */
function personal<T>(value: T, json?: Buffer): Reply<T> {
  return reply(value, { headers: { "cache-control": "no-store" }, json });
}

/** A parameter that is there, and empty. */
function isMissing(name: string): ApiError {
  return new ApiError(400, `Required parameter ${name} is missing.`);
}
