import { expect, onTestFinished, test } from "vitest";
import { guardedStore } from "../../src/services/store/guarded.js";
import { memoryStore } from "../../src/services/store/open.js";
import { postgresStore } from "../../src/services/store/postgres.js";
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
  expect(log.at(-1)).toMatchObject({ event: "request", status: 503 });
  expect(log.at(-1)).not.toHaveProperty("error");
});

test("waits for a free connection to PostgreSQL when it starts", async (context) => {
  const postgres = await startPostgres();
  if (postgres === undefined) return context.skip();
  onTestFinished(() => postgres.stop());
  const { default: pg } = await import("pg");
  const others: InstanceType<typeof pg.Client>[] = [];
  // The cluster of the tests has 30 connections.
  for (let count = 0; count < 30; count++) {
    const client = new pg.Client({ connectionString: postgres.url });
    client.on("error", () => {});
    const isConnected = await client.connect().then(
      () => true,
      () => false,
    );
    if (!isConnected) break;
    others.push(client);
  }
  const opening = postgresStore(postgres.url);
  await new Promise((resolve) => setTimeout(resolve, 400));
  await others.pop()!.end();
  const store = await opening;
  const { message } = await Promise.all(
    Array.from({ length: 8 }, () => store.get("t", "k")),
  ).then(
    () => new Error("no error"),
    (error: Error) => error,
  );
  expect(message).toMatch(/up to 8 connections.*max_connections/);
  await Promise.all(others.map((client) => client.end()));
  expect(await store.get("t", "k")).toBeUndefined();
  await store.close();
});

test.each(["3", "1001", "many"])(
  "refuses the size %s of the pool in the URL",
  async (size) => {
    const url = `postgresql://u@127.0.0.1:1/db?pool_size=${size}`;
    await expect(postgresStore(url)).rejects.toThrow(
      `pool_size in the URL of the store must be an integer from 4 to 1000, not '${size}'`,
    );
  },
);

test("the URL sets the size of the pool", async (context) => {
  const postgres = await startPostgres();
  if (postgres === undefined) return context.skip();
  onTestFinished(() => postgres.stop());
  const url = new URL(postgres.url);
  url.searchParams.set("pool_size", "5");
  const store = await postgresStore(url.href);
  await Promise.all(Array.from({ length: 20 }, () => store.get("t", "k")));
  expect(store.pool.totalCount).toBe(5);
  await store.close();
});

test("refuses a timeout in the URL that is not a number", async () => {
  const url = "postgresql://u@127.0.0.1:1/db?lock_timeout=1;DROP";
  await expect(postgresStore(url)).rejects.toThrow(
    "lock_timeout in the URL of the store must be a number of milliseconds, not '1;DROP'",
  );
});
