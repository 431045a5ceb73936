import {
  ApiError,
  reply,
  type Reply,
} from "../../../generated/runtime/server/index.js";
import type { MarketplaceService } from "../../../generated/marketplace/v1/server.js";
import type { StoreReader } from "../store/store.js";
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

/**
 * Returns the handlers of the API. If an error has an empty message, the
 * response contains the message from the API description.
 */
export function handlers(
  store: StoreReader,
  lists: ItemLists,
  hasSupport: boolean,
): Required<MarketplaceService> {
  return {
    account: {
      async details({ params }) {
        const owner = await requireOwner(store, params.api_key, 401);
        const account = await store.get<Owner>(tables.owners, owner);
        if (account === undefined) throw new ApiError(401, "");
        return privateReply({ status: "success", data: accountOf(account) });
      },
    },
    items: {
      async all({ params }) {
        const owner = await requireOwner(store, params.api_key, 404);
        const { size, response, json } = await lists.get(owner);
        if (size === 0) throw new ApiError(404, "");
        return privateReply(response, json);
      },
      async item({ params }) {
        const owner = await requireOwner(store, params.api_key, 404);
        const item = await findItem(store, owner, params.item_id);
        if (item?.state !== "approved") throw new ApiError(404, "");
        return privateReply({ status: "success", item: itemOf(item) });
      },
    },
    purchases: {
      async validation({ params: { api_key, purchase_code } }) {
        const owner = await requireOwner(store, api_key, 404);
        if (purchase_code === "") throw missingParameter("purchase_code");
        const key = purchaseKey(owner, purchase_code);
        const purchaseRecord = await store.get<StoredPurchase>(
          tables.purchases,
          key,
        );
        const item =
          purchaseRecord &&
          (await findItem(store, owner, purchaseRecord.itemId));
        if (purchaseRecord === undefined || item === undefined)
          throw new ApiError(404, "");
        const purchase = purchaseOf(purchaseRecord, item, hasSupport);
        return privateReply({ status: "success", data: { purchase } });
      },
    },
  };
}

/**
 * Returns the owner of an API key. An unknown key causes the same error as a
 * missing resource.
 */
async function requireOwner(
  store: StoreReader,
  key: string,
  status: 401 | 404,
): Promise<string> {
  if (key === "") throw missingParameter("api_key");
  const owner = await ownerOf(store, key);
  if (owner === undefined) throw new ApiError(status, "");
  return owner;
}

async function findItem(
  store: StoreReader,
  owner: string,
  id: number,
): Promise<StoredItem | undefined> {
  const key = itemKey(owner, id);
  return key === undefined ? undefined : store.get(tables.items, key);
}

/** Returns a response that must not be cached (`no-store`). */
function privateReply<T>(value: T, json?: Buffer): Reply<T> {
  return reply(value, { headers: { "cache-control": "no-store" }, json });
}

/** Returns the error for an empty parameter. */
function missingParameter(name: string): ApiError {
  return new ApiError(400, `Required parameter ${name} is missing.`);
}
