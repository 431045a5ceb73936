// Chat services with one PostgreSQL database.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import pg from "pg";
import {
  createKey,
  revokeKey,
  updateKey,
  type NewKeySettings,
} from "../../src/services/chat/stored-keys.js";
import { listUsage } from "../../src/services/chat/usage-records.js";
import type { ServiceRow } from "../../src/services/service.js";
import { postgresStore } from "../../src/services/store/postgres.js";
import type { Store } from "../../src/services/store/store.js";
import { startPostgres, type Postgres } from "../support/postgres.js";
import { ask, hashed, post } from "./chat-support.js";
import { serve, type Served } from "./support.js";

const chatRow: ServiceRow = {
  name: "chat",
  summary: "",
  load: () => import("../../src/services/chat/index.js"),
};

let postgres: Postgres | undefined;
let store: Store;
beforeAll(async () => {
  postgres = await startPostgres();
  if (postgres !== undefined) store = await postgresStore(postgres.url);
}, 60_000);
afterAll(async () => {
  await store?.close();
  await postgres?.stop();
});

/** Servers with one database, and a key. */
async function servers(
  skip: () => never,
  settings: Partial<NewKeySettings>,
): Promise<{
  readonly started: Served[];
  readonly id: string;
  /** Sends a message to a server; returns the response. */
  send(server: number, content?: string): Promise<Response>;
}> {
  if (postgres === undefined) return skip();
  const options = {
    rows: [chatRow],
    store: postgres.url,
    settings: "chat: { models: { test-model: echo } }",
  };
  const started = [await serve(options), await serve(options)];
  const { id, key } = await createKey(
    store,
    { name: "shared", owner: "team", ...settings },
    Date.now(),
  );
  const authorization = `Bearer ${key}`;
  const send = (server: number, content = "a"): Promise<Response> =>
    post(started[server]!.origin, ask(content), { authorization });
  return { started, id, send };
}

async function statusesOf(
  send: (server: number) => Promise<Response>,
  count: number,
): Promise<number[]> {
  const statuses: number[] = [];
  for (let at = 0; at < count; at++) statuses.push((await send(at % 2)).status);
  return statuses;
}

describe("servers with one database", () => {
  test("share the limit of requests of a key", async ({ skip }) => {
    const { send } = await servers(skip, { limits: { requestsPerMinute: 5 } });
    const first = await send(0);
    expect(first.headers.get("x-ratelimit-limit-requests")).toBe("5");
    expect(first.headers.get("x-ratelimit-remaining-requests")).toBe("4");
    expect(await statusesOf(send, 6)).toEqual([200, 200, 200, 200, 429, 429]);
    const refused = await send(1);
    expect(await refused.json()).toMatchObject({
      error: { type: "requests", code: "rate_limit_exceeded" },
    });
    const wait = Number(refused.headers.get("retry-after"));
    expect(wait).toBeGreaterThan(30);
    expect(wait).toBeLessThanOrEqual(60);
  });

  test("share the limit of tokens, corrected to the usage", async ({
    skip,
  }) => {
    const { send, id } = await servers(skip, {
      limits: { tokensPerMinute: 20 },
    });
    // The estimate is 10 tokens, the usage 2.
    const long = await send(0, "x".repeat(40));
    expect(long.status).toBe(200);
    const used = async (): Promise<unknown> => {
      const client = new pg.Client(postgres!.url);
      await client.connect();
      const { rows } = await client.query<{ points: number }>(
        "SELECT points FROM gen_rate_limits WHERE key = $1",
        [`chat-tokens:${id}`],
      );
      await client.end();
      return rows[0]?.points;
    };
    await expect.poll(used).toBe(2);
    expect((await send(1, "x".repeat(40))).status).toBe(200);
    await expect.poll(used).toBe(4);
    // A refused request leaves its tokens to smaller ones.
    expect((await send(1, "x".repeat(68))).status).toBe(429);
    await expect.poll(used).toBe(4);
    const never = await send(0, "x".repeat(84));
    expect(never.status).toBe(429);
    expect(never.headers.get("x-should-retry")).toBe("false");
    expect((await send(0, "x".repeat(64))).status).toBe(200);
    await expect.poll(used).toBe(6);
  });

  test("share budgets within two seconds", async ({ skip }) => {
    const { send } = await servers(skip, { budgets: { tokensPerDay: 8 } });
    expect((await send(1, "")).status).toBe(200);
    expect((await send(0, "one two three four")).status).toBe(200);
    expect((await send(0)).status).toBe(429);
    await expect
      .poll(async () => (await send(1)).status, { timeout: 3000 })
      .toBe(429);
  });

  test("bound concurrent requests at both by one budget, except for a delay", async ({
    skip,
  }) => {
    const { send, id } = await servers(skip, {
      budgets: { tokensPerDay: 100 },
    });
    const statuses: number[] = [];
    const until = performance.now() + 3000;
    const sendMany = async (server: number): Promise<void> => {
      while (performance.now() < until) {
        statuses.push((await send(server, "a b c d e")).status);
        await new Promise((resolve) => setTimeout(resolve, 30));
      }
    };
    await Promise.all([0, 0, 1, 1].map((server) => sendMany(server)));
    const accepted = statuses.filter((status) => status === 200).length;
    expect(statuses).toContain(429);
    // 10 tokens each, and two requests at a time: each server alone accepts at
    // most 11.
    expect(accepted).toBeGreaterThanOrEqual(10);
    expect(accepted).toBeLessThanOrEqual(22);
    await expect
      .poll(async () => (await listUsage(store, { key: id }))[0]?.requests, {
        timeout: 3000,
      })
      .toBe(accepted);
  });

  test("see changes of keys at the next request", async ({ skip }) => {
    const { send, id } = await servers(skip, {});
    expect(await statusesOf(send, 2)).toEqual([200, 200]);
    await updateKey(store, id, { models: ["other"] });
    expect(await statusesOf(send, 2)).toEqual([403, 403]);
    await updateKey(store, id, { models: null });
    expect(await statusesOf(send, 2)).toEqual([200, 200]);
    await revokeKey(store, id, Date.now());
    expect(await statusesOf(send, 2)).toEqual([401, 401]);
  });

  test("record usage of both", async ({ skip }) => {
    const { send, id, started } = await servers(skip, {});
    await Promise.all(Array.from({ length: 40 }, (_, at) => send(at % 2)));
    for (const { running } of started) await running.close();
    expect(await listUsage(store, { key: id })).toMatchObject([
      { requests: 40, totalTokens: 80, owner: "team" },
    ]);
  });
});

test("without the database, keys of the config still work", async ({
  skip,
}) => {
  const own = await startPostgres();
  if (own === undefined) return skip();
  const keys = `[{ name: config, key: "${hashed("test-key")}" }, { name: budget, key: "${hashed("budget")}", budgets: { tokensPerDay: 100 } }]`;
  const { origin, log } = await serve({
    rows: [chatRow],
    store: own.url,
    settings: `chat: { keys: ${keys}, models: { test-model: echo } }`,
  });
  const ownStore = await postgresStore(own.url);
  const { key } = await createKey(
    ownStore,
    { name: "stored", owner: "team", limits: { requestsPerMinute: 9 } },
    Date.now(),
  );
  await ownStore.close();
  const statusOf = async (token: string): Promise<number> => {
    const authorization = `Bearer ${token}`;
    const response = await post(origin, ask("a"), { authorization });
    if (response.status === 503)
      expect(response.headers.get("retry-after")).toBe("5");
    return response.status;
  };
  for (const token of [key, "test-key", "budget"])
    expect(await statusOf(token)).toBe(200);
  await own.stop();
  // The totals of a budget are used for a second.
  await new Promise((resolve) => setTimeout(resolve, 1100));
  expect(await statusOf(key)).toBe(503);
  expect(await statusOf("test-key")).toBe(200);
  expect(await statusOf("budget")).toBe(503);
  expect(log).toContainEqual(
    expect.objectContaining({ event: "store-unavailable" }),
  );
});
