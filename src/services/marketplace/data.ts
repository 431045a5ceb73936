import type { Profile } from "../../../generated/marketplace/v1/schemas.js";

/**
 * Tables of the store. The comments describe the values and the keys of each
 * table.
 */
export const tables = {
  /** Values of type {@link Owner}, keyed by user name. */
  owners: "marketplace.owners",
  /** Values of type {@link KeyRecord}, keyed by the id of the API key. */
  keys: "marketplace.keys",
  /** The value `true` for each API key, keyed by `<user name>/<API key id>`. */
  keysByOwner: "marketplace.keys-of",
  /** Values of type {@link KeyUse}, keyed by the id of the API key. */
  keyUses: "marketplace.key-uses",
  /** Values of type {@link StoredItem}, keyed by {@link itemKey}. */
  items: "marketplace.items",
  /**
   * Version number of the items of an owner, keyed by the owner's user name. The
   * number is incremented with each change to the items.
   */
  versions: "marketplace.versions",
  /** Values of type {@link StoredPurchase}, keyed by {@link purchaseKey}. */
  purchases: "marketplace.purchases",
  /**
   * Codes of purchases, keyed by `<user name>/<id of the request that recorded
   * the sale>`.
   */
  sales: "marketplace.sales",
} as const;

/** Account that sells items. */
export interface Owner {
  readonly username: string;
  readonly firstname: string;
  readonly lastname: string;
  readonly email: string;
  readonly balance: number;
  readonly currency: string;
  readonly profile: Profile;
  /** Time in ISO 8601 format in UTC, like all times in the store. */
  readonly registeredAt: string;
  /** Time at which the account was suspended; absent unless it is suspended. */
  readonly suspendedAt?: string;
}

/** Last use of an API key. */
export interface KeyUse {
  readonly lastUsedAt: string;
}

/** Kinds of items. The kind determines the media of an item. */
export const itemKinds = ["file", "image", "video", "audio"] as const;
export type ItemKind = (typeof itemKinds)[number];

/** States of an item. Only approved items are visible to callers. */
export const itemStates = ["approved", "pending", "rejected"] as const;
export type ItemState = (typeof itemStates)[number];

/** Item as it is stored. */
export interface StoredItem {
  readonly id: number;
  readonly kind: ItemKind;
  readonly state: ItemState;
  /** True if buyers get support. */
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

/** Purchase as it is stored. */
export interface StoredPurchase {
  readonly code: string;
  readonly licenseType: string;
  readonly price: number;
  readonly currency: string;
  readonly itemId: number;
  readonly supportedUntil?: string;
  readonly isDownloaded: boolean;
  readonly date: string;
  /** Key of the request that recorded the sale; absent for imports. */
  readonly requestId?: string;
  /** SHA-256 of the body of that request. */
  readonly requestHash?: string;
}

/**
 * Pattern for user names. Slashes are not allowed, because keys in the store
 * start with `<user name>/`.
 */
export const USERNAME: RegExp = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/**
 * Returns the key of an item in the store; undefined for an invalid id. Ids are
 * padded with zeros, so that keys are sorted in the order of ids.
 */
export function itemKey(owner: string, id: number): string | undefined {
  return Number.isSafeInteger(id) && id > 0
    ? `${owner}/${String(id).padStart(16, "0")}`
    : undefined;
}

export function purchaseKey(owner: string, code: string): string {
  return `${owner}/${code}`;
}
