import { expect, test } from "vitest";
import {
  tables,
  type StoredItem,
} from "../../src/services/marketplace/data.js";
import { putItems } from "../../src/services/marketplace/import/items.js";
import {
  ItemLists,
  type ItemList,
} from "../../src/services/marketplace/item-lists.js";
import { memoryStore } from "../../src/services/store/open.js";
import type { StoreReader } from "../../src/services/store/store.js";

const item = (id: number): StoredItem => ({
  id,
  kind: "file",
  state: "approved",
  hasSupport: true,
  name: `Item ${id}`,
  description: "",
  category: "",
  subCategory: "",
  options: [],
  version: "1",
  demoLink: "",
  tags: [],
  thumbnail: "",
  screenshots: [],
  regularPrice: 1,
  extendedPrice: 2,
  currency: "USD",
  publishedAt: "2025-01-01T00:00:00.000Z",
});

/** Store that counts lists of items. */
function counted() {
  const store = memoryStore();
  const counts = { lists: 0 };
  const list: typeof store.list = (table, range) => {
    if (table === "marketplace.items") counts.lists++;
    return store.list(table, range);
  };
  const add = (owner: string, count: number): Promise<void> =>
    store.transaction((tx) =>
      putItems(
        tx,
        owner,
        Array.from({ length: count }, (_, index) => item(index + 1)),
      ),
    );
  return { lists: new ItemLists({ ...store, list }), counts, add, store };
}

/** Reads a list at the version number that the store has now. */
async function listOf(
  lists: ItemLists,
  store: StoreReader,
  owner: string,
): Promise<ItemList> {
  const version = await store.get<number>(tables.versions, owner);
  return lists.get(owner, version ?? 0);
}

test("reads a list once until the items change", async () => {
  const { lists, counts, add, store } = counted();
  await add("a", 3);
  const many = await Promise.all(
    Array.from({ length: 20 }, () => listOf(lists, store, "a")),
  );
  expect(new Set(many).size).toBe(1);
  expect(many[0]!.size).toBe(3);
  expect(JSON.parse(many[0]!.json.toString())).toEqual(many[0]!.response);
  await listOf(lists, store, "a");
  expect(counts.lists).toBe(1);
  await add("a", 4);
  expect((await listOf(lists, store, "a")).size).toBe(4);
  expect(counts.lists).toBe(2);
});

test("returns correct lists beyond the limit of the cache", async () => {
  const { lists, counts, add, store } = counted();
  for (const owner of ["a", "b", "c"]) await add(owner, 20_000);
  for (const owner of ["a", "b", "c", "c", "b", "a"])
    expect((await listOf(lists, store, owner)).size).toBe(20_000);
  // The list of `c` has evicted that of `a`.
  expect(counts.lists).toBe(4);
});

test("reads a list again after a failure", async () => {
  const { store, add } = counted();
  await add("a", 1);
  let isBroken = true;
  const list: typeof store.list = (table, range) =>
    isBroken ? Promise.reject(new Error("broken")) : store.list(table, range);
  const lists = new ItemLists({ ...store, list });
  await expect(listOf(lists, store, "a")).rejects.toThrow("broken");
  isBroken = false;
  expect((await listOf(lists, store, "a")).size).toBe(1);
});
