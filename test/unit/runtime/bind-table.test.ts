import { describe, expect, it } from "vitest";
import {
  bindTable,
  singularOf,
} from "../../../src/runtime/client/bind-table.js";
import { jsonBody } from "../../../src/runtime/client/index.js";
import { client, recorder } from "./helpers.js";

const table = `
about GET about
projects
get GET v1/*/{project} 1
locations projects.
list GET v1/projects/{project}/*
create POST 9 0
cancel POST 9/{*}:.
get GET 3/x-*/{*Id}
cancel projects.locations.
name GET 1 2
__proto__
constructor GET *
`;
const parts = [
  { body: jsonBody },
  { names: { format: "$format" } },
  { id: "other.id", path: "a/*" },
];

describe("bindTable", () => {
  const { sent, fetch } = recorder();
  const bound = bindTable(client(fetch), "demo.", table, parts);

  it("returns resources and methods as own properties", () => {
    expect(Object.keys(bound)).toEqual(["about", "projects", "__proto__"]);
    expect(Object.keys(bound.projects)).toEqual(["get", "locations"]);
    const { locations } = bound.projects;
    expect(Object.keys(locations)).toEqual(["list", "create", "cancel", "get"]);
    expect(Object.keys(locations.cancel)).toEqual(["name"]);
    const odd = Object.getOwnPropertyDescriptor(bound, "__proto__")!.value;
    expect(Object.keys(odd)).toEqual(["constructor"]);
    expect(Object.getPrototypeOf(bound)).toBe(Object.prototype);
  });

  it("expands descriptors", () => {
    const { about, projects } = bound;
    const { list, create, cancel, get } = projects.locations;
    const methods = [
      about,
      projects.get,
      list,
      create,
      cancel,
      get,
      cancel.name,
    ];
    const paths = methods.map(({ descriptor: { id, verb, path } }) =>
      [id, verb, path].join(" "),
    );
    expect(paths).toEqual([
      "demo.about GET about",
      "demo.projects.get GET v1/projects/{project}",
      "demo.projects.locations.list GET v1/projects/{project}/locations",
      "demo.projects.locations.create POST v1/projects/{project}/locations",
      "demo.projects.locations.cancel POST v1/projects/{project}/locations/{location}:cancel",
      "demo.projects.locations.get GET v1/projects/{project}/x-*/{locationId}",
      "other.id GET a/*",
    ]);
    expect(create.descriptor.body).toBe(jsonBody);
    expect(list.descriptor.body).toBeUndefined();
  });

  it("sends calls", async () => {
    const parameters = { project: "p", format: "x" };
    await bound.projects.get(parameters, { headers: { "x-a": "1" } });
    await bound.projects.locations.create({ project: "p", requestBody: {} });
    expect(sent.map(({ target }) => target)).toEqual([
      "/drive/v3/v1/projects/p?%24format=x",
      "/drive/v3/v1/projects/p/locations",
    ]);
    expect(sent[0]!.headers).toEqual({ "x-a": "1" });
    expect(sent[1]!.init).toMatchObject({ method: "POST", body: "{}" });
  });
});

it.each([
  ["files", "file"],
  ["policies", "policy"],
  ["addresses", "address"],
  ["boxes", "box"],
  ["chat", "chat"],
])("the singular of %s is %s", (resource, singular) => {
  expect(singularOf(resource)).toBe(singular);
});
