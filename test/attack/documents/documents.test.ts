import { expect, test } from "vitest";
import { buildMock } from "../../../src/mock/index.js";
import { canonicalDocument } from "../../../src/load/canonical.js";
import {
  diagnose,
  description,
  generateClient,
} from "../../support/generate.js";
import { serialise } from "../../support/every-target.js";
import { forEachSeed, type Choices } from "../support/seeds.js";

/** Limit of large inputs, in milliseconds: CI machines are shared. */
const PATIENCE = 30_000;

const text = { type: "string" };

function members<T>(
  count: number,
  entry: (index: number) => readonly [string, T],
): Record<string, T> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => entry(at)),
  );
}

/** Different names that become the same identifier. */
function colliding(at: number): string {
  return `a${"-".repeat(1 + (at % 70))}${".".repeat(Math.floor(at / 70))}`;
}

/** Documents that took minutes, or ended the process. */
const LARGE: readonly (readonly [string, () => object])[] = [
  [
    "a chain of aliases",
    () => ({
      schemas: members(20_000, (at) => [
        `A${at}`,
        at === 19_999 ? text : { $ref: `A${at + 1}` },
      ]),
    }),
  ],
  [
    "a circle of aliases",
    () => ({
      schemas: members(20_000, (at) => [
        `A${at}`,
        { $ref: `A${(at + 1) % 20_000}` },
      ]),
    }),
  ],
  [
    "paths of slashes",
    () => ({
      methods: members(200, (at) => [
        `get${at}`,
        { path: `${at}${"/".repeat(999)}`, httpMethod: "GET" },
      ]),
    }),
  ],
  [
    "a path of colons",
    () => ({
      methods: { get: { path: "a:".repeat(50_000), httpMethod: "GET" } },
    }),
  ],
  [
    "a path of braces",
    () => ({
      methods: { get: { path: "{".repeat(100_000), httpMethod: "GET" } },
    }),
  ],
  [
    "schemas whose names collide",
    () => ({
      schemas: members(5_000, (at) => [
        colliding(at),
        { type: "object", properties: { a: text } },
      ]),
    }),
  ],
  [
    "inline schemas whose ids collide",
    () => ({
      schemas: members(2_000, (at) => [
        `a${".b".repeat(at % 40)}${".c".repeat(Math.floor(at / 40))}`,
        {
          type: "object",
          properties: { b: { type: "object", properties: { c: text } } },
        },
      ]),
    }),
  ],
];

test.each(LARGE)("%s", (_, make) =>
  forEachSeed(
    () => {
      const document = description(make() as Record<string, unknown>);
      serialise(document);
      buildMock(generateClient(document).api, { seed: "1", strict: false });
    },
    1,
    PATIENCE,
  ),
);

const NAMES = [
  "__proto__",
  "constructor",
  "toString",
  "then",
  "default",
  "class",
  "",
  " ",
  "../x",
  "a/b",
  "*/",
  "`${x}`",
  "\u2028",
  "\u202e",
  "A",
  "a",
  "a-b",
  "a.b",
  "123",
  "é",
  "\ud800",
  "x".repeat(300),
] as const;

const VALUES = [
  "",
  "*/ process.exit() /*",
  "${1}",
  "](/x)",
  "\u2028\u0000",
  "9".repeat(400),
  "1e999",
  "-0",
  "NaN",
  "^(a+)+$",
  "(?:a|a)".repeat(28),
  "[",
  "/{",
  "{+a}/{b}:c",
  "5.5GB",
  "{__proto__}",
] as const;

function schemaOf(choices: Choices, depth: number): object {
  const name = () => choices.pick(NAMES);
  const inner = () => schemaOf(choices, depth - 1);
  const schema: Record<string, unknown> = {};
  const put = (key: string, value: () => unknown, probability = 0.2): void => {
    if (choices.chance(probability)) schema[key] = value();
  };
  put(
    "type",
    () =>
      choices.pick([
        "string",
        "object",
        "array",
        "integer",
        "any",
        "null",
        "?",
        "boolean",
        "number",
      ]),
    0.8,
  );
  put("$ref", name);
  put("id", name);
  put("format", () => choices.pick(["int32", "int64", "byte", "date", "x"]));
  for (const key of ["description", "pattern", "minimum", "maximum", "default"])
    put(key, () => choices.pick(VALUES));
  put("enum", () => [choices.pick(VALUES), choices.pick(NAMES)]);
  put("required", () => choices.chance(0.5));
  put("annotations", () => ({ required: [name()] }), 0.1);
  if (depth === 0) return schema;
  put(
    "properties",
    () => members(choices.int(4), () => [name(), inner()]),
    0.5,
  );
  put("items", inner, 0.4);
  put("additionalProperties", inner, 0.3);
  put(
    "variant",
    () => ({
      discriminant: name(),
      map: [{ type_value: name(), $ref: name() }],
    }),
    0.1,
  );
  return schema;
}

function methodOf(choices: Choices): object {
  return {
    id: choices.pick(NAMES),
    path: choices.pick([...VALUES, "a/{b}", "{+__proto__}", "{constructor}/x"]),
    httpMethod: choices.pick(["GET", "POST", "PATCH", "x y", "BREW"]),
    parameters: members(choices.int(4), () => [
      choices.pick(NAMES),
      {
        ...schemaOf(choices, 1),
        location: choices.pick(["path", "query", "x"]),
        repeated: choices.chance(0.3),
      },
    ]),
    parameterOrder: [choices.pick(NAMES)],
    request: schemaOf(choices, 1),
    response: { $ref: choices.pick(NAMES) },
    scopes: [choices.pick(VALUES)],
    mediaUpload: {
      accept: [choices.pick(VALUES)],
      maxSize: choices.pick(VALUES),
      protocols: { simple: { path: choices.pick(VALUES) } },
    },
  };
}

function documentOf(choices: Choices): Record<string, unknown> {
  return description({
    name: choices.pick(["demo", "../x", "__proto__", "a b", "con"]),
    description: choices.pick(VALUES),
    labels: [choices.pick(VALUES)],
    schemas: members(choices.int(6), () => [
      choices.pick(NAMES),
      schemaOf(choices, 3),
    ]),
    parameters: { [choices.pick(NAMES)]: schemaOf(choices, 0) },
    methods: members(choices.int(3), () => [
      choices.pick(NAMES),
      methodOf(choices),
    ]),
    resources: members(choices.int(3), () => [
      choices.pick(NAMES),
      { methods: { [choices.pick(NAMES)]: methodOf(choices) } },
    ]),
  });
}

test("a hostile document is refused or gives files within its own folder", () =>
  forEachSeed((choices) => {
    const document = documentOf(choices);
    const source = JSON.stringify(document);
    if (diagnose(source).some(({ severity }) => severity === "error")) return;
    for (const file of Object.keys(serialise(document))) {
      expect(file).toMatch(/^[\w.-]+(?:\/[\w.-]+)+$/);
      expect(file.split("/")).not.toContain("..");
    }
    expect(JSON.parse(canonicalDocument(document))).toEqual(JSON.parse(source));
  }));
