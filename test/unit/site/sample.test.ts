import { expect, it } from "vitest";
import type { RawSchema } from "../../../src/load/raw.js";
import { sampleJson } from "../../../src/site/sample.js";

const schemas: Record<string, RawSchema> = {
  Node: {
    id: "Node",
    type: "object",
    properties: {
      name: { type: "string" },
      id: { type: "string", format: "int64", readOnly: true },
      kind: { type: "string", enum: ["FILE", "FOLDER"] },
      children: { type: "array", items: { $ref: "Node" } },
      labels: { type: "object", additionalProperties: { type: "integer" } },
      old: { type: "string", deprecated: true },
    },
  },
  Empty: { id: "Empty", type: "object" },
};
const find = (id: string): RawSchema | undefined =>
  Object.hasOwn(schemas, id) ? schemas[id] : undefined;
const sample = (schema: RawSchema, isRequest: boolean): unknown => {
  const text = sampleJson(schema, { find, isRequest });
  return text === undefined ? undefined : JSON.parse(text);
};

it("shows one value of each property; a recursive reference is empty", () => {
  expect(sample({ $ref: "Node" }, false)).toEqual({
    name: "string",
    id: "9007199254740993",
    kind: "FILE",
    children: [{}],
    labels: { key: 1 },
  });
});

it("omits read-only properties in requests", () => {
  expect(sample({ $ref: "Node" }, true)).not.toHaveProperty("id");
});

it("returns nothing for objects without properties and missing schemas", () => {
  expect(sample({ $ref: "Empty" }, false)).toBeUndefined();
  expect(sample({ $ref: "constructor" }, false)).toBeUndefined();
});

it("keeps members such as __proto__, and is bounded", () => {
  const wide: RawSchema = {
    type: "object",
    properties: Object.fromEntries([
      ["__proto__", { type: "string" }],
      ...Array.from({ length: 5_000 }, (_, at) => [`p${at}`, {}]),
    ]) as Record<string, RawSchema>,
  };
  const text = sampleJson(wide, { find, isRequest: false })!;
  expect(text).toContain('"__proto__": "string"');
  expect(text.length).toBeLessThan(5_000);
});

it("has the members that the method requires, and those described so", () => {
  const schema: RawSchema = {
    type: "object",
    properties: {
      note: { type: "string" },
      role: { type: "string", annotations: { required: ["x.create"] } },
      name: { type: "string", description: "Required. A name." },
      id: {
        type: "string",
        description: "Output only. An id.",
        annotations: { required: ["x.get"] },
      },
    },
  };
  const small = (methodId: string): unknown =>
    JSON.parse(
      sampleJson(schema, { find, isRequest: true, isSmall: true, methodId })!,
    );
  expect(small("x.create")).toEqual({ role: "string", name: "string" });
  expect(small("x.update")).toEqual({ name: "string" });
});
