import { expect, test } from "vitest";
import type { Json } from "../../src/services/store/store.js";
import { marketplace } from "./support.js";

const item = {
  name: "Thing",
  description: "A thing.\nWith lines.",
  category: "Code",
  sub_category: "Things",
  options: ["Updates"],
  version: "1.0",
  demo_link: "https://example.com/",
  tags: ["a", "b"],
  media: {
    thumbnail: "https://example.com/t.png",
    preview_image: "https://example.com/p.png",
    screenshots: ["https://example.com/1.png"],
  },
  price: { regular: 1, extended: 2.5 },
  currency: "USD",
  published_at: "2025-01-01T02:00:00+02:00",
};

const CSV = `id,name,description,category,sub_category,options,version,demo_link,tags,media.thumbnail,media.preview_image,media.preview_audio,media.screenshots,price.regular,price.extended,currency,published_at,kind,state,support
41,"Thing, one","A ""thing"".
With lines.",Code,Things,Updates | Help,1.0,https://example.com/,a|b,https://example.com/t.png,https://example.com/p.png,,,1,2.5,USD,2025-01-01T02:00:00+02:00,,,
,Song,A song.,Audio,Songs,,2.1,https://example.com/,,https://example.com/t.png,,https://example.com/s.mp3,,3,4,EUR,,audio,pending,false
`;

/** Starts a marketplace with an owner without items. */
async function empty() {
  const served = await marketplace();
  await served.admin("owner add", {
    username: "eve",
    email: "eve@example.com",
  });
  const made = await served.admin("key create", { owner: "eve" });
  const { key } = made as { key: string };
  const load = (
    what: "items" | "purchases",
    text: string | object,
    extra: { readonly [name: string]: Json } = {},
  ): Promise<Json> =>
    served.admin(`import ${what}`, {
      owner: "eve",
      format: typeof text === "string" ? "csv" : "json",
      text: typeof text === "string" ? text : JSON.stringify(text),
      ...extra,
    });
  const items = async (): Promise<readonly { readonly id: number }[]> => {
    const answer = await fetch(`${served.origin}/api/items/all?api_key=${key}`);
    const { items: found = [] } = (await answer.json()) as {
      items?: { id: number }[];
    };
    return found;
  };
  return { ...served, key, load, items };
}

test("exports items as they were imported", async () => {
  const { load, items } = await empty();
  expect(await load("items", [item])).toEqual({ imported: 1, problems: [] });
  expect(await items()).toEqual([
    { ...item, id: 1, published_at: "2025-01-01T00:00:00.000Z" },
  ]);
  // Responses of the API can be imported again and replace existing items.
  const again = (await items()).map((one) => ({ ...one, name: "Renamed" }));
  await load("items", { items: again });
  expect(await items()).toEqual(again);
});

test("imports items from CSV with quotes and line breaks", async () => {
  const { load, items, store } = await empty();
  expect(await load("items", CSV)).toEqual({ imported: 2, problems: [] });
  const [first, ...others] = await items();
  expect(others).toEqual([]);
  expect(first).toMatchObject({
    id: 41,
    name: "Thing, one",
    description: 'A "thing".\nWith lines.',
    options: ["Updates", "Help"],
    price: { regular: 1, extended: 2.5 },
  });
  expect(
    await store.get("marketplace.items", "eve/0000000000000042"),
  ).toMatchObject({
    kind: "audio",
    state: "pending",
    hasSupport: false,
    previewAudio: "https://example.com/s.mp3",
  });
});

test("updates the list after an import", async () => {
  const { load, items } = await empty();
  for (let count = 1; count <= 5; count++) {
    await load("items", [item]);
    expect((await items()).map(({ id }) => id)).toEqual(
      Array.from({ length: count }, (_, index) => count - index),
    );
  }
});

const bad: readonly (readonly [string, unknown, string])[] = [
  ["name", undefined, "is missing; add it"],
  ["name", 5, "5 is not a string"],
  ["name", "a\u0000b", "contains control characters"],
  ["name", "\ud800", "contains control characters"],
  ["name", "x".repeat(256), "has 256 characters; use at most 255 characters"],
  [
    "version",
    "v1",
    '"v1" is not a version; use numbers separated by dots, such as 1.4.2',
  ],
  ["demo_link", "javascript:alert(1)", "is not an http or https URL"],
  ["demo_link", "/relative", "is not an http or https URL"],
  ["tags", "a", "is not a list"],
  ["tags", [1], "is not a string"],
  ["currency", "usd", "is not a currency code"],
  ["published_at", "yesterday", "is not a time"],
  ["published_at", "2025-01-01T00:00:00", "is not a time"],
  ["published_at", "2025-13-01T00:00:00Z", "is not a time"],
  ["id", 0, "is not an id"],
  ["id", 1.5, "is not an id"],
  ["id", "1", "is not an id"],
  [
    "kind",
    "book",
    "is not an allowed value; use one of: file, image, video, audio",
  ],
  ["support", "yes", "is not a boolean"],
  ["nam", "x", "is not a known column; rename it (did you mean name?)"],
  ["__proto__", { x: 1 }, "is not a known column"],
];

test.each(bad)(
  "of an item %s = %j is refused, by name",
  async (name, value, words) => {
    const { load, items } = await empty();
    const row = Object.fromEntries([...Object.entries(item), [name, value]]);
    const text = JSON.stringify([item, row]);
    await expect(
      load("items", {}, { text, format: "json" }),
    ).rejects.toMatchObject({
      message: "the file has 1 problem; nothing was imported",
      problems: [expect.stringMatching(/^row 2, column /)],
    });
    await expect(
      load("items", {}, { text, format: "json" }),
    ).rejects.toMatchObject({
      problems: [expect.stringContaining(words)],
    });
    expect(await items()).toEqual([]);
  },
);

test.each([
  ["audio", "preview_image", "is not allowed for items of kind audio"],
  ["audio", "preview_video", "is not allowed for items of kind audio"],
  ["image", "preview_video", "is not allowed for items of kind image"],
  ["video", "preview_audio", "is not allowed for items of kind video"],
])("an item of kind %s must not have %s", async (kind, preview, words) => {
  const { load } = await empty();
  const media = {
    thumbnail: "https://example.com/t.png",
    [preview]: "https://example.com/x",
  };
  await expect(load("items", [{ ...item, kind, media }])).rejects.toMatchObject(
    {
      problems: expect.arrayContaining([expect.stringContaining(words)]),
    },
  );
});

test("reports problems of CSV with line and column", async () => {
  const { load } = await empty();
  const text = CSV.replace(",3,4,EUR", ",three,4,EUR").replace("41,", "abc,");
  await expect(load("items", text)).rejects.toMatchObject({
    message: "the file has 2 problems; nothing was imported",
    problems: [
      'line 2, column id: "abc" is not an id; use a positive integer',
      'line 4, column price.regular: "three" is not an amount; use a number from 0 to 1000000000000, such as 29.99',
    ],
  });
});

test("imports only valid rows with --partial", async () => {
  const { load, items } = await empty();
  const rows = [
    item,
    { ...item, version: "x" },
    { ...item, id: 7 },
    { ...item, id: 7 },
  ];
  expect(await load("items", rows, { partial: "true" })).toEqual({
    imported: 2,
    problems: [
      expect.stringContaining("row 2, column version"),
      expect.stringContaining(
        "row 4, column id: 7 must be unique, but is already used in row 3",
      ),
    ],
  });
  expect((await items()).map(({ id }) => id)).toEqual([8, 7]);
});

test.each([
  ["{", "json", "the file is not valid JSON"],
  [
    "{}",
    "json",
    "the file must contain an array of rows or an object with 'items'",
  ],
  ["null", "json", "the file must contain an array of rows"],
  ['a,b\n"x', "csv", "the file is not valid CSV"],
  ["a,b\n1,2,3\n", "csv", "the file is not valid CSV"],
])("%j is refused as %s", async (text, format, words) => {
  const { load } = await empty();
  await expect(
    (async () => load("items", {}, { text, format }))(),
  ).rejects.toThrow(words);
});

const purchase = {
  purchase_code: "c-1",
  license_type: "Extended",
  price: 2.5,
  currency: "USD",
  item_id: 1,
  supported_until: "2026-01-01T00:00:00Z",
  downloaded: true,
  date: "2025-01-01T00:00:00Z",
};

test("validates imported purchases", async () => {
  const { load, key, origin } = await empty();
  await load("items", [item]);
  expect(await load("purchases", [purchase])).toEqual({
    imported: 1,
    problems: [],
  });
  const url = `${origin}/api/purchases/validation?api_key=${key}&purchase_code=c-1`;
  const answer = await fetch(url, { method: "POST" });
  const { item_id: _, ...shown } = purchase;
  expect(await answer.json()).toMatchObject({
    status: "success",
    data: {
      purchase: {
        ...shown,
        supported_until: "2026-01-01T00:00:00.000Z",
        date: "2025-01-01T00:00:00.000Z",
        item: { id: 1, name: "Thing" },
      },
    },
  });
});

test.each([
  [{ item_id: 2 }, "2 is not an item of 'eve'; import the item first"],
  [{ supported_until: "2024-01-01T00:00:00Z" }, "is before the purchase"],
  [{ price: -1 }, "is not an amount"],
  [{ date: undefined }, "is missing"],
  [{ downloaded: 1 }, "is not a boolean"],
])("a purchase with %j is refused", async (change, words) => {
  const { load, store } = await empty();
  await load("items", [item]);
  await expect(
    load("purchases", [{ ...purchase, ...change }]),
  ).rejects.toMatchObject({
    problems: [expect.stringContaining(words)],
  });
  expect(await store.count("marketplace.purchases", "eve/")).toBe(0);
});

test("does not repeat a duplicate purchase code in the message", async () => {
  const { load } = await empty();
  await load("items", [item]);
  const found = load("purchases", [purchase, purchase]);
  await expect(found).rejects.toMatchObject({
    problems: [
      "row 2, column purchase_code: must be unique, but is also the purchase code in row 1; give each purchase a different code",
    ],
  });
});

test("refuses duplicate columns", async () => {
  const { load } = await empty();
  const twice = CSV.replace("state,support", "state,name");
  await expect(load("items", twice)).rejects.toThrow(
    'line 1: the column "name" occurs more than once; remove all but one',
  );
});
