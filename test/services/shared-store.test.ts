import { expect, test } from "vitest";
import { withAdmin } from "../../src/services/admin/connect.js";
import type { Json } from "../../src/services/store/store.js";
import { startPostgres } from "../support/postgres.js";
import { runAdmin } from "./admin-support.js";
import { serve } from "./support.js";

test("servers on one database see changes by administrators at once", async (context) => {
  const postgres = await startPostgres();
  if (postgres === undefined) return context.skip();
  const { url } = postgres;
  context.onTestFinished(() => postgres.stop());
  const servers = [
    await serve({ store: url, isDemo: true }),
    await serve({ store: url, isDemo: true }),
  ];
  const admin = (operation: string, input: Json): Promise<Json> =>
    withAdmin(
      { url },
      () => {},
      (client) => runAdmin(client, operation, input),
    );
  /** Returns the response of each server. */
  const ask = async (key: string): Promise<readonly unknown[]> =>
    Promise.all(
      servers.map(async ({ origin }) => {
        const answer = await fetch(`${origin}/api/items/all?api_key=${key}`);
        const { items } = (await answer.json()) as { items?: object[] };
        return items?.length ?? answer.status;
      }),
    );
  expect(await ask("test-key")).toEqual([12, 12]);
  const text = JSON.stringify([
    {
      name: "New",
      description: "New.",
      category: "Code",
      sub_category: "New",
      version: "1",
      demo_link: "https://example.com/",
      media: {
        thumbnail: "https://example.com/t",
        preview_image: "https://example.com/p",
      },
      price: { regular: 1, extended: 2 },
      currency: "USD",
    },
  ]);
  await admin("import items", { owner: "demo", text, format: "json" });
  expect(await ask("test-key")).toEqual([13, 13]);
  const { key } = (await admin("key rotate", { owner: "demo" })) as {
    key: string;
  };
  expect(await ask("test-key")).toEqual([404, 404]);
  expect(await ask(key)).toEqual([13, 13]);
  const made = await Promise.all(
    Array.from({ length: 8 }, () => admin("key rotate", { owner: "demo" })),
  );
  const works = await Promise.all(
    made.map(async (one) => (await ask((one as { key: string }).key))[0]),
  );
  expect(works.filter((answer) => answer === 13)).toHaveLength(1);
  // Suspension and expiry, by the clock of the database.
  const { keys } = await withAdmin(
    { url },
    () => {},
    async (client) => {
      const requestBody = { suspended: true };
      await client.owners.patch({ owner: "demo", requestBody });
      return client.owners.keys.list({ owner: "demo" });
    },
  );
  const last = made[works.indexOf(13)] as { key: string; id: string };
  expect(await ask(last.key)).toEqual([404, 404]);
  expect(keys).toMatchObject([{ id: last.id }]);
  const change = (suspended: boolean, expires_at: string): Promise<unknown> =>
    withAdmin(
      { url },
      () => {},
      async ({ owners }) => {
        await owners.patch({ owner: "demo", requestBody: { suspended } });
        const requestBody = { expires_at };
        await owners.keys.patch({ owner: "demo", id: last.id, requestBody });
      },
    );
  await change(false, "2099-01-01T00:00:00Z");
  expect(await ask(last.key)).toEqual([13, 13]);
  await change(false, "2020-01-01T00:00:00Z");
  expect(await ask(last.key)).toEqual([404, 404]);
  const lastUse = (): Promise<string | undefined> =>
    withAdmin(
      { url },
      () => {},
      async ({ owners }) =>
        (await owners.keys.list({ owner: "demo" })).keys[0]?.last_used_at,
    );
  await expect.poll(lastUse, { timeout: 10_000 }).toMatch(/^\d{4}-/);
  // A sale that both processes record at the same time is recorded once.
  const sale = {
    owner: "demo",
    idempotencyKey: "order 1",
    requestBody: { item_id: 1, price: 1, currency: "USD" },
  };
  const codes = await Promise.all(
    Array.from({ length: 4 }, () =>
      withAdmin(
        { url },
        () => {},
        async ({ owners }) =>
          (await owners.purchases.create(sale)).purchase_code,
      ),
    ),
  );
  expect(new Set(codes).size).toBe(1);
}, 60_000);
