import { describe, expect, test } from "vitest";
import type { Parameter } from "../../../src/model/ir.js";
import { EMPTY } from "../../../src/render/typescript/code.js";
import { flat } from "../../../src/render/typescript/types.js";
import { renamedProperties } from "../../../src/targets/shared/parameter-names.js";
import {
  bodyProperty,
  mediaProperty,
} from "../../../src/targets/client/content-properties.js";
import {
  commonBase,
  keysType,
  parameterProperties,
  replacedParameters,
} from "../../../src/targets/shared/parameters.js";
import { fileIn, methodWith } from "./support.js";

type Json = Readonly<Record<string, unknown>>;

/** Prints the property of a parameter of calls or handlers. */
function property(name: string, raw: Json, isCall: boolean): string {
  const parameters = { [name]: { location: "query", ...raw } };
  const { method, context } = methodWith({ parameters });
  const file = fileIn(context);
  const [view] = parameterProperties({
    name: "GetParameters",
    doc: EMPTY,
    parameters: method.parameters,
    renamed: renamedProperties(method.parameters),
    scope: file.scope,
    prefix: "Get",
    names: file.mentionedTypes(),
    trustProse: false,
    isCall,
  });
  return view!.view.declaration.text.slice(0, -1);
}

test.each([
  ["optional", { type: "string" }, "q?: string"],
  ["required", { type: "string", required: true }, "q: string"],
  ["repeated", { type: "string", repeated: true }, "q?: readonly string[]"],
  ["a number", { type: "number", format: "double" }, "q?: number"],
  ["64 bits", { type: "string", format: "int64" }, "q?: string"],
  ["an enum", { type: "string", enum: ["a"] }, "q?: GetQ"],
])("handlers receive a parameter: %s", (_, raw, expected) => {
  expect(property("q", raw, false)).toBe(expected);
});

test("calls accept undefined for optional parameters", () => {
  expect(property("q", { type: "string" }, true)).toBe(
    "q?: string | undefined",
  );
});

test.each([
  [["media"], [["media", "media_"]]],
  [["media", "media_"], [["media", "media_2"]]],
  [["requestBody", "q"], [["requestBody", "requestBody_"]]],
  [["q"], []],
])("of the parameters %j, %j are renamed", (names, expected) => {
  const parameters = names.map((name) => ({ name }) as Parameter);
  expect([...renamedProperties(parameters)]).toEqual(expected);
});

const THING = {
  type: "object",
  properties: {
    kind: { type: "string", annotations: { required: ["demo.get"] } },
    data: {
      type: "string",
      format: "byte",
      annotations: { required: ["demo.get"] },
    },
    free: { type: "string" },
  },
};

const UPLOAD = {
  supportsMediaUpload: true,
  mediaUpload: { protocols: { simple: { path: "/upload/x" } } },
};

describe("the request body", () => {
  test.each<[string, Json, string | undefined, readonly string[]]>([
    ["absent", {}, undefined, []],
    [
      "with required members",
      { request: { $ref: "Thing" } },
      'requestBody: WithRequired<Input<Thing>, "data" | "kind">',
      [],
    ],
    [
      "of an upload, whose media replaces required content",
      { request: { $ref: "Thing" }, ...UPLOAD },
      'requestBody: WithRequired<Input<Thing>, "kind">',
      ["data"],
    ],
    [
      "of a PATCH",
      { request: { $ref: "Other" }, httpMethod: "PATCH" },
      "requestBody?: Patch<Other> | undefined",
      [],
    ],
    [
      "with content of any type",
      { request: { $ref: "HttpBody" } },
      "requestBody?: RawBody | undefined",
      [],
    ],
  ])("%s", (_, raw, expected, orMedia) => {
    const schemas = {
      Thing: THING,
      Other: { type: "object", properties: { a: { type: "string" } } },
      HttpBody: {
        type: "object",
        properties: {
          contentType: { type: "string" },
          data: { type: "string", format: "byte" },
        },
      },
    };
    const { method, context } = methodWith(raw, { schemas });
    const file = fileIn(context);
    const body = bodyProperty(method, file.mentionedTypes(), (name) => name);
    expect(body?.view.declaration.text).toBe(expected && `${expected};`);
    expect(body?.orMedia ?? []).toEqual(orMedia);
  });
});

test.each([
  ["none", {}, undefined],
  ["with a URL", UPLOAD, "media?: MediaParameter | undefined"],
  ["without a URL", { supportsMediaUpload: true }, undefined],
])("uploads: %s", (_, raw, expected) => {
  const { method } = methodWith(raw);
  const media = mediaProperty(method, (name) => name);
  expect(media?.view.declaration.text).toBe(expected && `${expected};`);
});

test("parameters of a method replace common ones of the same name", () => {
  const parameter = { type: "string", location: "query" };
  const { method, context } = methodWith(
    { parameters: { alt: parameter, q: parameter } },
    { parameters: { alt: parameter, key: parameter } },
  );
  const replaced = replacedParameters(method, context.api.parameters);
  expect(replaced.map(({ name }) => name)).toEqual(["alt"]);
});

test("the base interface omits replaced parameters", () => {
  expect(flat(commonBase("Common", "Omit", []))).toBe("Common");
  expect(flat(commonBase("Common", "Omit", ["alt"]))).toBe(
    'Omit<Common, "alt">',
  );
  expect(flat(keysType(["a", "b"]))).toBe('"a" | "b"');
});
