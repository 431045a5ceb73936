import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  createKey,
  findKey,
  getKey,
  listKeys,
  revokeKey,
  updateKey,
} from "../../src/services/chat/stored-keys.js";
import {
  cursorOf,
  listUsage,
  recordUsage,
  type UsageDelta,
} from "../../src/services/chat/usage-records.js";
import { hashOf } from "../../src/services/key-hash.js";
import { memoryStore } from "../../src/services/store/open.js";
import { postgresStore } from "../../src/services/store/postgres.js";
import type { Store } from "../../src/services/store/store.js";
import { startPostgres, type Postgres } from "../support/postgres.js";
import { NOW } from "./chat-support.js";

let postgres: Postgres | undefined;
let shared: Store | undefined;
beforeAll(async () => {
  postgres = await startPostgres();
  if (postgres !== undefined) shared = await postgresStore(postgres.url);
}, 60_000);
afterAll(async () => {
  await shared?.close();
  await postgres?.stop();
});

/** Usage of one request with 7 tokens. */
function usage(more: Partial<UsageDelta> = {}): UsageDelta {
  return {
    day: "2026-01-02",
    key: "k1",
    name: "alice",
    owner: "team",
    model: "small",
    requests: 1,
    estimatedRequests: 0,
    promptTokens: 3,
    completionTokens: 4,
    lastUsed: NOW,
    ...more,
  };
}

describe.each(["memory", "PostgreSQL"])("%s", (kind) => {
  const open = (skip: () => never): Store => {
    if (kind === "memory") return memoryStore();
    return shared ?? skip();
  };

  test("keys are created, found by hash, changed and revoked", async (context) => {
    const store = open(context.skip);
    const { key, ...created } = await createKey(
      store,
      {
        name: "Alice's key",
        owner: "alice@example.com",
        models: ["org/small", "org/small"],
        limits: { requestsPerMinute: 5 },
        budgets: { tokensPerDay: 100 },
        expires: "2027-01-01",
      },
      NOW,
    );
    expect(key).toMatch(/^ck_[\w-]{43}$/);
    expect(created).toEqual({
      id: hashOf(key).slice(0, 16),
      name: "Alice's key",
      owner: "alice@example.com",
      models: ["org/small"],
      limits: { requestsPerMinute: 5 },
      budgets: { tokensPerDay: 100 },
      created: new Date(NOW).toISOString(),
      expires: "2027-01-01T00:00:00.000Z",
    });
    const { id } = created;
    expect(await getKey(store, id)).toEqual(created);
    expect(await findKey(store, hashOf(key))).toMatchObject(created);
    expect(await findKey(store, hashOf(`${key}x`))).toBeUndefined();
    const sameId = id + "0".repeat(48);
    expect(await findKey(store, sameId)).toBeUndefined();
    const changed = await updateKey(store, id, {
      models: null,
      expires: null,
      limits: { tokensPerMinute: 9 },
      budgets: { tokensPerDay: null, tokensPerMonth: 200 },
    });
    const { models: _models, expires: _expires, ...rest } = created;
    expect(changed).toEqual({
      ...rest,
      limits: { requestsPerMinute: 5, tokensPerMinute: 9 },
      budgets: { tokensPerMonth: 200 },
    });
    expect(await getKey(store, id)).toEqual(changed);
    const revoked = await revokeKey(store, id, NOW + 1000);
    expect(revoked.revoked).toBe(new Date(NOW + 1000).toISOString());
    expect(await revokeKey(store, id, NOW + 2000)).toEqual(revoked);
    await expect(updateKey(store, id, { name: "x" })).rejects.toThrow(
      "is revoked",
    );
    await expect(revokeKey(store, "missing", NOW)).rejects.toThrow(
      "unknown key",
    );
    expect(await getKey(store, "missing")).toBeUndefined();
  });

  test("keys are listed in pages, by owner", async (context) => {
    const store = open(context.skip);
    const owners = ["a", "a", "b", "a", "a"];
    const created = await Promise.all(
      owners.map((owner, at) =>
        createKey(store, { name: `key ${at}`, owner }, NOW),
      ),
    );
    const ids = (owner: string): string[] =>
      created
        .filter((key) => key.owner === owner)
        .map(({ id }) => id)
        .sort();
    const first = await listKeys(store, { owner: "a", limit: 3 });
    const after = first.at(-1)!.id;
    const second = await listKeys(store, { owner: "a", limit: 3, after });
    expect([...first, ...second].map(({ id }) => id)).toEqual(ids("a"));
    expect(second).toHaveLength(1);
    const all = (await listKeys(store)).map(({ id }) => id);
    expect(all).toEqual(expect.arrayContaining([...ids("a"), ...ids("b")]));
    expect(await listKeys(store, { limit: 1, after: all[0]! })).toHaveLength(1);
    expect(await listKeys(store, { owner: "a/b" })).toEqual([]);
    expect(JSON.stringify(await listKeys(store))).not.toContain("hash");
  });

  test.each([
    [{ name: "" }, "name must have"],
    [{ name: "a\nb" }, "name must have"],
    [{ owner: "a/b" }, "owner must have"],
    [{ models: [] }, "models must have at least one name"],
    [{ models: ["a b"] }, "models must have at least one name"],
    [{ limits: { requestsPerMinute: 0 } }, "limits.requestsPerMinute must be"],
    [{ budgets: { tokensPerDay: 1.5 } }, "budgets.tokensPerDay must be"],
    [{ budgets: { tokensPerYear: 1 } }, "unknown member of budgets"],
    [{ expires: "tomorrow" }, "expires must be a date or time"],
    [{ expires: "2026-13-01" }, "expires must be a date or time"],
    [{ expires: "" }, "expires must be a date or time"],
    [{ expires: "2020-01-01" }, "expires must be in the future"],
  ])("%j is refused", async (settings, message) => {
    const store = memoryStore();
    await expect(
      createKey(store, { name: "n", owner: "o", ...settings } as never, NOW),
    ).rejects.toThrow(message);
  });

  test("usage is added per day, key and model", async (context) => {
    const store = open(context.skip);
    await recordUsage(store, []);
    const other = usage({ key: "k2", model: "org/large", name: "bob" });
    await recordUsage(store, [usage(), other]);
    await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        recordUsage(store, [
          usage({ estimatedRequests: at % 2, lastUsed: NOW + at }),
          other,
        ]),
      ),
    );
    await recordUsage(store, [usage({ day: "2026-01-03", name: "new" })]);
    const rows = await listUsage(store);
    const { lastUsed: _, ...first } = usage({
      requests: 21,
      estimatedRequests: 10,
      promptTokens: 63,
      completionTokens: 84,
    });
    expect(rows).toEqual([
      { ...first, totalTokens: 147 },
      expect.objectContaining({ key: "k2", model: "org/large", requests: 21 }),
      expect.objectContaining({ day: "2026-01-03", name: "new", requests: 1 }),
    ]);
    const list = async (selection: object): Promise<number[]> =>
      (await listUsage(store, selection)).map((row) =>
        rows.indexOf(rows.find((known) => cursorOf(known) === cursorOf(row))!),
      );
    expect(await list({ from: "2026-01-03" })).toEqual([2]);
    expect(await list({ from: "2026-01-02", to: "2026-01-02" })).toEqual([
      0, 1,
    ]);
    expect(await list({ key: "k1" })).toEqual([0, 2]);
    expect(await list({ owner: "nobody" })).toEqual([]);
    expect(await list({ model: "org/large" })).toEqual([1]);
    expect(await list({ limit: 2 })).toEqual([0, 1]);
    expect(await list({ after: cursorOf(rows[0]!) })).toEqual([1, 2]);
    expect(
      await list({ from: "2026-01-03", after: cursorOf(rows[0]!) }),
    ).toEqual([2]);
    await expect(list({ from: "1.1.2026" })).rejects.toThrow("from must be");
    await expect(list({ after: "x" })).rejects.toThrow("after must be");
    const use = await store.get("chat.key-uses", "k1");
    expect(use).toEqual({
      lastUsed: new Date(NOW + 19).toISOString(),
      day: "2026-01-03",
      dayTokens: 7,
      month: "2026-01",
      monthTokens: 154,
    });
  });

  test("totals begin again with a day and month, and ignore late usage", async (context) => {
    const store = open(context.skip);
    const add = async (...days: string[]): Promise<unknown> => {
      await recordUsage(
        store,
        days.map((day) => usage({ key: "k3", day })),
      );
      const { lastUsed: _, ...totals } = (await store.get<{ lastUsed: string }>(
        "chat.key-uses",
        "k3",
      ))!;
      return Object.values(totals);
    };
    expect(await add("2026-01-30")).toEqual(["2026-01-30", 7, "2026-01", 7]);
    expect(await add("2026-01-31", "2026-01-30")).toEqual([
      "2026-01-31",
      7,
      "2026-01",
      21,
    ]);
    expect(await add("2026-01-31", "2026-02-01")).toEqual([
      "2026-02-01",
      7,
      "2026-02",
      7,
    ]);
    expect(await add("2026-01-31")).toEqual(["2026-02-01", 7, "2026-02", 7]);
    expect(await add("2026-02-02")).toEqual(["2026-02-02", 7, "2026-02", 14]);
    expect(await add("2026-02-01")).toEqual(["2026-02-02", 7, "2026-02", 21]);
  });
});
