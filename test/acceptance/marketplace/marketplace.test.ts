import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import {
  createMarketplace,
  isApiError,
} from "../../../generated/marketplace/v1/index.js";
import {
  validateAccount,
  validateItem,
  validatePurchase,
} from "../../../generated/marketplace/v1/validators.js";
import { listen } from "../../../src/services/host.js";
import * as module from "../../../src/services/marketplace/index.js";
import { memoryStore } from "../../../src/services/store/open.js";
import type { Json } from "../../../src/services/store/store.js";
import { adminOf, runAdmin } from "../../services/admin-support.js";
import { ROOT } from "../../support/paths.js";
import { acceptance, type Statement } from "../acceptance.js";
import type { Draft } from "../format/library.js";
import { memberStatements, request, type Received } from "../services.js";
import { afterAll } from "vitest";

const store = memoryStore();
const context = {
  store,
  now: Date.now,
  log: () => undefined,
  folder: undefined,
  config: { requestsPerMinute: 0 },
};
await module.demo(context);
const service = await module.start(context);
const host = await listen([Object.assign(service, { name: "marketplace" })]);
afterAll(() => host.close());
const { origin } = host;

const adminClient = adminOf(store);
const admin = (operation: string, input: Json): Promise<Draft> =>
  runAdmin(adminClient, operation, input);

const KEY = "api_key=test-key";
const get = (target: string): Promise<Received> => request(origin + target);
const post = (target: string, init: RequestInit = {}): Promise<Received> =>
  request(origin + target, { method: "POST", ...init });
const VALIDATION = "/api/purchases/validation";

const account = (await get(`/api/account/details?${KEY}`)).json;
const list = (await get(`/api/items/all?${KEY}`)).json;
const itemOf = async (id: number): Promise<Draft> =>
  (await get(`/api/items/item?${KEY}&item_id=${id}`)).json.item;
/** Items of the demo by kind; the first one has screenshots. */
const items = {
  file: await itemOf(1),
  image: await itemOf(4),
  video: await itemOf(7),
  audio: await itemOf(10),
};
const purchase = (await post(`${VALIDATION}?${KEY}&purchase_code=code-1`)).json;
const spec: Draft = JSON.parse(
  readFileSync(path.join(ROOT, "specs/marketplace.v1.json"), "utf8"),
);

const WHOLE = { mode: "response", unknownFields: "reject" } as const;

const envelope: readonly Statement[] = [
  ...(
    [
      ["account", () => account, "data"],
      ["item-list", () => list, "items"],
      ["purchase", () => purchase, "data"],
    ] as const
  ).map(([name, body, payload]) => ({
    id: `marketplace/envelope/success-${name}`,
    statement: `The response ${name} has the status \`success\` and \`${payload}\`.`,
    check: () => {
      expect(body().status).toBe("success");
      expect(Object.keys(body())).toEqual(["status", payload]);
    },
  })),
  {
    id: "marketplace/envelope/success-item",
    statement: "The response item has the status `success` and `item`.",
    check: async () => {
      const { json } = await get(`/api/items/item?${KEY}&item_id=1`);
      expect(json.status).toBe("success");
      expect(Object.keys(json)).toEqual(["status", "item"]);
    },
  },
  {
    id: "marketplace/envelope/purchase",
    statement: "The payload of a validation has the member `purchase`.",
    check: () => expect(Object.keys(purchase.data)).toEqual(["purchase"]),
  },
  ...[
    "/api/account/details?api_key=no",
    "/api/items/all?api_key=no",
    "/api/items/item?api_key=no&item_id=1",
    "/api/items/none",
  ].map((target) => ({
    id: `marketplace/envelope/error-${target.split(/[?/]/).slice(2, 4).join("-")}`,
    statement: `The error of \`${target.split("?")[0]}\` has the status \`error\` and a text \`msg\`.`,
    check: async () => {
      const { json } = await get(target);
      expect(json).toEqual({ status: "error", msg: expect.any(String) });
    },
  })),
];

const accountStatements = [
  ...memberStatements(
    {
      prefix: "marketplace/account",
      name: "an account",
      validate: (value) => validateAccount(value, WHOLE),
      value: () => account.data,
    },
    [
      { path: "name", type: "object" },
      { path: "name.firstname", type: "string" },
      { path: "name.lastname", type: "string" },
      { path: "name.full_name", type: "string" },
      { path: "username", type: "string" },
      { path: "email", type: "string" },
      { path: "balance", type: "number" },
      { path: "currency", type: "string" },
      { path: "profile", type: "object" },
      { path: "profile.heading", type: "string" },
      { path: "profile.description", type: "string" },
      { path: "profile.contact", type: "object" },
      { path: "profile.contact.email", type: "string" },
      { path: "profile.social_links", type: "object" },
      { path: "profile.media", type: "object" },
      { path: "profile.media.avatar", type: "URL" },
      { path: "profile.media.cover", type: "URL" },
      { path: "registered_at", type: "UTC timestamp" },
    ],
  ),
  {
    id: "marketplace/account/social_links/keyed",
    statement: "Social links are URLs by the name of their network.",
    check: () => {
      const links = Object.entries(account.data.profile.social_links);
      expect(links.length).toBeGreaterThan(0);
      for (const [network, link] of links) {
        expect(network).not.toBe("");
        expect(URL.canParse(link as string)).toBe(true);
      }
    },
  },
  {
    id: "marketplace/account/currency/code",
    statement: "The currency of an account is a code.",
    check: () => expect(account.data.currency).toMatch(/^[A-Z]{3}$/),
  },
];

const mediaMembers = {
  file: ["thumbnail", "preview_image", "screenshots"],
  image: ["thumbnail", "preview_image"],
  video: ["thumbnail", "preview_image", "preview_video"],
  audio: ["thumbnail", "preview_audio"],
} as const;
const kinds = Object.keys(mediaMembers) as (keyof typeof mediaMembers)[];

const itemStatements: readonly Statement[] = [
  ...memberStatements(
    {
      prefix: "marketplace/item",
      name: "an item",
      validate: (value) => validateItem(value, WHOLE),
      value: () => items.file,
    },
    [
      { path: "id", type: "integer" },
      { path: "name", type: "string" },
      { path: "description", type: "string" },
      { path: "category", type: "string" },
      { path: "sub_category", type: "string" },
      { path: "options", type: "array of strings" },
      { path: "version", type: "string" },
      { path: "demo_link", type: "URL" },
      { path: "tags", type: "array of strings" },
      { path: "media", type: "object" },
      { path: "media.thumbnail", type: "URL" },
      { path: "media.preview_image", type: "URL" },
      { path: "media.screenshots", type: "array of strings" },
      { path: "price", type: "object" },
      { path: "price.regular", type: "number" },
      { path: "price.extended", type: "number" },
      { path: "currency", type: "string" },
      { path: "published_at", type: "UTC timestamp" },
    ],
  ),
  ...memberStatements(
    {
      prefix: "marketplace/item-video",
      name: "a video item",
      validate: (value) => validateItem(value, WHOLE),
      value: () => items.video,
    },
    [{ path: "media.preview_video", type: "URL" }],
  ),
  ...memberStatements(
    {
      prefix: "marketplace/item-audio",
      name: "an audio item",
      validate: (value) => validateItem(value, WHOLE),
      value: () => items.audio,
    },
    [{ path: "media.preview_audio", type: "URL" }],
  ),
  {
    id: "marketplace/item/version/dotted",
    statement: "A version consists of numbers with dots.",
    check: () => {
      for (const { version } of list.items)
        expect(version).toMatch(/^\d+(\.\d+)*$/);
    },
  },
  ...kinds.flatMap((kind) =>
    (
      [
        "thumbnail",
        "preview_image",
        "preview_video",
        "preview_audio",
        "screenshots",
      ] as const
    ).map((name) => {
      const has = (mediaMembers[kind] as readonly string[]).includes(name);
      return {
        id: `marketplace/item/media-${kind}/${name}`,
        statement: `The media of an item of the kind ${kind}${name === "screenshots" && kind !== "file" ? " without screenshots" : ""} ${has ? "contain" : "do not contain"} \`${name}\`.`,
        check: () => expect(name in items[kind].media).toBe(has),
      };
    }),
  ),
  {
    id: "marketplace/item/screenshots/urls",
    statement: "Screenshots are URLs.",
    check: () => {
      for (const url of items.file.media.screenshots)
        expect(URL.canParse(url)).toBe(true);
    },
  },
];

const purchaseStatements: readonly Statement[] = [
  ...memberStatements(
    {
      prefix: "marketplace/purchase",
      name: "a purchase",
      validate: (value) => validatePurchase(value, WHOLE),
      value: () => purchase.data.purchase,
    },
    [
      { path: "purchase_code", type: "string" },
      { path: "license_type", type: "string" },
      { path: "price", type: "number" },
      { path: "currency", type: "string" },
      { path: "item", type: "object" },
      { path: "supported_until", type: "UTC timestamp" },
      { path: "downloaded", type: "boolean" },
      { path: "date", type: "UTC timestamp" },
    ],
  ),
  {
    id: "marketplace/purchase/purchase_code/same",
    statement: "The purchase has the code that was validated.",
    check: () => expect(purchase.data.purchase.purchase_code).toBe("code-1"),
  },
  {
    id: "marketplace/purchase/license_type/regular",
    statement: "The type of a license can be `Regular`.",
    check: () => expect(purchase.data.purchase.license_type).toBe("Regular"),
  },
  {
    id: "marketplace/purchase/license_type/other",
    statement: "Types of licenses other than `Regular` are possible.",
    decision: "Marketplace",
    check: () =>
      expect(
        validatePurchase(
          { ...purchase.data.purchase, license_type: "Team" },
          WHOLE,
        ).valid,
      ).toBe(true),
  },
  {
    id: "marketplace/purchase/item/complete",
    statement: "The purchased item has all members of an item.",
    check: () => expect(purchase.data.purchase.item).toEqual(items.file),
  },
  {
    id: "marketplace/purchase/supported_until/unsupported",
    statement: "A purchase without support has no end of support.",
    check: async () => {
      const { json } = await post(`${VALIDATION}?${KEY}&purchase_code=code-2`);
      expect(json.data.purchase).not.toHaveProperty("supported_until");
    },
  },
  {
    id: "marketplace/purchase/supported_until/disabled",
    statement: "No purchase has an end of support where support is disabled.",
    check: async () => {
      const off = await module.start({
        ...context,
        config: { support: false, requestsPerMinute: 0 },
      });
      const other = await listen([Object.assign(off, { name: "marketplace" })]);
      try {
        const { json } = await request(
          `${other.origin}${VALIDATION}?${KEY}&purchase_code=code-1`,
          { method: "POST" },
        );
        expect(json.data.purchase.purchase_code).toBe("code-1");
        expect(json.data.purchase).not.toHaveProperty("supported_until");
      } finally {
        await other.close();
      }
    },
  },
];

interface Endpoint {
  readonly name: string;
  readonly verb: string;
  readonly path: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly method: readonly [resource: string, method: string];
  readonly other: string;
}

const ENDPOINTS: readonly Endpoint[] = [
  {
    name: "account",
    verb: "GET",
    path: "/api/account/details",
    parameters: { api_key: "test-key" },
    method: ["account", "details"],
    other: "POST",
  },
  {
    name: "items",
    verb: "GET",
    path: "/api/items/all",
    parameters: { api_key: "test-key" },
    method: ["items", "all"],
    other: "POST",
  },
  {
    name: "item",
    verb: "GET",
    path: "/api/items/item",
    parameters: { api_key: "test-key", item_id: "1" },
    method: ["items", "item"],
    other: "POST",
  },
  {
    name: "validation",
    verb: "POST",
    path: VALIDATION,
    parameters: { api_key: "test-key", purchase_code: "code-1" },
    method: ["purchases", "validation"],
    other: "GET",
  },
];

const queryOf = (parameters: Readonly<Record<string, string>>): string =>
  new URLSearchParams(parameters).toString();

const client = createMarketplace({ rootUrl: `${origin}/` });
const endpoints: readonly Statement[] = [
  ...ENDPOINTS.flatMap(
    ({ name, verb, path: target, parameters, method, other }): Statement[] => [
      {
        id: `marketplace/endpoint/${name}/request`,
        statement: `${verb} \`${target}\` with its parameters in the query succeeds.`,
        check: async () => {
          const { status, json } = await request(
            `${origin}${target}?${queryOf(parameters)}`,
            { method: verb },
          );
          expect([status, json.status]).toEqual([200, "success"]);
        },
      },
      {
        id: `marketplace/endpoint/${name}/description`,
        statement: `The description has ${verb} \`${target}\` with these required parameters.`,
        check: () => {
          const {
            httpMethod,
            path: declared,
            parameters: all,
          } = spec.resources[method[0]].methods[method[1]];
          expect([httpMethod, `/${declared}`]).toEqual([verb, target]);
          expect(Object.keys(all).filter((key) => all[key].required)).toEqual(
            Object.keys(parameters),
          );
        },
      },
      {
        id: `marketplace/endpoint/${name}/client`,
        statement: `The generated client calls \`${target}\`.`,
        check: async () => {
          const call = (client as Draft)[method[0]][method[1]];
          const values = Object.entries(parameters).map(([key, value]) => [
            key,
            key === "item_id" ? Number(value) : value,
          ]);
          expect(await call(Object.fromEntries(values))).toMatchObject({
            status: "success",
          });
        },
      },
      {
        id: `marketplace/endpoint/${name}/method`,
        statement: `\`${target}\` refuses ${other}.`,
        check: async () => {
          const { status, json } = await request(
            `${origin}${target}?${queryOf(parameters)}`,
            { method: other },
          );
          expect([status, json.status]).toEqual([405, "error"]);
        },
      },
      ...Object.keys(parameters).map((parameter) => ({
        id: `marketplace/endpoint/${name}/required-${parameter}`,
        statement: `\`${target}\` refuses a request without \`${parameter}\`.`,
        check: async () => {
          const others = { ...parameters };
          delete (others as Draft)[parameter];
          const { status, json } = await request(
            `${origin}${target}?${queryOf(others)}`,
            { method: verb },
          );
          expect([status, json.status]).toEqual([400, "error"]);
        },
      })),
    ],
  ),
  {
    id: "marketplace/endpoint/items/all",
    statement: "The list has all items of the owner of the key.",
    check: () => {
      expect(list.items).toHaveLength(12);
      for (const item of list.items)
        expect(validateItem(item, WHOLE)).toMatchObject({ valid: true });
    },
  },
  {
    id: "marketplace/endpoint/items/owner",
    statement: "A key shows nothing of another owner.",
    check: async () => {
      await admin("owner add", { username: "eve", email: "eve@example.com" });
      const { key } = await admin("key create", { owner: "eve" });
      const { status } = await get(`/api/items/item?api_key=${key}&item_id=1`);
      expect(status).toBe(404);
    },
  },
  {
    id: "marketplace/endpoint/item/id",
    statement: "The item has the id that was requested.",
    check: () => {
      expect(items.file.id).toBe(1);
      expect(items.audio.id).toBe(10);
    },
  },
  ...(
    [
      ["form", { body: new URLSearchParams(ENDPOINTS[3]!.parameters) }],
      [
        "JSON",
        {
          body: JSON.stringify(ENDPOINTS[3]!.parameters),
          headers: { "content-type": "application/json" },
        },
      ],
    ] as const
  ).map(([type, init]) => ({
    id: `marketplace/endpoint/validation/body-${type}`,
    statement: `The parameters of a validation can be in a body: ${type}.`,
    decision: "Marketplace",
    check: async () =>
      expect((await post(VALIDATION, init)).json.status).toBe("success"),
  })),
];

const authentication: readonly Statement[] = [
  ...ENDPOINTS.flatMap(
    ({ name, verb, path: target, parameters }): Statement[] => [
      {
        id: `marketplace/authentication/${name}/unknown`,
        statement: `\`${target}\` refuses an unknown key.`,
        check: async () => {
          const { status, json } = await request(
            `${origin}${target}?${queryOf({ ...parameters, api_key: "no" })}`,
            { method: verb },
          );
          expect(status).toBeGreaterThanOrEqual(400);
          expect(json.status).toBe("error");
        },
      },
      {
        id: `marketplace/authentication/${name}/missing`,
        statement: `\`${target}\` without a key is an invalid request.`,
        check: async () => {
          const { api_key: _, ...others } = parameters as Draft;
          const { status, json } = await request(
            `${origin}${target}?${queryOf(others)}`,
            { method: verb },
          );
          expect([status, json.msg]).toEqual([400, "Invalid request"]);
        },
      },
      {
        id: `marketplace/authentication/${name}/empty`,
        statement: `\`${target}\` with an empty key is an invalid request.`,
        check: async () => {
          const { status, json } = await request(
            `${origin}${target}?${queryOf({ ...parameters, api_key: "" })}`,
            { method: verb },
          );
          expect([status, json.msg]).toEqual([400, "Invalid request"]);
        },
      },
    ],
  ),
  {
    id: "marketplace/authentication/new",
    statement: "An API key can be generated for an owner.",
    check: async () => {
      const { key } = await admin("key create", { owner: "demo" });
      expect((await get(`/api/items/all?api_key=${key}`)).status).toBe(200);
    },
  },
  {
    id: "marketplace/authentication/retrieve",
    statement: "An existing API key can be retrieved.",
    decision: "Marketplace",
    check: async () => {
      const { key } = await admin("key create", { owner: "demo" });
      expect(
        JSON.stringify(await store.list("marketplace.keys")),
      ).not.toContain(key);
    },
  },
  {
    id: "marketplace/authentication/settings",
    statement: "A login leads to a settings page with the key.",
    decision: "Marketplace",
    check: async () => expect((await get("/settings")).status).toBe(404),
  },
  {
    id: "marketplace/authentication/secret-headers",
    statement: "Responses to requests with a key are not cached.",
    check: async () => {
      const { headers } = await get(`/api/account/details?${KEY}`);
      expect(headers.get("cache-control")).toBe("no-store");
    },
  },
  {
    id: "marketplace/authentication/secret-body",
    statement: "No response contains the key.",
    check: async () => {
      for (const target of [
        `/api/account/details?${KEY}`,
        `/api/items/all?${KEY}`,
        `/api/items/item?${KEY}&item_id=none`,
      ])
        expect((await get(target)).text).not.toContain("test-key");
    },
  },
  {
    id: "marketplace/authentication/secret-documented",
    statement: "The description says that keys are secret.",
    check: () =>
      expect(
        spec.resources.account.methods.details.parameters.api_key.description,
      ).toMatch(/secret/),
  },
];

const errors: readonly Statement[] = [
  ...(
    [
      ["account", "GET", "/api/account/details?api_key=no", "Invalid request"],
      ["item", "GET", `/api/items/item?${KEY}&item_id=99`, "Item Not Found"],
      [
        "purchase",
        "POST",
        `${VALIDATION}?${KEY}&purchase_code=no`,
        "Invalid purchase code",
      ],
      ["items-key", "GET", "/api/items/all?api_key=no", "No items found"],
    ] as const
  ).map(([name, verb, target, msg]) => ({
    id: `marketplace/errors/${name}`,
    statement: `The message of the error ${name} is \`${msg}\`.`,
    check: async () => {
      const { json } = await request(origin + target, { method: verb });
      expect(json).toEqual({ status: "error", msg });
    },
  })),
  {
    id: "marketplace/errors/items",
    statement: "The message for an owner without items is `No items found`.",
    check: async () => {
      await admin("owner add", { username: "max", email: "max@example.com" });
      const { key } = await admin("key create", { owner: "max" });
      expect((await get(`/api/items/all?api_key=${key}`)).json).toEqual({
        status: "error",
        msg: "No items found",
      });
    },
  },
  {
    id: "marketplace/errors/client",
    statement: "The generated client reads the message of an error.",
    check: async () => {
      const call = client.items.item({ api_key: "test-key", item_id: 99 });
      const error = await Promise.resolve(call).catch((thrown) => thrown);
      expect(isApiError(error) && error.message).toContain("Item Not Found");
    },
  },
  ...(
    [
      ["account", "/api/account/details?api_key=no", 401],
      ["items", "/api/items/all?api_key=no", 404],
      ["item", `/api/items/item?${KEY}&item_id=99`, 404],
      ["parameter", `/api/items/item?${KEY}&item_id=one`, 400],
      ["path", "/api/none", 404],
    ] as const
  ).map(([name, target, status]) => ({
    id: `marketplace/errors/status-${name}`,
    statement: `The HTTP status of the error ${name} is ${status}.`,
    decision: "Marketplace",
    check: async () => expect((await get(target)).status).toBe(status),
  })),
];

const limits: readonly Statement[] = [
  {
    id: "marketplace/limits/described",
    statement: "The default limit of requests is that of the description.",
    decision: "Marketplace",
    check: async () => {
      const [, limit = ""] = /than (\d+) requests in one minute/.exec(
        spec["x-errors"]["429"].description,
      )!;
      const limited = await module.start({ ...context, config: {} });
      const other = await listen([
        Object.assign(limited, { name: "marketplace" }),
      ]);
      try {
        const url = `${other.origin}/api/account/details?${KEY}`;
        for (let count = 0; count < Number(limit); count++)
          expect((await request(url)).status).toBe(200);
        expect((await request(url)).status).toBe(429);
      } finally {
        await other.close();
      }
    },
  },
];

const versioning: readonly Statement[] = [
  {
    id: "marketplace/versioning/paths",
    statement: "The paths of the marketplace have no version.",
    check: () => {
      for (const { path: target } of ENDPOINTS)
        expect(target).not.toMatch(/\/v\d/);
    },
  },
];

acceptance({ seed: 2, section: "Marketplace response envelope" }, envelope);
acceptance({ seed: 2, section: "Account" }, accountStatements);
acceptance({ seed: 2, section: "Item" }, itemStatements);
acceptance({ seed: 2, section: "Purchase" }, purchaseStatements);
acceptance({ seed: 2, section: "Endpoints" }, endpoints);
acceptance({ seed: 2, section: "Authentication" }, authentication);
acceptance({ seed: 2, section: "Errors" }, errors);
acceptance({ seed: 2, section: "Limits" }, limits);
acceptance({ seed: 2, section: "Versioning" }, versioning);
