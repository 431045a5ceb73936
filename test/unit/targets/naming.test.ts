import { describe, expect, test } from "vitest";
import { Sink } from "../../../src/diagnostics/sink.js";
import { methodsOf } from "../../../src/model/queries.js";
import { apiFolder } from "../../../src/targets/shared/api-folder.js";
import { nameApi, type ApiNames } from "../../../src/targets/shared/naming.js";
import { messagesOf, modelOf } from "./support.js";

type Json = Readonly<Record<string, unknown>>;

function namesOf(parts: Json): ApiNames {
  return nameApi(modelOf(parts), new Sink());
}

const GET = { id: "demo.x.get", path: "x", httpMethod: "GET" };

test.each([
  ["drive", "v3", "drive/v3"],
  ["runtime", "v1", "runtime_/v1"],
  ["..", "v1", "_/v1"],
  ["a/b", "1:2", "a_b/1_2"],
  ["con", "nul.x", "_con/_nul.x"],
])("the folder of %j %j is %j", (name, version, folder) => {
  expect(apiFolder({ name, version })).toBe(folder);
});

describe("titles", () => {
  test.each([
    [{ name: "drive" }, "Drive"],
    [{ name: "x", canonicalName: "Android Publisher" }, "AndroidPublisher"],
    [{ name: "client" }, "ClientApi"],
  ])("%j has the title %j", (parts, title) => {
    expect(namesOf(parts).title).toBe(title);
  });
});

describe("types", () => {
  const schema = { type: "object" };

  test.each([
    ["valid ids stay", { File: schema }, ["File"]],
    ["other ids become Pascal case", { "a-b": schema }, ["AB"]],
    ["valid ids choose first", { "a-b": schema, AB: schema }, ["AB", "AB2"]],
    ["globals in use are reserved", { Omit: schema }, ["Omit2"]],
    ["keywords get an underscore", { string: schema }, ["string_"]],
  ])("%s", (_, schemas, types) => {
    expect([...namesOf({ schemas }).types.values()].sort()).toEqual(types);
  });

  test("inline objects are named after owner and field", () => {
    const inline = { type: "object", properties: { a: { type: "string" } } };
    const File = { type: "object", properties: { "my-owner": inline } };
    const { types } = namesOf({ schemas: { File } });
    expect(Object.fromEntries(types)).toEqual({
      File: "File",
      "File.my-owner": "FileMyOwner",
    });
  });

  test("requests have a type if a field is read-only", () => {
    const id = { type: "string", readOnly: true };
    const { inputs } = namesOf({
      schemas: { File: { type: "object", properties: { id } } },
      methods: { put: { ...GET, request: { $ref: "File" } } },
    });
    expect([...inputs]).toEqual([["File", "FileInput"]]);
  });
});

describe("resources", () => {
  test("have a file, a variable and a type, if they have methods", () => {
    const resources = {
      a: { resources: { b: { methods: { get: GET } } } },
      delete: { methods: { get: { ...GET, id: "demo.delete.get" } } },
    };
    const names = [...namesOf({ resources }).resources.values()];
    expect(names).toEqual([
      { file: "resources/a.b", variable: "aB", type: "ABResource" },
      { file: "resources/delete", variable: "delete_", type: "DeleteResource" },
    ]);
  });

  test("whose names differ by case only have different files", () => {
    const resources = {
      Things: { methods: { get: GET } },
      things: { methods: { get: { ...GET, id: "demo.y.get" } } },
    };
    const files = [...namesOf({ resources }).resources.values()].map(
      ({ file }) => file.toLowerCase(),
    );
    expect(new Set(files).size).toBe(2);
  });
});

test.each([
  ["get", "get"],
  ["delete", "delete_"],
  ["get-all", "getAll"],
  ["then", "then_"],
])("the method %j is the constant %j", (name, constant) => {
  const { methods } = namesOf({ methods: { [name]: GET } });
  expect([...methods.values()]).toEqual([constant]);
});

test.each([
  ["https://www.googleapis.com/auth/drive.readonly", "driveReadonly"],
  ["https://mail.example.com/", "mailExampleCom"],
  ["https://example.com/a/b", "aB"],
  ["repo:status", "repoStatus"],
  ["scopesFor", "scopesFor2"],
])("the scope %j is the constant %j", (scope, constant) => {
  const { scopes } = namesOf({ methods: { get: { ...GET, scopes: [scope] } } });
  expect([...scopes]).toEqual([[scope, constant]]);
});

test("declared scopes precede those of methods, each once", () => {
  const { scopes } = namesOf({
    auth: { oauth2: { scopes: { z: { description: "Z." } } } },
    methods: { get: { ...GET, scopes: ["a", "z"] } },
  });
  expect([...scopes.keys()]).toEqual(["z", "a"]);
});

test.each([
  [{}, true],
  [{ batch: GET }, false],
  [{ batchSettled: GET }, false],
])("with the methods %j, batch() of the runtime exists: %j", (methods, has) => {
  const parts = {
    batchPath: "batch",
    methods: { get: { ...GET, id: "demo.get" }, ...methods },
  };
  expect(namesOf(parts).batches).toBe(has);
});

test("validators have the names of types and methods, each once", () => {
  const api = modelOf({
    schemas: { File: { type: "object" }, PutRequest: { type: "object" } },
    methods: { put: { ...GET, request: { $ref: "File" } } },
  });
  const { validators } = nameApi(api, new Sink());
  expect([...validators.schemas.values()]).toEqual([
    "validateFile",
    "validatePutRequest",
  ]);
  const [put] = methodsOf(api.root);
  expect(validators.requests.get(put!)).toBe("validatePutRequest2");
});

test("each changed name is reported once", () => {
  const api = modelOf({
    name: "a/b",
    schemas: { "x-y": { type: "object" } },
    parameters: { media: { type: "string", location: "query" } },
    resources: { "r/s": { methods: { "get-it": GET } } },
  });
  expect(messagesOf((sink) => nameApi(api, sink))).toEqual([
    'schema "x-y" has the type name XY',
    'resource "r/s" is generated into the file r_s',
    "the API is generated into the folder a_b/v1",
    'method "get-it" is exported as getIt',
    "parameter media has the property name media_",
  ]);
});
