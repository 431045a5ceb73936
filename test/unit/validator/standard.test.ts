import { transformSync } from "esbuild";
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { beforeAll, describe, expect, test } from "vitest";
import type {
  StandardJsonSchema,
  StandardSchema,
} from "../../../src/runtime/validator/index.js";
import { description, generateValidators } from "../../support/generate.js";
import { BOTH_FILES, bundleText } from "../../support/validators.js";

const schemas = {
  Node: {
    id: "Node",
    type: "object",
    description: "of-node",
    properties: {
      id: {
        type: "string",
        annotations: { required: ["demo.nodes.patch"] },
      },
      children: { type: "array", items: { $ref: "Node" } },
      leaf: { $ref: "Leaf", description: "The leaf." },
      labels: { type: "object", additionalProperties: { type: "integer" } },
      "a/b~c": { type: "boolean" },
    },
  },
  Leaf: {
    id: "Leaf",
    type: "object",
    properties: { color: { type: "string", enum: ["of-leaf", "red"] } },
  },
  Other: {
    id: "Other",
    type: "object",
    properties: { text: { type: "string", enum: ["of-other"] } },
  },
  Shape: {
    id: "Shape",
    type: "object",
    variant: {
      discriminant: "kind",
      map: [
        { type_value: "round", $ref: "Round" },
        { type_value: "flat", $ref: "Flat" },
      ],
    },
  },
  Round: {
    id: "Round",
    type: "object",
    properties: { kind: { type: "string" }, radius: { type: "integer" } },
  },
  Flat: {
    id: "Flat",
    type: "object",
    properties: { kind: { type: "string" }, side: { type: "string" } },
  },
};

const method = (verb: string, schema: string) => ({
  id: `demo.nodes.${verb.toLowerCase()}${schema}`,
  path: `nodes/${schema}`,
  httpMethod: verb,
  request: { $ref: schema },
});

const resources = {
  nodes: {
    methods: {
      patch: { ...method("PATCH", "Node"), id: "demo.nodes.patch" },
      patchShape: method("PATCH", "Shape"),
      insert: method("POST", "Node"),
    },
  },
};

const [text = "", json = ""] = generateValidators(
  description({ schemas, resources }),
).files.values();

const bundleOf = (name: string): Promise<string> =>
  bundleText(
    text,
    `import { ${name} } from "./${name.endsWith("JsonSchema") ? "json-schemas.js" : "validators.ts"}"; use(${name});`,
    json,
  );

let values: Readonly<Record<string, StandardSchema>>;

beforeAll(async () => {
  const code = await bundleText(text, BOTH_FILES, json);
  values = (await import(
    `data:text/javascript,${encodeURIComponent(code)}`
  )) as typeof values;
});

const of = (name: string): StandardSchema["~standard"] =>
  values[name]!["~standard"];

const jsonOf = (name: string): StandardJsonSchema["~standard"] =>
  of(name.replace(/Schema$/, "JsonSchema")) as StandardJsonSchema["~standard"];

describe("validation", () => {
  test("returns the value itself", () => {
    const value = { children: [{ leaf: { color: "red" } }] };
    const result = of("nodeSchema").validate(value);
    expect(result).toEqual({ value });
    expect("value" in result && result.value).toBe(value);
  });

  test("returns paths with numbers for indices of arrays only", () => {
    const value = {
      children: [{}, { labels: { 0: "x" }, "a/b~c": 1 }],
    };
    const { issues } = of("nodeSchema").validate(value);
    expect(issues?.map(({ path }) => path)).toEqual([
      ["children", 1, "labels", "0"],
      ["children", 1, "a/b~c"],
    ]);
    expect(issues?.[0]?.message).toBe("must be an integer");
  });

  test("an error of the root has an empty path", () => {
    const { issues } = of("nodeSchema").validate(null);
    expect(issues).toEqual([{ message: "must be an object", path: [] }]);
  });

  test("never throws", () => {
    const { proxy, revoke } = Proxy.revocable([], {});
    revoke();
    expect(of("nodeSchema").validate({ children: proxy }).issues).toHaveLength(
      1,
    );
  });

  test("a PATCH body can clear properties", () => {
    const { validate } = of("nodesPatchRequestSchema");
    expect(validate({ id: "a", leaf: null }).issues).toBeUndefined();
    expect(validate({ leaf: null }).issues).toHaveLength(1);
    expect(
      of("nodesInsertRequestSchema").validate({ leaf: null }).issues,
    ).toHaveLength(1);
  });
});

describe("JSON Schema", () => {
  test("contains the schema and those that it refers to", () => {
    const { jsonSchema } = jsonOf("nodeSchema");
    const target = "draft-2020-12";
    const { $schema, type, $defs } = jsonSchema.output({ target });
    expect($schema).toBe("https://json-schema.org/draft/2020-12/schema");
    expect(type).toBe("object");
    expect(Object.keys($defs as object)).toEqual(["Node", "Leaf"]);
    expect(jsonSchema.input({ target })).toEqual(jsonSchema.output({ target }));
    expect(
      jsonOf("leafSchema").jsonSchema.input({ target }),
    ).not.toHaveProperty("$defs");
  });

  test("draft 7 has no keywords beside references", () => {
    const schema = jsonOf("nodeSchema").jsonSchema.output({
      target: "draft-07",
    });
    expect(schema["$schema"]).toBe("http://json-schema.org/draft-07/schema#");
    expect(schema["properties"]).toHaveProperty("leaf", {
      description: "The leaf.",
      allOf: [{ $ref: "#/definitions/Leaf" }],
    });
  });

  test("the caller owns the result", () => {
    const options = { target: "draft-2020-12" };
    const { output } = jsonOf("nodeSchema").jsonSchema;
    delete output(options)["properties"];
    expect(output(options)).toHaveProperty("properties");
  });

  test.each(["openapi-3.0", "draft-04", "", "__proto__"])(
    "the target %j is not supported",
    (target) => {
      const { input } = jsonOf("nodeSchema").jsonSchema;
      expect(() => input({ target })).toThrow("is not supported");
    },
  );
});

/** Values, and whether the schema accepts them. */
const SAMPLES: readonly [name: string, isValid: boolean, value: unknown][] = [
  ["nodeSchema", true, { children: [{ leaf: { color: "red" } }] }],
  ["nodeSchema", false, { children: [{ leaf: { color: "blue" } }] }],
  ["nodeSchema", false, { leaf: null }],
  ["shapeSchema", true, { kind: "round", radius: 1 }],
  ["shapeSchema", false, { kind: "round", radius: "1" }],
  ["nodesPatchRequestSchema", true, { id: "a", leaf: { color: null } }],
  ["nodesPatchRequestSchema", true, { id: "a", labels: { a: null } }],
  ["nodesPatchRequestSchema", false, { id: "a", children: [null] }],
  ["nodesPatchRequestSchema", false, { id: "a", labels: { a: "b" } }],
  ["nodesPatchRequestSchema", false, null],
  ["nodesPatchShapeRequestSchema", true, { kind: "round", radius: null }],
  ["nodesPatchShapeRequestSchema", true, { radius: 1 }],
  ["nodesPatchShapeRequestSchema", true, { kind: null }],
  ["nodesPatchShapeRequestSchema", false, { kind: "round", radius: "1" }],
];

describe.each([
  ["draft-2020-12", Ajv2020],
  ["draft-07", Ajv],
] as const)("ajv agrees with validators in %s", (target, Checker) => {
  test.each(SAMPLES)("%s %s %j", (name, isValid, value) => {
    const { validate, jsonSchema } = jsonOf(name);
    const options = { strict: true, strictTypes: false, strictRequired: false };
    const check = new Checker(options).compile(jsonSchema.input({ target }));
    expect(validate(value).issues === undefined).toBe(isValid);
    expect(check(value)).toBe(isValid);
  });
});

describe("bundles", () => {
  test("of one schema contain its references and nothing else", async () => {
    const code = await bundleOf("nodeJsonSchema");
    expect(code).toContain("of-leaf");
    expect(code).not.toContain("of-other");
    expect(code).not.toContain("patchSchema");
  });

  test("of validators contain no JSON Schema", async () => {
    const code = await bundleText(text, undefined, json);
    for (const word of ["of-node", "$defs", "JsonSchema"])
      expect(code).not.toContain(word);
  });

  test("of one function contain nothing of its standard form", async () => {
    const code = await bundleOf("validateNode");
    for (const word of ["~standard", "of-node", "$defs", "JsonSchema"])
      expect(code).not.toContain(word);
    const [functions = ""] = generateValidators(
      description({ schemas, resources }),
      { functionsOnly: true },
    ).files.values();
    const entry =
      'import { validateNode } from "./validators.ts"; use(validateNode);';
    expect(code).toBe(await bundleText(functions, entry));
  });

  test("of an unused import are empty", async () => {
    const code = await bundleText(text, 'import "./validators.ts";', json);
    expect(transformSync(code, { minify: true }).code.trim()).toBe("");
  });
});
