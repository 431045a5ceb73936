import {
  createMarketplace,
  service,
} from "../../../generated/marketplace/v1/index.js";
import type { MarketplaceOptions } from "../../../generated/marketplace/v1/index.js";
import { validation } from "../../../generated/marketplace/v1/resources/purchases.js";
import { createClient } from "../../../generated/marketplace/v1/service.js";

const options: MarketplaceOptions = {
  rootUrl: service.rootUrl,
  fetch: (url, init) => fetch(url, init),
};

/** Returns whether a purchase code is valid. */
export async function isValid(
  api_key: string,
  purchase_code: string,
): Promise<boolean> {
  const answer = await validation(createClient(options), {
    api_key,
    purchase_code,
  });
  return answer.status === "success";
}

/** Gets an item with headers and a timeout for this call. */
export async function show(api_key: string, item_id: number): Promise<unknown> {
  const marketplace = createMarketplace(options);
  const item = marketplace.items.item(
    { api_key, item_id },
    { timeout: 1000, headers: { "x-trace": "1" } },
  );
  return (await item).item?.name;
}

export function mistakes(api_key: string): unknown[] {
  const marketplace = createMarketplace(options);
  return [
    // @ts-expect-error a number
    marketplace.items.item({ api_key, item_id: "1" }),
    // @ts-expect-error `item_id` is missing
    marketplace.items.item({}),
    // @ts-expect-error the client of the flat functions comes first
    validation({ api_key, purchase_code: "1" }),
    // @ts-expect-error resources can't be replaced
    (marketplace.items = undefined as never),
  ];
}
