import { readFileSync } from "node:fs";
import path from "node:path";
import Ajv2020 from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { Sink } from "../../../src/diagnostics/sink.js";
import { loadTargets } from "../../../src/targets/target.js";
import {
  targetsIn,
  targetsOf,
  runtimesOf,
} from "../../../src/targets/index.js";
import { exportedPattern } from "../../../src/targets/json-schema/constraints.js";
import { exportApi, parsed, type Node } from "../../support/exports.js";
import { description } from "../../support/generate.js";
import { ROOT } from "../../support/paths.js";
import { shuffled } from "../../support/shuffled.js";

function caseDocument(name: string): string {
  const file = path.join(ROOT, "test/cases", name, "document.json");
  return readFileSync(file, "utf8");
}

const schema = (parts: object, others: object = {}): Node =>
  parsed(
    exportApi(
      description({ schemas: { A: { id: "A", ...parts }, ...others } }),
    ),
    "openapi.json",
  )["components"]!["schemas"]!["A"]!;

describe("split exports", () => {
  test.each(["variants", "uploads", "paging", "extensions"])(
    "%s: the parts of OpenAPI are those of one document",
    (name) => {
      const document = caseDocument(name);
      const whole = parsed(exportApi(document), "openapi.json");
      const split = exportApi(document, { openapiSplit: true });
      const main = parsed(split, "openapi.json");
      const joined = (members: Node): Node =>
        Object.fromEntries(
          Object.entries(members).map(([key, { $ref }]) => [
            key,
            localReferences(parsed(split, $ref as unknown as string), main),
          ]),
        );
      const { schemas, ...components } = main["components"]!;
      expect({
        ...main,
        paths: joined(main["paths"]!),
        components: {
          schemas: joined(schemas!),
          ...localReferences(components, main),
        },
      }).toEqual(whole);
    },
  );

  test("the files of JSON Schema refer to one another", () => {
    const { files } = exportApi(caseDocument("schema-shapes"), {
      jsonSchemaSplit: true,
    });
    const ajv = new Ajv2020.default({ strict: true, strictTypes: false });
    ajv.addFormat("date", true).addFormat("date-time", true);
    const schemas = [...files]
      .filter(([name]) => name.startsWith("schemas"))
      .map(([, text]) => JSON.parse(text) as { readonly $id: string });
    for (const each of schemas) ajv.addSchema(each);
    expect(schemas.length).toBeGreaterThan(5);
    for (const { $id } of schemas) expect(ajv.getSchema($id)).toBeDefined();
  });
});

/** Replaces references to files by those of one document. */
function localReferences(value: Node, main: Node): Node {
  const names = new Map(
    Object.entries(main["components"]!["schemas"]!).map(([name, { $ref }]) => [
      (($ref as unknown as string).split("/") as string[]).at(-1),
      name,
    ]),
  );
  const text = JSON.stringify(value).replace(
    /"((?:\.\.\/|openapi\/)*(?:schemas\/)?)([\w.-]+\.json)(#[^"]*)?"/g,
    (match, _: string, file: string, pointer?: string) => {
      if (pointer !== undefined) return JSON.stringify(pointer);
      const name = names.get(file);
      return name === undefined ? match : `"#/components/schemas/${name}"`;
    },
  );
  return JSON.parse(text) as Node;
}

test("exports do not depend on the order of keys", () => {
  for (const name of ["openapi-paths", "parameter-types", "paths"]) {
    const document = JSON.parse(caseDocument(name)) as object;
    const { files } = exportApi(document);
    expect(exportApi(shuffled(document, 7)).files).toEqual(files);
  }
});

describe("schemas", () => {
  test("a default that is not a value of the type is an extension", () => {
    const { properties } = schema({
      type: "object",
      properties: {
        count: { type: "integer", default: "many" },
        flag: { type: "boolean", default: "true" },
        mode: { type: "string", enum: ["a"], default: "b" },
      },
    });
    expect(properties!["count"]).toEqual({
      type: "integer",
      "x-discovery-default": "many",
    });
    expect(properties!["flag"]).toEqual({ type: "boolean", default: true });
    expect(properties!["mode"]!["x-discovery-default"]).toBe("b");
  });

  test("a property called __proto__ is an own property", () => {
    const text = '{"__proto__": {"type": "string"}, "b": {"$ref": "A"}}';
    const { properties } = schema({
      type: "object",
      properties: JSON.parse(text) as object,
    });
    expect(Object.keys(properties!)).toEqual(["__proto__", "b"]);
  });

  test("a required read-only property splits the schema of requests", () => {
    const document = description({
      schemas: {
        A: {
          id: "A",
          type: "object",
          "x-required": ["id"],
          properties: {
            id: { type: "string", readOnly: true },
            of: { $ref: "A" },
          },
        },
      },
      methods: {
        put: {
          id: "demo.put",
          path: "a",
          httpMethod: "PUT",
          request: { $ref: "A" },
          response: { $ref: "A" },
        },
      },
    });
    const openapi = parsed(exportApi(document), "openapi.json");
    const { A, AInput } = openapi["components"]!["schemas"]!;
    expect(A!["required"]).toEqual(["id"]);
    expect(AInput).toEqual({
      type: "object",
      properties: { of: { $ref: "#/components/schemas/AInput" } },
    });
    const { put } = openapi["paths"]!["/a"]!;
    expect(JSON.stringify(put!["requestBody"])).toContain("schemas/AInput");
    expect(JSON.stringify(put!["responses"])).not.toContain("AInput");
  });

  test.each([
    ["^a-b$", "^a-b$"],
    ["^[a-z\\-]+$", "^[a-z\\-]+$"],
    ["^a\\-b\\_c\\@d$", "^a-b_c@d$"],
    ["^[a-z0-9\\-\\_]{1,5}$", "^[a-z0-9\\-_]{1,5}$"],
    ["[a-z]", undefined],
    ["^(a+)+$", undefined],
    ["^(?i)a$", undefined],
  ])("the pattern %s is exported as %s", (source, expected) => {
    expect(exportedPattern(source)).toBe(expected);
  });
});

describe("targets whose files are data", () => {
  test("are recognised by their files and need no runtime", async () => {
    const files = { "openapi.yaml": "", "schemas.json": "" };
    expect(targetsIn(files)).toEqual(["openapi", "json-schema"]);
    const targets = targetsOf(["openapi", "json-schema"]);
    expect(runtimesOf(targets).size).toBe(0);
    await loadTargets(targets);
    const { api } = exportApi(caseDocument("cycles"));
    const options = { importSuffix: ".js", trustProse: false } as const;
    const input = { api, options, sink: new Sink() };
    const printed = targets.flatMap((target) =>
      "print" in target ? target.print(input) : [],
    );
    expect(printed.map((file) => file.path.split("/").at(-1))).toEqual([
      "openapi.json",
      "schemas.json",
    ]);
  });
});

test("names of SDKs are those of resources and methods, and unique in a group", () => {
  const method = (id: string, path: string, extra: object = {}): object => ({
    id,
    path,
    httpMethod: "POST",
    ...extra,
  });
  const upload = { mediaUpload: { protocols: { simple: { path: "/up" } } } };
  const text = description({
    methods: { top: method("a.top", "top") },
    resources: {
      files: {
        methods: {
          insert: method("a.insert", "files", {
            supportsMediaUpload: true,
            ...upload,
          }),
          insertUpload: method("a.insertUpload", "other"),
          "1st:odd": method("a.odd", "odd"),
        },
        resources: { "a.b": { methods: { get: method("a.get", "ab") } } },
      },
    },
  });
  const { paths } = parsed(exportApi(text), "openapi.json");
  const names = Object.values(paths!).map(({ post }) => [
    post!["x-speakeasy-group"],
    post!["x-fern-sdk-group-name"],
    post!["x-fern-sdk-method-name"],
  ]);
  expect(names.map((each) => JSON.stringify(each)).sort()).toEqual(
    [
      ["files", ["files"], "_1st_odd"],
      ["files", ["files"], "insert"],
      ["files", ["files"], "insertUpload"],
      ["files", ["files"], "insertUpload2"],
      ["files.a_b", ["files", "a_b"], "get"],
      [null, null, "top"],
    ].map((each) => JSON.stringify(each)),
  );
});

describe("names that occur twice in an operation", () => {
  const text = description({
    parameters: {
      alt: { type: "string", location: "query", enum: ["json"] },
      key: { type: "string", location: "query" },
      uploadType: { type: "string", location: "query" },
    },
    schemas: { Bucket: { id: "Bucket", type: "object" } },
    methods: {
      get: {
        id: "a.get",
        path: "b/{bucket}",
        httpMethod: "GET",
        supportsMediaDownload: true,
        parameters: { bucket: { type: "string", location: "path" } },
        parameterOrder: ["bucket"],
      },
      insert: {
        id: "a.insert",
        path: "b",
        httpMethod: "POST",
        supportsMediaUpload: true,
        mediaUpload: { protocols: { simple: { path: "/up/b" } } },
        request: { $ref: "Bucket" },
      },
      patch: {
        id: "a.patch",
        path: "b/{bucket}",
        httpMethod: "PATCH",
        parameters: { bucket: { type: "string", location: "path" } },
        parameterOrder: ["bucket"],
        request: { $ref: "Bucket" },
      },
    },
  });
  const { paths } = parsed(exportApi(text), "openapi.json") as unknown as {
    paths: Record<string, Record<string, { parameters?: unknown }>>;
  };
  const names = (list: unknown): string[] =>
    ((list ?? []) as { name?: string; $ref?: string }[])
      .map(({ name, $ref }) => name ?? $ref!.split("/").at(-1)!)
      .sort();

  test("a parameter of all methods that an operation declares is not one of its path", () => {
    const upload = paths["/up/b"]!;
    expect(names(upload["parameters"])).toEqual(["alt", "key"]);
    expect(names(upload["post"]!.parameters)).toEqual(["uploadType"]);
    const item = paths["/b/{bucket}"]!;
    expect(names(item["parameters"])).toEqual(["key", "uploadType"]);
    expect(names(item["get"]!.parameters)).toEqual(["alt", "bucket"]);
    expect(names(item["patch"]!.parameters)).toEqual(["alt", "bucket"]);
  });

  test("a body whose type has the name of a parameter has another name", () => {
    const bodyOf = (path: string, verb: string): unknown =>
      (paths[path]![verb] as { requestBody: Node }).requestBody[
        "x-codegen-request-body-name"
      ];
    expect(bodyOf("/b/{bucket}", "patch")).toBe("requestBody");
    expect(bodyOf("/b", "post")).toBeUndefined();
  });
});
