import { expect, test } from "vitest";
import { AdminError } from "../../src/services/service.js";
import { marketplace } from "./support.js";

type NewKey = { readonly id: string; readonly key: string };

test("a key works until it is revoked, and other keys continue to work", async () => {
  const { origin, admin } = await marketplace();
  const status = async (key: string): Promise<number> =>
    (await fetch(`${origin}/api/items/all?api_key=${key}`)).status;
  const one = (await admin("key create", { owner: "demo" })) as NewKey;
  const two = (await admin("key create", { owner: "demo" })) as NewKey;
  expect(one.key).toMatch(/^mk_[\w-]{43}$/);
  expect([await status(one.key), await status(two.key)]).toEqual([200, 200]);
  const revoked = await admin("key revoke", { owner: "demo", id: one.id });
  expect(revoked).toEqual({ revoked: [one.id] });
  expect([await status(one.key), await status(two.key)]).toEqual([404, 200]);
  // Rotates the given key, then all keys.
  const three = (await admin("key rotate", {
    owner: "demo",
    id: two.id,
  })) as NewKey;
  expect([await status(two.key), await status(three.key)]).toEqual([404, 200]);
  expect(await status("test-key")).toBe(200);
  const last = (await admin("key rotate", { owner: "demo" })) as NewKey;
  expect([await status("test-key"), await status(three.key)]).toEqual([
    404, 404,
  ]);
  expect(await status(last.key)).toBe(200);
});

test("can't revoke keys of other or unknown owners", async () => {
  const { admin } = await marketplace();
  await admin("owner add", { username: "eve", email: "eve@example.com" });
  const { id } = (await admin("key create", { owner: "demo" })) as NewKey;
  for (const [operation, input] of [
    ["key revoke", { owner: "eve", id }],
    ["key rotate", { owner: "eve", id }],
    ["key create", { owner: "nobody" }],
    ["owner add", { username: "demo", email: "a@b" }],
    ["owner add", { username: "a/b", email: "a@b" }],
    ["owner add", { username: "x", email: "no" }],
    ["owner add", { username: "x", email: "a@b", balance: "many" }],
    ["owner add", { username: "x", email: "a@b", profile: '{"heading":5}' }],
  ] as const)
    await expect(
      (async () => admin(operation, input))(),
      `${operation} ${JSON.stringify(input)}`,
    ).rejects.toThrow(AdminError);
});

test("a rotated key is invalid after the response, also for concurrent requests", async () => {
  const { origin, admin } = await marketplace();
  let { key } = (await admin("key create", { owner: "demo" })) as NewKey;
  const ended = new Set<string>();
  const wrong: string[] = [];
  let isOver = false;
  let asked = 0;
  const askOn = async (): Promise<void> => {
    while (!isOver) {
      const own = key;
      // Recorded before the request is sent.
      const wasEnded = ended.has(own);
      const [oldest] = ended;
      for (const [one, isEnded] of [
        [own, wasEnded],
        [oldest, true],
      ] as const) {
        if (one === undefined) continue;
        const { status } = await fetch(
          `${origin}/api/account/details?api_key=${one}`,
        );
        asked++;
        if (isEnded && status !== 401) wrong.push(`${one}: ${status}`);
      }
    }
  };
  const callers = Array.from({ length: 6 }, askOn);
  for (let round = 0; round < 25; round++) {
    const old = key;
    const fresh = (await admin("key rotate", { owner: "demo" })) as NewKey;
    // From here on the old key must not work.
    ended.add(old);
    const late = await fetch(`${origin}/api/account/details?api_key=${old}`);
    expect(late.status).toBe(401);
    key = fresh.key;
    const now = await fetch(`${origin}/api/account/details?api_key=${key}`);
    expect(now.status).toBe(200);
  }
  isOver = true;
  await Promise.all(callers);
  expect(wrong).toEqual([]);
  expect(asked).toBeGreaterThan(25);
});

test("concurrent rotations leave one key", async () => {
  const { origin, admin, store } = await marketplace();
  const made = (await Promise.all(
    Array.from({ length: 10 }, () => admin("key rotate", { owner: "demo" })),
  )) as NewKey[];
  const works = await Promise.all(
    made.map(async ({ key }) => {
      const url = `${origin}/api/items/all?api_key=${key}`;
      return (await fetch(url)).status === 200;
    }),
  );
  expect(works.filter(Boolean)).toHaveLength(1);
  expect(await store.count("marketplace.keys")).toBe(1);
  expect(await store.count("marketplace.keys-of")).toBe(1);
});
