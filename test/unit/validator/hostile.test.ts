import { beforeAll, expect, test } from "vitest";
import { isValid } from "../../../src/runtime/validator/index.js";
import { description } from "../../support/generate.js";
import { loadValidators, type Validate } from "../../support/validators.js";

const schemas = {
  Node: {
    id: "Node",
    type: "object",
    properties: {
      name: { type: "string" },
      left: { $ref: "Node" },
      right: { $ref: "Node" },
      children: { type: "array", items: { $ref: "Node" } },
      labels: { type: "object", additionalProperties: { type: "string" } },
      tags: { type: "array", items: { type: "string" } },
    },
  },
};

let validate: Validate;

beforeAll(async () => {
  const validators = await loadValidators(description({ schemas }));
  validate = validators["validateNode"]!;
});

function codesOf(value: unknown, options?: Parameters<Validate>[1]): string[] {
  const result = validate(value, options);
  return result.valid ? [] : result.errors.map(({ code }) => code);
}

test("a cyclic value is too deep", () => {
  const value: Record<string, unknown> = {};
  value["left"] = value;
  value["right"] = value;
  expect(codesOf(value)).toEqual(["too-deep"]);
  expect(codesOf(value, { maxErrors: Infinity })).toEqual(["too-deep"]);
  const list: unknown[] = [];
  list.push({ children: list });
  expect(codesOf({ children: list })).toEqual(["too-deep"]);
});

test("shared values that expand exponentially are too large", () => {
  let value: Record<string, unknown> = {};
  for (let level = 0; level < 60; level++)
    value = { left: value, right: value };
  expect(codesOf(value)).toEqual(["too-large"]);
});

test("a value of 100,000 levels is too deep for any limit", () => {
  let value: Record<string, unknown> = {};
  for (let level = 0; level < 100_000; level++) value = { left: value };
  expect(codesOf(value)).toEqual(["too-deep"]);
  expect(codesOf(value, { maxDepth: Infinity })).toEqual(["too-deep"]);
});

test("nesting levels are counted", () => {
  const value = { left: { left: { left: {} } } };
  expect(codesOf(value, { maxDepth: 3 })).toEqual([]);
  expect(codesOf(value, { maxDepth: 2 })).toEqual(["too-deep"]);
});

test("a getter that throws is an error like any other", () => {
  const value = {
    get name(): string {
      throw new Error("secret");
    },
  };
  const result = validate(value);
  expect(result).toMatchObject({ errors: [{ code: "unreadable" }] });
  expect(JSON.stringify(result)).not.toContain("secret");
});

test("proxies and exotic objects get a result", () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  expect(codesOf(proxy)).toEqual(["unreadable"]);
  const endless: object = new Proxy(
    {},
    {
      ownKeys: () => ["left"],
      getOwnPropertyDescriptor: () => ({
        enumerable: true,
        configurable: true,
      }),
      get: () => endless,
    },
  );
  expect(codesOf(endless)).toEqual(["too-deep"]);
  for (const odd of [new Map(), new Date(), /x/, Object.create(null)])
    expect(codesOf(odd)).toEqual([]);
  for (const odd of [() => 1, Symbol("x"), 1n, undefined])
    expect(codesOf(odd)).toEqual(["type"]);
});

test("errors are limited to maxErrors, and so is the time", () => {
  const tags = Array.from({ length: 1_000_000 }, () => 1);
  const endless: unknown[] = [];
  endless.length = 2 ** 32 - 1;
  expect(codesOf({ tags })).toHaveLength(100);
  expect(codesOf({ tags }, { maxErrors: 3 })).toHaveLength(3);
  expect(codesOf({ tags: endless })).toHaveLength(100);
});

test("validations do not share state", () => {
  expect(codesOf({ children: [{ name: 1 }] }, { maxErrors: 1 })).toHaveLength(
    1,
  );
  expect(codesOf({ children: [{ name: "a" }] })).toEqual([]);
  const first = validate({ name: 1 });
  validate({ name: 2, tags: [1] });
  expect(first).toMatchObject({ valid: false, errors: [{ pointer: "/name" }] });
});

test("validators may run within a getter of the value", () => {
  const value = {
    left: {
      get name(): string {
        expect(codesOf({ name: 1 })).toEqual(["type"]);
        return "a";
      },
      tags: [1],
    },
  };
  expect(validate(value)).toMatchObject({
    errors: [{ pointer: "/left/tags/0" }],
  });
});

test("isValid narrows", () => {
  expect(isValid(validate, { name: "a" })).toBe(true);
  expect(isValid(validate, { name: 1 })).toBe(false);
});

test("messages do not contain the value", () => {
  const result = validate({ name: ["secret"], tags: "secret", left: "secret" });
  expect(JSON.stringify(result)).not.toContain("secret");
});
