import { expect, test } from "vitest";
import { guardedStore } from "../../src/services/store/guarded.js";
import { memoryStore } from "../../src/services/store/memory.js";
import { StoreError } from "../../src/services/store/store.js";
import { startPostgres } from "../support/postgres.js";
import { serve } from "./support.js";

test("responds with 503 if the store fails; reports the failure and the recovery once", async () => {
  const memory = memoryStore();
  let isDown = true;
  const reports: string[] = [];
  const store = guardedStore(
    {
      ...memory,
      get: async (table, key) => {
        if (isDown) throw new StoreError("unavailable", "no space");
        return memory.get(table, key);
      },
    },
    (operations, failure) => reports.push(`${operations}: ${failure}`),
  );
  for (let count = 0; count < 2; count++)
    await expect(store.get("a", "k")).rejects.toMatchObject({
      status: 503,
      message: expect.not.stringContaining("no space"),
    });
  isDown = false;
  expect(await store.get("a", "k")).toBeUndefined();
  expect(reports).toEqual(["reads: no space", "reads: undefined"]);
  const own = store.transaction(() => Promise.reject(new RangeError("own")));
  await expect(own).rejects.toThrow(RangeError);
});

test("responds with 503 while PostgreSQL is down, and logs the cause", async (context) => {
  const postgres = await startPostgres();
  if (postgres === undefined) return context.skip();
  const { origin, log } = await serve({ store: postgres.url, isDemo: true });
  const ask = async (): Promise<Response> =>
    fetch(`${origin}/api/account/details?api_key=test-key`);
  expect((await ask()).status).toBe(200);
  await postgres.stop();
  const answer = await ask();
  expect(answer.status).toBe(503);
  expect(answer.headers.get("retry-after")).toBe("5");
  expect(await answer.text()).not.toMatch(/postgres|ECONNREFUSED/i);
  expect(log).toContainEqual(
    expect.objectContaining({ event: "store-unavailable" }),
  );
});
