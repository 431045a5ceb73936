import type { Profile } from "../../../generated/marketplace/v1/schemas.js";

/** Tables of the store, with what their keys are. */
export const tables = {
  /** User name → {@link Owner}. */
  owners: "marketplace.owners",
  /** Id of an API key → {@link KeyRecord}. */
  keys: "marketplace.keys",
  /** `owner/id of an API key` → true. */
  keysOf: "marketplace.keys-of",
  /** {@link itemKey} → {@link StoredItem}. */
  items: "marketplace.items",
  /** Owner → number that grows whenever the items change. */
  versions: "marketplace.versions",
  /** {@link purchaseKey} → {@link StoredPurchase}. */
  purchases: "marketplace.purchases",
} as const;

/** Who sells items. */
export interface Owner {
  readonly username: string;
  readonly firstname: string;
  readonly lastname: string;
  readonly email: string;
  readonly balance: number;
  readonly currency: string;
  readonly profile: Profile;
  /** ISO 8601, UTC; so are all times. */
  readonly registeredAt: string;
}

/** What an item is; decides which media it shows. */
export const itemKinds = ["file", "image", "video", "audio"] as const;
export type ItemKind = (typeof itemKinds)[number];

/** Only approved items are shown in lists. */
export const itemStates = ["approved", "pending", "rejected"] as const;
export type ItemState = (typeof itemStates)[number];

/** An item as it is kept. */
export interface StoredItem {
  readonly id: number;
  readonly kind: ItemKind;
  readonly state: ItemState;
  /** Whether its buyers get support. */
  readonly hasSupport: boolean;
  readonly name: string;
  readonly description: string;
  readonly category: string;
  readonly subCategory: string;
  readonly options: readonly string[];
  readonly version: string;
  readonly demoLink: string;
  readonly tags: readonly string[];
  readonly thumbnail: string;
  readonly previewImage?: string;
  readonly previewVideo?: string;
  readonly previewAudio?: string;
  readonly screenshots: readonly string[];
  readonly regularPrice: number;
  readonly extendedPrice: number;
  readonly currency: string;
  readonly publishedAt: string;
}

/** A purchase as it is kept. */
export interface StoredPurchase {
  readonly code: string;
  readonly licenseType: string;
  readonly price: number;
  readonly currency: string;
  readonly itemId: number;
  readonly supportedUntil?: string;
  readonly isDownloaded: boolean;
  readonly date: string;
}

/** User names stand in front of keys: no slash, nothing that is read in two ways. */
export const USERNAME: RegExp = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Key of an item; undefined for what is no id. Padded, so that keys are in the order of ids. */
export function itemKey(owner: string, id: number): string | undefined {
  return Number.isSafeInteger(id) && id > 0
    ? `${owner}/${String(id).padStart(16, "0")}`
    : undefined;
}

/** Key of a purchase. */
export function purchaseKey(owner: string, code: string): string {
  return `${owner}/${code}`;
}
