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
});
