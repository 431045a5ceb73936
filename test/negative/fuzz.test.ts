import path from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { catalogue } from "../../src/diagnostics/catalogue.js";
import { resolvePointer, tokensOf } from "../../src/diagnostics/types.js";
import { generate, load, type Diagnostic } from "../../src/index.js";
import { tree, write } from "../cli/support.js";
import { description } from "../support/generate.js";
import { temporaryFolder } from "../support/paths.js";

const SEED = 4711;

/** Document that uses all fields of the format. */
const base: unknown = description({
  id: "demo:v1",
  title: "Demo",
  auth: { oauth2: { scopes: { "https://x.example/a": { description: "A" } } } },
  parameters: { fields: { type: "string", location: "query" } },
  schemas: {
    Thing: {
      id: "Thing",
      type: "object",
      required: ["name"],
      properties: {
        name: { type: "string", description: "Required.", pattern: "^x" },
        size: { type: "string", format: "int64", default: "5" },
        state: {
          type: "string",
          enum: ["ON", "OFF"],
          enumDescriptions: ["On.", "Off."],
          enumDeprecated: [false, true],
        },
        parts: { type: "array", items: { $ref: "Thing" } },
        inner: { type: "object", properties: { a: { type: "boolean" } } },
        labels: { type: "object", additionalProperties: { type: "string" } },
        any: { type: "any" },
      },
      annotations: { required: ["demo.things.insert"] },
    },
    Page: {
      id: "Page",
      type: "object",
      properties: {
        nextPageToken: { type: "string" },
        items: { type: "array", items: { $ref: "Thing" } },
      },
    },
    Shape: {
      id: "Shape",
      type: "object",
      variant: {
        discriminant: "kind",
        map: [{ type_value: "a", $ref: "Thing" }],
      },
    },
  },
  resources: {
    things: {
      methods: {
        list: {
          id: "demo.things.list",
          path: "things/{+parent}",
          flatPath: "things/{thingsId}",
          httpMethod: "GET",
          parameterOrder: ["parent"],
          parameters: {
            parent: {
              type: "string",
              location: "path",
              required: true,
              pattern: "^a/[^/]+$",
            },
            pageToken: { type: "string", location: "query" },
            ids: { type: "string", location: "query", repeated: true },
          },
          response: { $ref: "Page" },
          scopes: ["https://x.example/a"],
        },
        insert: {
          id: "demo.things.insert",
          path: "things",
          httpMethod: "POST",
          request: { $ref: "Thing" },
          response: { $ref: "Thing" },
          supportsMediaUpload: true,
          mediaUpload: {
            accept: ["*/*"],
            maxSize: "1GB",
            protocols: { simple: { multipart: true, path: "/upload/things" } },
          },
        },
      },
      resources: { deep: { methods: {} } },
    },
  },
});

/** Replacement values: every type, and text with a meaning in some language. */
const anything: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(null, true, false, 0, -1, 1e308, 0.5, "", [], {}),
  fc.constantFrom("Thing", "string", "object", "array", "GET", "path", "query"),
  fc.constantFrom(
    "*/",
    "${x}",
    "`",
    "\u2028",
    "\u0000",
    "../../x",
    "__proto__",
  ),
  fc.constantFrom({ $ref: "Thing" }, { type: "object" }, ["x"], [{}], [[]]),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Changes one member: another value, no value, another key, or a copy of another member. */
const mutation = fc.record({
  place: fc.nat(),
  other: fc.nat(),
  how: fc.constantFrom("replace", "remove", "rename", "copy"),
  value: anything,
  key: fc.constantFrom(
    "__proto__",
    "constructor",
    "a/b~c",
    "",
    "delete",
    "x y",
  ),
});

type Mutation = typeof mutation extends fc.Arbitrary<infer T> ? T : never;
type Slot = readonly [owner: Record<string, unknown>, key: string];

function slots(value: unknown): Slot[] {
  if (typeof value !== "object" || value === null) return [];
  const owner = value as Record<string, unknown>;
  return Object.keys(owner).flatMap((key) => [
    [owner, key] as const,
    ...slots(owner[key]),
  ]);
}

function apply(document: unknown, change: Mutation): void {
  const all = slots(document);
  if (all.length === 0) return;
  const [owner, key] = all[change.place % all.length]!;
  const [otherOwner, otherKey] = all[change.other % all.length]!;
  const set = (name: string, value: unknown): void =>
    void Object.defineProperty(owner, name, {
      value: structuredClone(value),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  const old = owner[key];
  if (change.how === "remove") delete owner[key];
  else if (change.how === "copy") set(key, otherOwner[otherKey]);
  else if (change.how === "replace" || Array.isArray(owner))
    set(key, change.value);
  else {
    delete owner[key];
    set(change.key, old);
  }
}

function expectSound(found: Diagnostic, document: unknown): void {
  expect(Object.keys(catalogue)).toContain(found.code);
  expect(found.code, found.message).not.toBe("internal");
  expect(found.message).not.toMatch(/undefined|\[object|NaN/);
  if (found.pointer === undefined) return;
  expect(found.line).toBeGreaterThan(0);
  expect(found.column).toBeGreaterThan(0);
  // A missing member has no position, but its parent has one.
  const tokens = tokensOf(found.pointer).slice(0, -1);
  const owner = resolvePointer(
    document,
    found.pointer.slice(0, Math.max(0, found.pointer.lastIndexOf("/"))),
  );
  expect({
    pointer: found.pointer,
    tokens,
    exists: owner !== undefined,
  }).toEqual({
    pointer: found.pointer,
    tokens,
    exists: true,
  });
}

test("every changed document is loaded or rejected with a position", () => {
  fc.assert(
    fc.property(
      fc.array(mutation, { minLength: 1, maxLength: 6 }),
      (changes) => {
        const document = structuredClone(base);
        for (const change of changes) apply(document, change);
        const { api, diagnostics } = load(JSON.stringify(document));
        const hasErrors = diagnostics.some(
          ({ severity }) => severity === "error",
        );
        expect(api === undefined).toBe(hasErrors);
        for (const found of diagnostics) expectSound(found, document);
      },
    ),
    { seed: SEED, numRuns: 300 },
  );
});

test("every changed document generates only into the output folder", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(mutation, { minLength: 1, maxLength: 4 }),
      async (changes) => {
        const document = structuredClone(base);
        for (const change of changes) apply(document, change);
        const root = temporaryFolder();
        const cwd = path.join(root, "a/b");
        write(cwd, { "demo.json": JSON.stringify(document) });
        const { files, diagnostics } = await generate({
          spec: "demo.json",
          out: "out",
          cwd,
          runtime: "package",
        });
        for (const found of diagnostics) expectSound(found, document);
        const hasErrors = diagnostics.some(
          ({ severity }) => severity === "error",
        );
        expect(files.length > 0).toBe(!hasErrors);
        const outside = [...tree(root).keys()].filter(
          (name) => !name.startsWith("a/b/out"),
        );
        expect(outside).toEqual(["a", "a/b", "a/b/demo.json"]);
      },
    ),
    { seed: SEED, numRuns: 150 },
  );
});
