import type { DemoResult, ServiceContext } from "../service.js";
import {
  itemKinds,
  tables,
  type ItemKind,
  type Owner,
  type StoredItem,
  type StoredPurchase,
} from "./data.js";
import { putItems } from "./import/items.js";
import { putPurchases } from "./import/purchases.js";
import { addKey } from "./keys.js";

const HOST = "https://marketplace.example.com";

const owner: Owner = {
  username: "demo",
  firstname: "Ada",
  lastname: "Example",
  email: "ada@example.com",
  balance: 1250.75,
  currency: "USD",
  profile: {
    heading: "Templates, sounds and clips",
    description: "Made with care since 2019.",
    contact: { email: "hello@example.com" },
    social_links: { example: "https://social.example.com/ada" },
    media: { avatar: `${HOST}/ada.png`, cover: `${HOST}/cover.png` },
  },
  registeredAt: "2019-05-04T08:30:00.000Z",
};

/** Names of sample items, keyed by kind. */
const NAMES: Readonly<Record<ItemKind, readonly string[]>> = {
  file: ["Shop theme", "Invoice plugin", "Booking script"],
  image: ["Icon set", "Paper textures", "City photographs"],
  video: ["Ink transitions", "Drone over fjords", "Countdown"],
  audio: ["Morning piano", "Rain loop", "Arcade effects"],
};

const items: readonly StoredItem[] = itemKinds.flatMap((kind, group) =>
  NAMES[kind].map((name, index) => itemOf(kind, name, group * 3 + index + 1)),
);

function itemOf(kind: ItemKind, name: string, id: number): StoredItem {
  const file = (suffix: string): string => `${HOST}/media/${id}${suffix}`;
  return {
    id,
    kind,
    state: "approved",
    hasSupport: kind === "file",
    name,
    description: `${name}, ready to use.`,
    category: {
      file: "Code",
      image: "Graphics",
      video: "Video",
      audio: "Audio",
    }[kind],
    subCategory: name.split(" ").at(-1)!,
    options: kind === "file" ? ["Documentation", "Updates"] : [],
    version: `1.${id}.0`,
    demoLink: `${HOST}/demo/${id}`,
    tags: [kind, ...name.toLowerCase().split(" ")],
    thumbnail: file(".thumb.png"),
    ...(kind === "audio" ? {} : { previewImage: file(".png") }),
    ...(kind === "video" ? { previewVideo: file(".mp4") } : {}),
    ...(kind === "audio" ? { previewAudio: file(".mp3") } : {}),
    screenshots: kind === "file" ? [file("-1.png"), file("-2.png")] : [],
    regularPrice: 9 + id,
    extendedPrice: 90 + 10 * id,
    currency: "USD",
    publishedAt: `2024-${String(id).padStart(2, "0")}-15T12:00:00.000Z`,
  };
}

/** Sample purchases with and without support. */
const purchases: readonly StoredPurchase[] = [
  {
    code: "code-1",
    licenseType: "Regular",
    price: 10,
    currency: "USD",
    itemId: 1,
    supportedUntil: "2030-01-31T00:00:00.000Z",
    isDownloaded: true,
    date: "2025-07-31T16:20:00.000Z",
  },
  {
    code: "code-2",
    licenseType: "Extended",
    price: 190,
    currency: "USD",
    itemId: 10,
    isDownloaded: false,
    date: "2025-08-01T09:00:00.000Z",
  },
];

/**
 * Adds sample data: an owner with a public API key, items of each kind, and two
 * purchases.
 */
export async function demo({ store }: ServiceContext): Promise<DemoResult> {
  await store.transaction(async (tx) => {
    if ((await tx.get(tables.owners, owner.username)) !== undefined) return;
    tx.put(tables.owners, owner.username, owner);
    await addKey(
      tx,
      { owner: owner.username, createdAt: owner.registeredAt },
      "test-key",
    );
    await putItems(tx, owner.username, items);
    putPurchases(tx, owner.username, purchases);
  });
  return { config: {}, help };
}

function help(origin: string): readonly string[] {
  const api = `curl '${origin}/api`;
  return [
    "marketplace: the key is test-key, purchase codes are code-1 and code-2",
    `  ${api}/account/details?api_key=test-key'`,
    `  ${api}/items/all?api_key=test-key'`,
    `  ${api}/items/item?api_key=test-key&item_id=10'`,
    `  ${api}/purchases/validation' -d api_key=test-key -d purchase_code=code-1`,
  ];
}
