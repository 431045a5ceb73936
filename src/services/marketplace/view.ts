import type {
  Account,
  Item,
  ItemMedia,
  Purchase,
} from "../../../generated/marketplace/v1/schemas.js";
import type { Owner, StoredItem, StoredPurchase } from "./data.js";

/** Converts an owner to an account as defined by the API. */
export function accountOf(owner: Owner): Account {
  const { firstname, lastname } = owner;
  return {
    name: {
      firstname,
      lastname,
      full_name: [firstname, lastname].filter((name) => name !== "").join(" "),
    },
    username: owner.username,
    email: owner.email,
    balance: owner.balance,
    currency: owner.currency,
    profile: owner.profile,
    registered_at: owner.registeredAt,
  };
}

/** Converts a stored item to an item as defined by the API. */
export function itemOf(item: StoredItem): Item {
  return {
    id: item.id,
    name: item.name,
    description: item.description,
    category: item.category,
    sub_category: item.subCategory,
    options: [...item.options],
    version: item.version,
    demo_link: item.demoLink,
    tags: [...item.tags],
    media: mediaOf(item),
    price: { regular: item.regularPrice, extended: item.extendedPrice },
    currency: item.currency,
    published_at: item.publishedAt,
  };
}

/**
 * Returns the media of an item. The kind of the item determines which media are
 * included.
 */
function mediaOf(item: StoredItem): ItemMedia {
  const { kind, previewImage, previewVideo, previewAudio, screenshots } = item;
  const media: ItemMedia = { thumbnail: item.thumbnail };
  if (kind !== "audio" && previewImage !== undefined)
    media.preview_image = previewImage;
  if (kind === "video" && previewVideo !== undefined)
    media.preview_video = previewVideo;
  if (kind === "audio" && previewAudio !== undefined)
    media.preview_audio = previewAudio;
  if (screenshots.length > 0) media.screenshots = [...screenshots];
  return media;
}

/** Converts a stored purchase to a purchase as defined by the API. */
export function purchaseOf(
  purchase: StoredPurchase,
  item: StoredItem,
  hasSupport: boolean,
): Purchase {
  const { supportedUntil } = purchase;
  const isSupported =
    hasSupport && item.hasSupport && supportedUntil !== undefined;
  return {
    purchase_code: purchase.code,
    license_type: purchase.licenseType,
    price: purchase.price,
    currency: purchase.currency,
    item: itemOf(item),
    ...(isSupported ? { supported_until: supportedUntil } : {}),
    downloaded: purchase.isDownloaded,
    date: purchase.date,
  };
}
