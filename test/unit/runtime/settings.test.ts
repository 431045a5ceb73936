import { createClient } from "../../../src/runtime/client/client.js";
import { expect, it } from "vitest";
import { resolveRootUrl } from "../../../src/runtime/client/client.js";
import { memoryTransport } from "../../../src/runtime/client/memory.js";
import { smallestScopes } from "../../../src/runtime/client/scopes.js";
import type { LocatedOptions } from "../../../src/runtime/client/options.js";
import { client, json, make, recorder } from "./helpers.js";

it.each<[readonly (readonly string[])[], readonly string[]]>([
  [[["drive", "drive.file", "drive.readonly"]], ["drive.readonly"]],
  [
    [
      ["drive", "drive.readonly"],
      ["drive", "drive.file"],
    ],
    ["drive"],
  ],
  [
    [
      ["a", "b"],
      ["b", "c"],
      ["c", "a"],
    ],
    ["a", "b"],
  ],
  [
    [["b.readonly", "c"], ["a"], ["c"]],
    ["a", "c"],
  ],
  [[["x"], ["x"]], ["x"]],
  [[["drive.x.readonly", "drive.readonly"]], ["drive.readonly"]],
  [[], []],
])("smallestScopes, case %#", (scopes, expected) => {
  const sets = scopes.map((list, at) => ({
    scopes: list,
    methods: [`m${at}`, "other"],
  }));
  const methods = scopes.map((_, at) => make({ id: `m${at}` }));
  const unscoped = make({ id: "without" });
  expect(smallestScopes(sets, [...methods, unscoped])).toEqual(expected);
});

const service = {
  name: "x",
  version: "v1",
  servicePath: "",
  rootUrl: "https://x.googleapis.com/",
  mtlsRootUrl: "https://x.mtls.googleapis.com/",
  endpoints: { eu: "https://x.eu.rep.googleapis.com/" },
};

it.each<[LocatedOptions, string]>([
  [{}, "https://x.googleapis.com/"],
  [{ mtls: true }, "https://x.mtls.googleapis.com/"],
  [{ location: "eu" }, "https://x.eu.rep.googleapis.com/"],
  [{ universeDomain: "u.example" }, "https://x.u.example/"],
  [{ location: "eu", universeDomain: "u.cn" }, "https://x.eu.rep.u.cn/"],
])("locate %j", (options, root) => {
  expect(resolveRootUrl(service, options)).toBe(root);
});

it.each([
  { location: "mars" },
  { location: "toString" },
  { universeDomain: "a/b" },
])("a client refuses %j", (options) => {
  expect(() => createClient(service, options)).toThrow(TypeError);
});

it("rootUrl overrides the location settings of a client", async () => {
  const { sent, fetch } = recorder();
  await make()(createClient(service, { fetch, location: "eu" }));
  const rootUrl = "https://own.example/";
  await make()(createClient(service, { fetch, mtls: true, rootUrl }));
  expect(sent.map(({ url }) => new URL(url).host)).toEqual([
    "x.eu.rep.googleapis.com",
    "own.example",
  ]);
});

it("memoryTransport calls the server", async () => {
  const transport = memoryTransport({
    fetch: async (request) => json({ url: request.url, at: request.method }),
  });
  const api = client(() => Promise.reject(new Error("no")), { transport });
  expect(await make()(api)).toEqual({
    url: "https://api.example.com/drive/v3/files",
    at: "GET",
  });
});
