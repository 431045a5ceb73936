import { expect, test } from "vitest";
import { tables } from "../../src/services/marketplace/data.js";
import { ItemLists } from "../../src/services/marketplace/item-lists.js";
import { memoryStore } from "../../src/services/store/open.js";
import type { StoreReader } from "../../src/services/store/store.js";

test("reads lists before the first request, unless the service closes", async () => {
  const store = memoryStore();
  await store.transaction(async (transaction) => {
    for (const owner of ["one", "two"])
      transaction.put(tables.owners, owner, {});
  });
  let reads = 0;
  const reader: StoreReader = {
    ...store,
    list: (table, range) => {
      if (table === tables.items) reads++;
      return store.list(table, range);
    },
  };
  await new ItemLists(reader).warm(() => true);
  expect(reads).toBe(0);
  const lists = new ItemLists(reader);
  await lists.warm(() => false);
  expect(reads).toBe(2);
  await lists.get("one", 0);
  expect(reads).toBe(2);
});
