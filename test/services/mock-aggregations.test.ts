import { expect, onTestFinished, test } from "vitest";
import { mock, type Mock } from "../../src/index.js";
import { description } from "../support/generate.js";

const text = { type: "string" };
const inPath = { ...text, location: "path", required: true };
const named = (...names: string[]): object =>
  Object.fromEntries(names.map((name) => [name, inPath]));
const disk = { $ref: "Disk" };

const disks = (place: string, ...names: string[]): object => ({
  methods: {
    get: {
      id: `store.${place}.get`,
      httpMethod: "GET",
      path: `projects/{project}/${place}/disks/{disk}`,
      parameters: named("project", ...names, "disk"),
      response: disk,
    },
    insert: {
      id: `store.${place}.insert`,
      httpMethod: "POST",
      path: `projects/{project}/${place}/disks`,
      parameters: named("project", ...names),
      request: disk,
      response: disk,
    },
    delete: {
      id: `store.${place}.delete`,
      httpMethod: "DELETE",
      path: `projects/{project}/${place}/disks/{disk}`,
      parameters: named("project", ...names, "disk"),
    },
  },
});

/** API whose disks are in zones or global, with a list of all of them. */
const STORE: Readonly<Record<string, unknown>> = description({
  name: "store",
  servicePath: "store/v1/",
  schemas: {
    Disk: {
      id: "Disk",
      type: "object",
      properties: { name: text, sizeGb: { ...text, format: "int64" } },
    },
    Scope: {
      id: "Scope",
      type: "object",
      properties: {
        disks: { type: "array", items: disk },
        warning: { type: "object", properties: { code: text } },
      },
    },
    Scopes: {
      id: "Scopes",
      type: "object",
      properties: {
        items: { type: "object", additionalProperties: { $ref: "Scope" } },
        nextPageToken: text,
        selfLink: text,
        unreachables: { type: "array", items: text },
      },
    },
  },
  resources: {
    zoneDisks: disks("zones/{zone}", "zone"),
    globalDisks: disks("global"),
    all: {
      methods: {
        list: {
          id: "store.all.list",
          httpMethod: "GET",
          path: "projects/{project}/aggregated/disks",
          parameters: {
            ...named("project"),
            filter: { ...text, location: "query" },
            pageToken: { ...text, location: "query" },
          },
          response: { $ref: "Scopes" },
        },
      },
    },
  },
});

async function start(empty: boolean) {
  const fake: Mock = await mock(STORE, { empty });
  onTestFinished(() => fake.close());
  const root = "http://mock.test/store/v1/";
  const call = async (httpMethod: string, target: string, body?: object) => {
    const response = await fake.fetch(root + target, {
      method: httpMethod,
      ...(body === undefined
        ? {}
        : {
            body: JSON.stringify(body),
            headers: { "content-type": "application/json" },
          }),
    });
    return response.status === 204
      ? {}
      : ((await response.json()) as Record<string, unknown>);
  };
  return { call, root };
}

test("a list of all scopes contains what callers created", async () => {
  const { call, root } = await start(true);
  const all = "projects/p/aggregated/disks";
  expect(await call("GET", all)).toEqual({ items: {}, selfLink: root + all });
  await call("POST", "projects/p/zones/a/disks", { name: "one", sizeGb: "9" });
  await call("POST", "projects/p/zones/b/disks", { name: "two", sizeGb: "10" });
  await call("POST", "projects/p/global/disks", { name: "three" });
  await call("POST", "projects/other/zones/a/disks", { name: "four" });
  const one = expect.objectContaining({ name: "one" });
  const two = expect.objectContaining({ name: "two" });
  const three = expect.objectContaining({ name: "three" });
  expect((await call("GET", all))["items"]).toEqual({
    "zones/a": { disks: [one] },
    "zones/b": { disks: [two] },
    global: { disks: [three] },
  });
  const large = `${all}?filter=${encodeURIComponent("sizeGb > 9")}`;
  expect((await call("GET", large))["items"]).toEqual({
    "zones/b": { disks: [two] },
  });
  await call("DELETE", "projects/p/zones/a/disks/one");
  const { items } = await call("GET", all);
  expect(Object.keys(items as object).sort()).toEqual(["global", "zones/b"]);
});

test("it has invented scopes until something was created", async () => {
  const { call } = await start(false);
  const all = "projects/p/aggregated/disks";
  const { items } = await call("GET", all);
  expect(Object.keys(items as object)).toHaveLength(2);
  await call("POST", "projects/p/zones/a/disks", { name: "one" });
  expect((await call("GET", all))["items"]).toEqual({
    "zones/a": {
      disks: expect.arrayContaining([expect.objectContaining({ name: "one" })]),
    },
  });
});
