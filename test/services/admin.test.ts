import { createHash } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import type { AdminClient } from "../../generated/admin/v1/index.js";
import { ConfigFile, type SetupError } from "../../src/services/config-file.js";
import { hashOf, idOfHash } from "../../src/services/key-hash.js";
import { TABLES } from "../../src/services/migration/records.js";
import { checkConfig } from "../../src/services/run.js";
import type { LogLine } from "../../src/services/service.js";
import { memoryStore } from "../../src/services/store/open.js";
import { adminOf } from "./admin-support.js";
import { item, marketplace, marketplaceRow, serve } from "./support.js";

const TOKEN = "correct-horse-battery-staple";
const HASH = createHash("sha256").update(TOKEN).digest("hex");
const SETTINGS = `admin:
  port: 0
  tokens: [{ name: ops, token: "sha256:${HASH}" }]
`;

describe("tokens", () => {
  const get = (origin: string, token?: string): Promise<Response> =>
    fetch(`${origin}/admin/v1/owners`, {
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    });

  test("only a configured token is accepted, on a port of its own", async () => {
    const { running, log } = await serve({ settings: SETTINGS, isDemo: true });
    const admin = running.admin!;
    expect(admin).not.toBe(running.origin);
    expect((await get(admin, TOKEN)).status).toBe(200);
    expect((await get(running.origin, TOKEN)).status).toBe(404);
    for (const token of [undefined, "", "x", HASH, `sha256:${HASH}`]) {
      const response = await get(admin, token);
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({
        error: { code: 401, errors: [{ reason: "authError" }] },
      });
    }
    const lines = log.filter(({ service }) => service === "admin");
    expect(lines[0]).toMatchObject({
      method: "admin.owners.list",
      operator: "ops",
      status: 200,
    });
    expect(JSON.stringify(log)).not.toContain(TOKEN);
  });

  test("after many invalid tokens, an address is rejected", async () => {
    let now = Date.now();
    const { running } = await serve({ settings: SETTINGS, now: () => now });
    const admin = running.admin!;
    for (let count = 0; count < 20; count++)
      expect((await get(admin, `guess ${count}`)).status).toBe(401);
    const rejected = await get(admin, TOKEN);
    expect(rejected.status).toBe(429);
    expect(Number(rejected.headers.get("retry-after"))).toBeGreaterThan(0);
    now += 60_000;
    expect((await get(admin, TOKEN)).status).toBe(200);
  });

  test("without tokens, there is no port", async () => {
    const { running } = await serve({ isDemo: true });
    expect(running.admin).toBeUndefined();
    expect((await get(running.origin, TOKEN)).status).toBe(404);
  });
});

describe("handlers", () => {
  let admin: AdminClient;
  let log: LogLine[];
  let store: ReturnType<typeof memoryStore>;

  beforeEach(async () => {
    log = [];
    store = memoryStore();
    admin = adminOf(store, { log: (line) => log.push(line) });
    await admin.owners.create({
      requestBody: { username: "eve", email: "eve@example.com" },
    });
  });

  /** Audit events of changes after the first. */
  const audits = (): readonly object[] =>
    log
      .slice(1)
      .map(({ action, target, before, after }) =>
        JSON.parse(JSON.stringify({ action, target, before, after })),
      );

  test("owners", async () => {
    await admin.owners.patch({
      owner: "eve",
      requestBody: {
        firstname: "Eve",
        balance: 5,
        profile: { contact: { email: "hello@example.com" } },
      },
    });
    expect(await admin.owners.get({ owner: "eve" })).toMatchObject({
      username: "eve",
      email: "eve@example.com",
      firstname: "Eve",
      balance: 5,
      currency: "USD",
      suspended: false,
      profile: { heading: "", contact: { email: "hello@example.com" } },
    });
    expect(audits()).toEqual([
      {
        action: "admin.owners.patch",
        target: "eve",
        before: { balance: 0 },
        after: { balance: 5, changed: ["balance", "firstname", "profile"] },
      },
    ]);
    for (const [requestBody, words] of [
      [{ currency: "usd" }, 'currency: "usd" is not a currency code; use'],
      [{ email: null }, "email: is missing; add it"],
      [{ username: "bob" }, "username can't be changed"],
      [{ plan: 1 }, "plan"],
    ] as const)
      await expect(
        admin.owners.patch({
          owner: "eve",
          requestBody: requestBody as object,
        }),
      ).rejects.toMatchObject({
        status: 400,
        serverMessage: expect.stringContaining(words),
      });
    await expect(admin.owners.get({ owner: "bob" })).rejects.toMatchObject({
      status: 404,
      reason: "notFound",
    });
  });

  test("pages of lists are complete while rows are added and deleted", async () => {
    for (let index = 0; index < 25; index++)
      await admin.owners.items.create({ owner: "eve", requestBody: item });
    const ids: (number | undefined)[] = [];
    let pages = 0;
    for await (const page of admin.owners.items
      .list({ owner: "eve", pageSize: 10 })
      .pages()) {
      ids.push(...page.items.map(({ id }) => id));
      if (pages++ === 0) {
        await admin.owners.items.create({ owner: "eve", requestBody: item });
        await admin.owners.items.delete({ owner: "eve", item_id: 12 });
      }
    }
    const expected = Array.from({ length: 25 }, (_, index) => 25 - index);
    expect(ids).toEqual(expected.filter((id) => id !== 12));
    expect(pages).toBe(3);
    for (const pageToken of [
      "",
      "x",
      "!",
      Buffer.from("1/2").toString("base64url"),
    ])
      await expect(
        admin.owners.items.list({ owner: "eve", pageToken }),
      ).rejects.toMatchObject({ status: 400, field: "pageToken" });
    for (const pageSize of [0, 1001])
      await expect(
        admin.owners.items.list({ owner: "eve", pageSize }),
      ).rejects.toMatchObject({ status: 400, field: "pageSize" });
  });

  test("items", async () => {
    const created = await admin.owners.items.create({
      owner: "eve",
      requestBody: item,
    });
    expect(created).toMatchObject({ ...item, id: 1, state: "approved" });
    const change = {
      state: "pending",
      price: { regular: 3 },
      media: { preview_image: null, preview_audio: "https://example.com/a" },
      kind: "audio",
    } as const;
    const changed = await admin.owners.items.patch({
      owner: "eve",
      item_id: 1,
      requestBody: change as object,
    });
    expect(changed).toMatchObject({
      state: "pending",
      kind: "audio",
      price: { regular: 3, extended: 2.5 },
      published_at: created.published_at,
    });
    expect(await admin.owners.items.get({ owner: "eve", item_id: 1 })).toEqual(
      changed,
    );
    await expect(
      admin.owners.items.patch({
        owner: "eve",
        item_id: 1,
        requestBody: { kind: "file" },
      }),
    ).rejects.toMatchObject({
      problems: [
        { field: "media.preview_image" },
        { field: "media.preview_audio" },
      ],
    });
    await expect(
      admin.owners.items.create({
        owner: "eve",
        requestBody: { ...item, id: 1 },
      }),
    ).rejects.toMatchObject({ status: 409 });
    const sale = { item_id: 1, price: 3, currency: "USD", purchase_code: "c" };
    await admin.owners.purchases.create({ owner: "eve", requestBody: sale });
    const target = { owner: "eve", item_id: 1 };
    await expect(admin.owners.items.delete(target)).rejects.toMatchObject({
      status: 409,
    });
    await admin.owners.purchases.delete({ owner: "eve", purchase_code: "c" });
    await admin.owners.items.delete(target);
    await expect(admin.owners.items.get(target)).rejects.toMatchObject({
      status: 404,
    });
  });

  test("a sale is recorded once", async () => {
    await admin.owners.items.create({ owner: "eve", requestBody: item });
    const requestBody = { item_id: 1, price: 3, currency: "USD" };
    const call = { owner: "eve", idempotencyKey: "order 7", requestBody };
    const same = await Promise.all(
      Array.from({ length: 5 }, () => admin.owners.purchases.create(call)),
    );
    expect(new Set(same.map(({ purchase_code }) => purchase_code)).size).toBe(
      1,
    );
    expect(same[0]!.purchase_code).toMatch(/^[\w-]{27}$/);
    // The order of members has no effect, and a later change neither.
    await admin.owners.purchases.patch({
      owner: "eve",
      purchase_code: same[0]!.purchase_code!,
      requestBody: { downloaded: true },
    });
    const again = await admin.owners.purchases.create({
      ...call,
      requestBody: { currency: "USD", price: 3, item_id: 1 },
    });
    expect(again).toEqual({ ...same[0], downloaded: true });
    const created = log.filter(
      ({ action }) => action === "admin.owners.purchases.create",
    );
    expect(created).toHaveLength(1);
    expect(created[0]!["after"]).toBe(same[0]!.id);
    expect(JSON.stringify(log)).not.toContain(same[0]!.purchase_code);
    for (const [parameters, status] of [
      [{ ...call, requestBody: { ...requestBody, price: 4 } }, 409],
      [{ owner: "eve", requestBody }, 400],
      [
        {
          ...call,
          idempotencyKey: "8",
          requestBody: { ...requestBody, item_id: 9 },
        },
        400,
      ],
      [{ ...call, owner: "bob" }, 404],
      [
        {
          ...call,
          idempotencyKey: "9",
          requestBody: {
            ...requestBody,
            purchase_code: same[0]!.purchase_code!,
          },
        },
        409,
      ],
    ] as const)
      await expect(
        admin.owners.purchases.create(parameters),
      ).rejects.toMatchObject({ status });
    const { purchases } = await admin.owners.purchases.list({ owner: "eve" });
    expect(purchases).toEqual([again]);
  });

  test("the code of a purchase is the key of a request without one", async () => {
    await admin.owners.items.create({ owner: "eve", requestBody: item });
    const requestBody = {
      item_id: 1,
      price: 3,
      currency: "USD",
      purchase_code: "a/b",
      supported_until: "2030-01-01T00:00:00Z",
    };
    const create = (body: typeof requestBody): Promise<unknown> =>
      Promise.resolve(
        admin.owners.purchases.create({ owner: "eve", requestBody: body }),
      );
    const first = await create(requestBody);
    expect(await create(requestBody)).toEqual(first);
    await expect(create({ ...requestBody, price: 4 })).rejects.toMatchObject({
      status: 409,
    });
    const target = { owner: "eve", purchase_code: "a/b" };
    expect(await admin.owners.purchases.get(target)).toEqual(first);
    const patched = await admin.owners.purchases.patch({
      ...target,
      requestBody: { supported_until: null },
    });
    expect(patched).not.toHaveProperty("supported_until");
  });

  test("chat keys and usage", async () => {
    const { key, details } = await admin.chat.keys.create({
      requestBody: {
        name: "CI",
        owner: "team",
        budgets: { tokens_per_day: 1000 },
        expires_at: "2099-01-01T00:00:00Z",
      },
    });
    expect(key).toMatch(/^ck_/);
    const id = details.id!;
    const changed = await admin.chat.keys.patch({
      id,
      requestBody: { models: ["fast"], budgets: null, expires_at: null },
    });
    expect(changed).toMatchObject({ models: ["fast"], budgets: {} });
    expect(changed).not.toHaveProperty("expires_at");
    const keys = await admin.chat.keys.list({ owner: "team" });
    expect(keys).toEqual({ keys: [changed] });
    const revoked = await admin.chat.keys.revoke({ id });
    expect(revoked.revoked_at).toBeDefined();
    await expect(
      admin.chat.keys.patch({ id, requestBody: { name: "x" } }),
    ).rejects.toMatchObject({ status: 409 });
    await expect(
      admin.chat.keys.get({ id: "0".repeat(16) }),
    ).rejects.toMatchObject({ status: 404 });
    expect(log.slice(1).map(({ action }) => action)).toEqual([
      "admin.chat.keys.create",
      "admin.chat.keys.patch",
      "admin.chat.keys.revoke",
    ]);
    expect(await admin.chat.usage.list({})).toEqual({ usage: [] });
    await expect(
      admin.chat.usage.list({ from: "yesterday" }),
    ).rejects.toMatchObject({ status: 400, field: "from" });
  });

  test("migrations", async () => {
    const base = {
      guid: "g",
      kind: "export",
      flags: {},
      repositories: ["alpha"],
      createdAt: 1_700_000_000_000,
      updatedAt: 1_700_000_000_000,
      attempts: 1,
    };
    await store.transaction(async (tx) => {
      for (const [org, id, state] of [
        ["acme", 1, "exported"],
        ["acme", 2, "exporting"],
        ["beta", 3, "pending"],
      ] as const) {
        const key = `${org}/${String(id).padStart(16, "0")}`;
        tx.put(TABLES.migrations, key, { ...base, org, id, state });
        if (state !== "exported") tx.put(TABLES.jobs, key, id);
      }
      const archive = { org: "acme", guid: "g", size: 5, createdAt: 5 };
      tx.put(TABLES.archives, "0000000000000001", archive);
    });
    const idsOf = async (parameters: object): Promise<unknown[]> => {
      const { migrations } = await admin.migrations.list(parameters);
      return migrations.map(({ id }) => id);
    };
    expect(await idsOf({})).toEqual([3, 2, 1]);
    expect(await idsOf({ organization: "ACME" })).toEqual([2, 1]);
    expect(await idsOf({ state: "exported" })).toEqual([1]);
    const cancelled = await admin.migrations.cancel({
      organization: "acme",
      migration_id: 2,
    });
    expect(cancelled).toMatchObject({
      state: "failed",
      reason: "Cancelled by ops.",
    });
    expect(await store.count(TABLES.jobs)).toBe(1);
    const finished = { organization: "acme", migration_id: 1 };
    await expect(admin.migrations.cancel(finished)).rejects.toMatchObject({
      status: 409,
    });
    expect((await admin.migrations.get(finished)).archive).toMatchObject({
      size: 5,
    });
    await admin.migrations.deleteArchive(finished);
    await expect(
      admin.migrations.deleteArchive(finished),
    ).rejects.toMatchObject({ status: 404 });
    expect(log.slice(1).map(({ target }) => target)).toEqual([
      "acme/2",
      "acme/1",
    ]);
  });
});

test("a suspended owner's keys are those of nobody, until the owner is resumed", async () => {
  const { origin, store } = await marketplace();
  const admin = adminOf(store);
  const paths = [
    "account/details",
    "items/all",
    "items/item",
    "purchases/validation",
  ];
  const ask = (key: string): Promise<readonly [number, unknown][]> =>
    Promise.all(
      paths.map(async (path) => {
        const url = `${origin}/api/${path}?api_key=${key}&item_id=1&purchase_code=code-1`;
        const method = path.startsWith("purchases") ? "POST" : "GET";
        const response = await fetch(url, { method });
        return [response.status, await response.json()] as const;
      }),
    );
  const before = await ask("test-key");
  expect(before.map(([status]) => status)).toEqual([200, 200, 200, 200]);
  const suspend = (suspended: boolean): Promise<unknown> =>
    Promise.resolve(
      admin.owners.patch({ owner: "demo", requestBody: { suspended } }),
    );
  await suspend(true);
  expect(await ask("test-key")).toEqual(await ask("unknown"));
  await suspend(false);
  expect(await ask("test-key")).toEqual(before);
});

test("keys expire, and their last use is recorded", async () => {
  let now = Date.parse("2026-06-01T00:00:00Z");
  const { running, origin } = await serve({
    settings: `marketplace:\n  requestsPerMinute: 0\n${SETTINGS}`,
    isDemo: true,
    now: () => now,
  });
  const { createAdmin } = await import("../../generated/admin/v1/index.js");
  const admin = createAdmin({ rootUrl: `${running.admin}/`, auth: TOKEN });
  const { key, id } = await admin.owners.keys.create({
    owner: "demo",
    requestBody: { expires_at: "2026-06-01T00:01:00Z" },
  });
  const status = async (): Promise<number> =>
    (await fetch(`${origin}/api/account/details?api_key=${key}`)).status;
  const find = async (): Promise<object | undefined> =>
    (await admin.owners.keys.list({ owner: "demo" })).keys.find(
      (row) => row.id === id,
    );
  expect(await find()).not.toHaveProperty("last_used_at");
  expect(await status()).toBe(200);
  await expect.poll(find, { timeout: 5_000 }).toMatchObject({
    last_used_at: "2026-06-01T00:00:00.000Z",
  });
  now += 60_000;
  expect(await status()).toBe(401);
  const patch = (expires_at: string | null): Promise<unknown> =>
    Promise.resolve(
      admin.owners.keys.patch({
        owner: "demo",
        id,
        requestBody: { expires_at },
      }),
    );
  await patch(null);
  expect(await status()).toBe(200);
  await expect(
    admin.owners.keys.create({
      owner: "demo",
      requestBody: { expires_at: "2026-05-01T00:00:00Z" },
    }),
  ).rejects.toMatchObject({
    serverMessage: "expires_at must be in the future",
  });
  expect(idOfHash(hashOf(key))).toBe(id);
});

test.each([
  ["{}", "tokens must be a list of objects"],
  ["{ tokens: [] }", "tokens must have 1 to 100 tokens"],
  ["{ tokens: [{ name: a, token: secret }] }", "must not be the token itself"],
  ["{ tokens: [{ name: a }] }", "must not be the token itself"],
  [
    "{ tokens: [{ name: a, token: env:NO_SUCH_TOKEN }] }",
    'the environment variable "NO_SUCH_TOKEN", which is not set',
  ],
  [
    "{ tokens: [{ name: a, token: env:SHORT_TOKEN }] }",
    "token must have at least 20 characters",
  ],
  [`{ tokens: [{ token: "sha256:${HASH}" }] }`, "name must be"],
  ["{ port: 70000, tokens: [] }", "tokens must have"],
  ["{ prot: 1, tokens: [] }", 'unknown member "prot" (did you mean port?)'],
])("admin: %s is a mistake", async (section, words) => {
  process.env["SHORT_TOKEN"] = "short";
  const text = `# comment\nadmin: ${section}\n`;
  const file = new ConfigFile("gen.yaml", text, ["marketplace"]);
  for (const start of [
    () => checkConfig([marketplaceRow], file),
    () => serve({ settings: text }),
  ]) {
    const error = await start().then(
      () => undefined,
      (caught: SetupError) => caught,
    );
    expect(error?.diagnostics).toMatchObject([
      {
        code: "config-invalid",
        line: 2,
        message: expect.stringContaining(words),
      },
    ]);
    expect(error!.message).not.toMatch(/secret|short(?!_)/);
  }
});

test("a reload changes the tokens", async () => {
  const { running } = await serve({ settings: SETTINGS });
  const status = async (): Promise<number> => {
    const headers = { authorization: `Bearer ${TOKEN}` };
    const url = `${running.admin}/admin/v1/owners`;
    return (await fetch(url, { headers })).status;
  };
  const reload = (settings: string): Promise<void> =>
    running.reload!(new ConfigFile("gen.yaml", settings, ["marketplace"]));
  expect(await status()).toBe(200);
  await reload(SETTINGS.replace(HASH, "0".repeat(64)));
  expect(await status()).toBe(401);
  await reload(SETTINGS);
  expect(await status()).toBe(200);
  await reload("");
  expect(await status()).toBe(401);
});
