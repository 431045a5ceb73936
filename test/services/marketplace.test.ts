import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import {
  createMarketplace,
  isApiError,
} from "../../generated/marketplace/v1/index.js";
import {
  validateAccountResponse,
  validateErrorResponse,
  validateItemListResponse,
  validateItemResponse,
  validatePurchaseResponse,
} from "../../generated/marketplace/v1/validators.js";
import { ROOT } from "../support/paths.js";
import { item, marketplace } from "./support.js";

const WHOLE = { mode: "response", unknownFields: "reject" } as const;

/** Response as any client sees it. */
async function ask(
  url: string,
  init?: RequestInit,
): Promise<{ status: number; type: string | null; body: unknown }> {
  const response = await fetch(url, init);
  const text = await response.text();
  const type = response.headers.get("content-type");
  const isJson = type?.startsWith("application/json") === true;
  return {
    status: response.status,
    type,
    body: isJson ? JSON.parse(text) : text,
  };
}

const JSON_TYPE = "application/json; charset=utf-8";
const failure = (status: number, msg: unknown): object => ({
  status,
  type: JSON_TYPE,
  body: { status: "error", msg },
});

describe("the generated client", () => {
  test("receives all members of the description", async () => {
    const { origin } = await marketplace();
    const client = createMarketplace({ rootUrl: `${origin}/` });
    const key = { api_key: "test-key" };
    const account = await client.account.details(key);
    expect(validateAccountResponse(account, WHOLE).valid).toBe(true);
    expect(account.data?.name?.full_name).toBe("Ada Example");
    const all = await client.items.all(key);
    expect(validateItemListResponse(all, WHOLE).valid).toBe(true);
    expect(all.items?.map(({ id }) => id)).toEqual([
      12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1,
    ]);
    const item = await client.items.item({ ...key, item_id: 7 });
    expect(validateItemResponse(item, WHOLE).valid).toBe(true);
    expect(item.item).toEqual(all.items?.[5]);
    const code = { ...key, purchase_code: "code-1" };
    const purchase = await client.purchases.validation(code);
    expect(validatePurchaseResponse(purchase, WHOLE).valid).toBe(true);
    expect(purchase.data?.purchase).toMatchObject({
      purchase_code: "code-1",
      license_type: "Regular",
      supported_until: "2030-01-31T00:00:00.000Z",
      downloaded: true,
      item: { id: 1 },
    });
  });

  test("receives failures as typed errors", async () => {
    const { origin } = await marketplace();
    const client = createMarketplace({ rootUrl: `${origin}/` });
    const error: unknown = await client.purchases
      .validation({ api_key: "test-key", purchase_code: "no" })
      .catch((thrown: unknown) => thrown);
    expect(isApiError(error)).toBe(true);
    expect(error).toMatchObject({
      status: 404,
      message: expect.stringContaining("Invalid purchase code"),
    });
  });
});

describe("media", () => {
  const members: Readonly<Record<string, readonly string[]>> = {
    1: ["thumbnail", "preview_image", "screenshots"],
    4: ["thumbnail", "preview_image"],
    7: ["thumbnail", "preview_image", "preview_video"],
    10: ["thumbnail", "preview_audio"],
  };
  test.each(Object.entries(members))("of item %s are %j", async (id, names) => {
    const { origin } = await marketplace();
    const url = `${origin}/api/items/item?api_key=test-key&item_id=${id}`;
    const { body } = await ask(url);
    const { media } = (body as { item: { media: object } }).item;
    expect(Object.keys(media)).toEqual(names);
  });

  test("of another kind are not shown", async () => {
    const { origin, store } = await marketplace();
    await store.transaction(async (tx) => {
      const [first] = await tx.list<object>("marketplace.items", { limit: 1 });
      const previews = {
        previewImage: "i",
        previewVideo: "v",
        previewAudio: "a",
      };
      const item = { ...first!.value, ...previews, kind: "audio" };
      tx.put("marketplace.items", first!.key, item);
    });
    const url = `${origin}/api/items/item?api_key=test-key&item_id=1`;
    const { body } = await ask(url);
    expect(body).toMatchObject({ item: { media: { preview_audio: "a" } } });
    expect(JSON.stringify(body)).not.toMatch(/preview_(image|video)/);
  });
});

describe("messages of errors", () => {
  test.each([
    ["/api/account/details?api_key=no", 401, "Invalid request"],
    ["/api/items/all?api_key=no", 404, "No items found"],
    ["/api/items/item?api_key=no&item_id=1", 404, "Item Not Found"],
    ["/api/items/item?api_key=test-key&item_id=99", 404, "Item Not Found"],
    ["/api/items/item?api_key=test-key&item_id=-1", 404, "Item Not Found"],
    [
      "/api/items/item?api_key=test-key&item_id=99999999999999999999",
      400,
      "Invalid value for parameter item_id: it must be an integer from -9007199254740991 to 9007199254740991.",
    ],
  ])("%s", async (target, status, msg) => {
    const { origin } = await marketplace();
    expect(await ask(origin + target)).toEqual(failure(status, msg));
  });

  test("of a purchase", async () => {
    const { origin } = await marketplace();
    for (const query of [
      "api_key=no&purchase_code=code-1",
      "api_key=test-key&purchase_code=no",
    ])
      expect(
        await ask(`${origin}/api/purchases/validation?${query}`, {
          method: "POST",
        }),
      ).toEqual(failure(404, "Invalid purchase code"));
  });

  test("of an owner without approved items", async () => {
    const { origin, admin } = await marketplace();
    await admin("owner add", { username: "eve", email: "eve@example.com" });
    const { key } = (await admin("key create", { owner: "eve" })) as {
      key: string;
    };
    const none = failure(404, "No items found");
    expect(await ask(`${origin}/api/items/all?api_key=${key}`)).toEqual(none);
    const text = JSON.stringify([
      { ...item, state: "pending" },
      { ...item, state: "rejected" },
    ]);
    await admin("import items", { owner: "eve", text, format: "json" });
    expect(await ask(`${origin}/api/items/all?api_key=${key}`)).toEqual(none);
    expect(
      await ask(`${origin}/api/items/item?api_key=${key}&item_id=1`),
    ).toEqual(failure(404, "Item Not Found"));
    await admin("import items", {
      owner: "eve",
      text: JSON.stringify([item]),
      format: "json",
    });
    const { body } = await ask(`${origin}/api/items/all?api_key=${key}`);
    expect(body).toMatchObject({ items: [{ id: 3, name: "Thing" }] });
  });
});

describe("parameters of a purchase validation", () => {
  const target = "/api/purchases/validation";
  const good = { api_key: "test-key", purchase_code: "code-1" };
  const form = (values: Record<string, string>): RequestInit => ({
    method: "POST",
    body: new URLSearchParams(values),
  });
  const json = (value: unknown): RequestInit => ({
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(value),
  });

  test("are accepted in the query, a form, JSON, or both", async () => {
    const { origin } = await marketplace();
    const query = new URLSearchParams(good).toString();
    for (const [url, init] of [
      [`${target}?${query}`, { method: "POST" }],
      [target, form(good)],
      [target, json(good)],
      [`${target}?api_key=test-key`, json({ purchase_code: "code-1" })],
      [`${target}?api_key=no&purchase_code=no`, json(good)],
      [`${target}?api_key=no&purchase_code=no`, form(good)],
    ] as const) {
      const { status, body } = await ask(origin + url, init);
      expect({ url, status }).toEqual({ url, status: 200 });
      expect(body).toMatchObject({
        data: { purchase: { purchase_code: "code-1" } },
      });
    }
  });

  test("in the body take precedence over the query", async () => {
    const { origin } = await marketplace();
    const query = new URLSearchParams(good).toString();
    for (const init of [json({ purchase_code: "no" }), form({ api_key: "no" })])
      expect(await ask(`${origin}${target}?${query}`, init)).toEqual(
        failure(404, "Invalid purchase code"),
      );
  });
});

test("shows support only if it exists and is enabled", async () => {
  const url = "/api/purchases/validation?api_key=test-key&purchase_code=";
  const until = async (origin: string, code: string): Promise<unknown> => {
    const { body } = await ask(origin + url + code, { method: "POST" });
    return (body as { data: { purchase: object } }).data.purchase;
  };
  const on = await marketplace();
  expect(await until(on.origin, "code-1")).toHaveProperty("supported_until");
  expect(await until(on.origin, "code-2")).not.toHaveProperty(
    "supported_until",
  );
  await on.store.transaction(async (tx) => {
    const [first] = await tx.list<object>("marketplace.items", { limit: 1 });
    tx.put("marketplace.items", first!.key, {
      ...first!.value,
      hasSupport: false,
    });
  });
  expect(await until(on.origin, "code-1")).not.toHaveProperty(
    "supported_until",
  );
  const off = await marketplace({ support: false });
  expect(await until(off.origin, "code-1")).not.toHaveProperty(
    "supported_until",
  );
});

test("responds with a page if the API is disabled", async () => {
  const { origin } = await marketplace({ enabled: false });
  const answer = await ask(`${origin}/api/items/all?api_key=test-key`);
  expect(answer).toMatchObject({
    status: 404,
    type: "text/html; charset=utf-8",
  });
});

test("an owner's key shows nothing of another owner", async () => {
  const { origin, admin } = await marketplace();
  await admin("owner add", { username: "demo.2", email: "eve@example.com" });
  await admin("owner add", { username: "dem", email: "eve@example.com" });
  for (const owner of ["demo.2", "dem"]) {
    const { key } = (await admin("key create", { owner })) as { key: string };
    const query = `api_key=${key}`;
    const account = await ask(`${origin}/api/account/details?${query}`);
    expect(account.body).toMatchObject({ data: { username: owner } });
    expect(await ask(`${origin}/api/items/all?${query}`)).toMatchObject({
      status: 404,
    });
    for (let id = 0; id < 14; id++)
      expect(
        await ask(`${origin}/api/items/item?${query}&item_id=${id}`),
      ).toMatchObject({ status: 404 });
    for (const code of ["code-1", "code-2", "/code-1", "../demo/code-1"])
      expect(
        await ask(
          `${origin}/api/purchases/validation?${query}&purchase_code=${code}`,
          {
            method: "POST",
          },
        ),
      ).toMatchObject({ status: 404 });
    const text = JSON.stringify([
      {
        purchase_code: "x",
        price: 1,
        currency: "USD",
        item_id: 1,
        date: "2025-01-01T00:00:00Z",
      },
    ]);
    await expect(
      admin("import purchases", { owner, text, format: "json" }),
    ).rejects.toMatchObject({
      problems: [expect.stringContaining(`is not an item of '${owner}'`)],
    });
  }
});

test("limits the requests of an address", async () => {
  const { origin } = await marketplace({ requestsPerMinute: 3 });
  const url = `${origin}/api/items/all?api_key=test-key`;
  for (let count = 0; count < 3; count++)
    expect((await ask(url)).status).toBe(200);
  const late = await fetch(url);
  expect(late.status).toBe(429);
  expect(Number(late.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await late.json()).toEqual({
    status: "error",
    msg: "Too Many Attempts.",
  });
});

test("counts addresses separately, also those forwarded by a trusted proxy", async () => {
  const { origin } = await marketplace({
    requestsPerMinute: 1,
    trustProxy: true,
  });
  const url = `${origin}/api/items/all?api_key=test-key`;
  const from = async (address: string): Promise<number> =>
    (await fetch(url, { headers: { "x-forwarded-for": address } })).status;
  expect([
    await from("10.0.0.1"),
    await from("1.1.1.1, 10.0.0.2"),
    await from("2.2.2.2, 10.0.0.2"),
    await from("10.0.0.1"),
  ]).toEqual([200, 200, 429, 429]);
});

test("every described error has the described shape", async () => {
  const spec = JSON.parse(
    readFileSync(path.join(ROOT, "specs/marketplace.v1.json"), "utf8"),
  ) as { "x-errors": Record<string, unknown> };
  expect(Object.keys(spec["x-errors"])).toContain("429");
  const { origin } = await marketplace();
  for (const target of [
    "/api/items/all",
    "/api/items/nothing",
    "/api/items/all?api_key=no",
  ]) {
    const { body } = await ask(origin + target);
    expect(validateErrorResponse(body, WHOLE).valid).toBe(true);
  }
});

test("serves the list as JSON in the requested white space", async () => {
  const { origin } = await marketplace();
  const url = `${origin}/api/items/all?api_key=test-key`;
  const plain = await (await fetch(url)).text();
  const pretty = await (await fetch(`${url}&prettyPrint=true`)).text();
  expect(plain).toBe(JSON.stringify(JSON.parse(pretty)));
  expect(pretty).toContain('\n  "items": [\n');
  const { body } = await ask(`${url}&fields=items(id)`);
  const ids = Array.from({ length: 12 }, (_, index) => ({ id: 12 - index }));
  expect(body).toEqual({ items: ids });
});
