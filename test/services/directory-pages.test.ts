import { expect, it } from "vitest";
import { shop, startDirectory } from "./directory-support.js";

/** Text that would be markup, a script or bidirectional text if not escaped. */
const HOSTILE = `</title></code><script>alert(1)</script><img src=x onerror=alert(1)>"'\u202e\u0000\u001b[0m`;

/** Document with hostile text wherever a page shows text. */
function hostile(): object {
  const schema = {
    id: HOSTILE,
    type: HOSTILE,
    format: HOSTILE,
    description: `${HOSTILE} \`${HOSTILE}\` [${HOSTILE}](https://a/"onclick=x) [x](javascript:alert(1))`,
    default: HOSTILE,
    pattern: HOSTILE,
    minimum: HOSTILE,
    maximum: HOSTILE,
    enum: [HOSTILE],
    enumDescriptions: [HOSTILE],
    required: true,
  };
  const method = {
    id: "hostile.x",
    path: `${HOSTILE}/{${HOSTILE}}`,
    httpMethod: HOSTILE,
    description: HOSTILE,
    parameters: {
      [HOSTILE]: { ...schema, location: HOSTILE },
      q: { ...schema, location: "query" },
    },
    request: { $ref: HOSTILE },
    response: { $ref: HOSTILE },
    scopes: [HOSTILE],
    supportsMediaUpload: true,
    mediaUpload: { accept: [HOSTILE], maxSize: HOSTILE },
    "x-credential": { in: "header", name: HOSTILE, schemes: [HOSTILE] },
  };
  const object = {
    ...schema,
    type: "object",
    properties: { [HOSTILE]: schema },
    variant: {
      discriminant: HOSTILE,
      map: [{ type_value: HOSTILE, $ref: HOSTILE }],
    },
  };
  return shop({
    title: HOSTILE,
    description: HOSTILE,
    documentationLink: "javascript:alert(1)",
    rootUrl: `https://a/${HOSTILE}/`,
    servicePath: HOSTILE,
    revision: HOSTILE,
    auth: { oauth2: { scopes: { [HOSTILE]: { description: HOSTILE } } } },
    parameters: { [HOSTILE]: schema },
    schemas: { [HOSTILE]: object },
    methods: { top: method },
    resources: {
      [HOSTILE]: {
        methods: { [HOSTILE]: method },
        resources: { below: { methods: { get: method } } },
      },
    },
  });
}

const PLACE = encodeURIComponent(HOSTILE);

it.each([
  "/",
  `/?q=${PLACE}`,
  "/apis/shop/v1",
  `/apis/shop/v1?q=${PLACE}`,
  "/apis/shop/v1/schemas",
  `/apis/shop/v1/schemas/${PLACE}`,
  "/apis/shop/v1/resources/",
  `/apis/shop/v1/resources/${PLACE}`,
  `/apis/shop/v1/methods/${PLACE}/${PLACE}`,
  `/apis/shop/v1/methods/${PLACE}/below/get`,
  "/apis/shop/v1/methods/top",
])("%s shows hostile text as text", async (target) => {
  const directory = await startDirectory({ "shop.json": hostile() });
  const answer = await directory.get(target);
  expect(answer.status).toBe(200);
  const policy = answer.headers.get("content-security-policy");
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain("unsafe");
  const page = await answer.text();
  expect(page).toContain("&lt;script&gt;");
  // The page has only its own script, and only the tags that pages consist of.
  expect(page.match(/<script/g)).toHaveLength(1);
  expect(page).not.toMatch(/<img|javascript:alert\(1\)"|[\u202e\u0000\u001b]/);
  const tags = new Set(
    [...page.matchAll(/<([a-z]\w*)/gi)].map(([, name]) => name),
  );
  expect([...tags].filter((name) => !KNOWN.has(name!))).toEqual([]);
  // In tags, quotes are paired and no attribute is an event handler.
  for (const [tag] of page.matchAll(/<[a-z][^>]*>/gi)) {
    expect((tag.match(/"/g) ?? []).length % 2).toBe(0);
    expect(tag.replace(/"[^"]*"/g, "")).not.toMatch(/\son\w+=/i);
  }
});

const KNOWN = new Set(
  (
    "a article b body button code dd details div dl dt figcaption figure footer form h1 h2 h3 head header html input label " +
    "li link main meta nav noscript ol output p pre script search section small span style summary table tbody td th thead title tr ul wbr"
  ).split(" "),
);

it("shows calls that a shell interprets as intended", async () => {
  const directory = await startDirectory({
    "shop.json": shop({
      resources: {
        books: {
          methods: {
            insert: {
              id: "shop.books.insert",
              path: "books/{id}/it's",
              httpMethod: "POST",
              parameters: {
                id: { type: "string", required: true, location: "path" },
                "x-kind": { type: "string", required: true, location: "query" },
                other: { type: "string", location: "query" },
              },
              parameterOrder: ["id", "x-kind"],
              request: { $ref: "Book" },
              scopes: ["books"],
            },
          },
        },
      },
    }),
  });
  const page = await (
    await directory.get("/apis/shop/v1/methods/books/insert")
  ).text();
  const [client, curl] = [...page.matchAll(/<pre[^>]*><code>([^<]*)</g)].map(
    ([, code]) =>
      code!
        .replaceAll("&#39;", "'")
        .replaceAll("&quot;", '"')
        .replaceAll("&gt;", ">"),
  );
  expect(client)
    .toBe(`import { createShop } from "./generated/shop/v1/index.js";

const shop = createShop({ auth: () => process.env.TOKEN ?? "" });
await shop.books.insert({
  id: "ID",
  "x-kind": "X_KIND",
  requestBody: {
    "title": "string"
  },
});`);
  expect(curl)
    .toBe(`curl 'https://shop.example.com/shop/v1/books/ID/it'\\''s?x-kind=X_KIND' \\
  -X 'POST' \\
  -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' \\
  -d '{
  "title": "string"
}'`);
});

it("searches without a script", async () => {
  const directory = await startDirectory({
    "shop.json": shop(),
    "other.json": shop({ name: "other", id: "other:v1", title: "Other API" }),
  });
  const home = await (await directory.get("/?q=OTHER+books")).text();
  expect(home).toContain("/apis/other/v1");
  expect(home).not.toContain("/apis/shop/v1");
  const none = await (await directory.get("/apis/shop/v1?q=zebra")).text();
  expect(none).not.toContain("/methods/books/get");
  expect(none).toContain("No method matches.");
  const found = await (await directory.get("/apis/shop/v1?q=GET+book")).text();
  expect(found).toContain("/apis/shop/v1/methods/books/get");
});

it("redirects a name to the preferred version, and shows 404 for unknown names", async () => {
  const directory = await startDirectory({
    "shop.json": shop(),
    "beta.json": shop({ version: "v2beta", id: "shop:v2beta" }),
  });
  const named = await directory.get("/apis/shop");
  expect([named.status, named.headers.get("location")]).toEqual([
    302,
    "/apis/shop/v1",
  ]);
  for (const target of [
    "/apis/nobody/v1",
    "/apis/shop/v1/methods/nothing",
    "/apis/shop/v1/methods/__proto__",
    "/apis/shop/v1/schemas/toString",
    "/apis/shop/v1/what",
    "/apis/%ff",
    "/assets/directory/other.js",
  ]) {
    const answer = await directory.get(target);
    expect([target, answer.status]).toEqual([target, 404]);
    expect(await answer.text()).toContain("<h1>Not found</h1>");
  }
});

it("keeps pages of large documents small", async () => {
  const methods = Object.fromEntries(
    Array.from({ length: 900 }, (_, index) => [
      `method${index}`,
      {
        id: `large.method${index}`,
        path: `things/{id}/parts${index}`,
        httpMethod: "GET",
        description: "Words. ".repeat(100),
        parameters: {
          id: {
            type: "string",
            required: true,
            location: "path",
            description: "More words. ".repeat(100),
          },
        },
      },
    ]),
  );
  const properties = Object.fromEntries(
    Array.from({ length: 2000 }, (_, index) => [
      `property${index}`,
      { type: "string", description: "Words. ".repeat(100) },
    ]),
  );
  const schemas = Object.fromEntries(
    Array.from({ length: 1500 }, (_, index) => [
      `Schema${index}`,
      { id: `Schema${index}`, type: "object", properties: {} },
    ]),
  );
  schemas["Large"] = { id: "Large", type: "object", properties };
  const directory = await startDirectory({
    "shop.json": shop({ schemas, resources: { things: { methods } } }),
  });
  for (const target of [
    "/apis/shop/v1",
    "/apis/shop/v1/schemas",
    "/apis/shop/v1/schemas/Large",
    "/apis/shop/v1/resources/things",
  ]) {
    const page = await (await directory.get(target)).text();
    expect([target, page.length < 300_000]).toEqual([target, true]);
    expect(page).toContain("</html>");
  }
});
