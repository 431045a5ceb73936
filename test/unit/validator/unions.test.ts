import { describe, expect, test } from "vitest";
import type { Check } from "../../../src/runtime/validator/contract.js";
import { convertInt64Numbers } from "../../../src/runtime/validator/int64.js";
import { description } from "../../support/generate.js";
import { loadValidators, type Validate } from "../../support/validators.js";
import { union } from "../../../src/runtime/validator/union.js";
import { validate } from "../../../src/runtime/validator/validate.js";

const MESSAGE = {
  type: "any",
  "x-one-of": [
    { type: "string" },
    { type: "array", items: { $ref: "Leaf" } },
    { type: "object", additionalProperties: { type: "integer" } },
  ],
};

const object = (name: string, next: object): object => ({
  type: "object",
  "x-required": [name],
  properties: { [name]: { type: "string", format: "int64" }, next },
});

const SCHEMAS = {
  Message: MESSAGE,
  Leaf: { type: "boolean" },
  Node: { type: "any", "x-one-of": [{ $ref: "One" }, { $ref: "Two" }] },
  One: object("one", { $ref: "Node" }),
  Two: object("two", { type: "array", items: { $ref: "Node" } }),
};

async function validator(name: string): Promise<Validate> {
  const loaded = await loadValidators(description({ schemas: SCHEMAS }));
  return loaded[`validate${name}`]!;
}

describe("alternatives", () => {
  test("are named in the message", async () => {
    const result = (await validator("Message"))(5);
    expect(result).toEqual({
      valid: false,
      errors: [
        {
          pointer: "",
          code: "type",
          message: "must be one of string, array of Leaf, object",
          expected: "string, array of Leaf, object",
        },
      ],
    });
  });

  test("at most 20 of them", () => {
    const never: Check = () => false;
    const options = Array.from({ length: 30 }, (_, index) => ({
      name: `A${index}`,
      types: ["object"],
      check: never,
    }));
    const result = validate((value, run) => union(run, value, options), 5, {});
    const message = result.valid ? "" : result.errors[0]!.message;
    expect(message).toContain("A19 …");
    expect(message).not.toContain("A20");
  });

  test("are tried without changing the value, then numbers are converted", async () => {
    const check = await validator("Node");
    const value = { two: 5, next: [{ one: 6 }, { two: "7" }] };
    const options = { int64Numbers: convertInt64Numbers };
    expect(check(value, options).valid).toBe(true);
    expect(value).toEqual({ two: "5", next: [{ one: "6" }, { two: "7" }] });
    const wrong = { one: 5, next: { one: 6, two: 7, next: [{ three: 8 }] } };
    const before = structuredClone(wrong);
    expect(check(wrong, options).valid).toBe(false);
    expect(wrong).toEqual(before);
  });

  test("keep errors that were found before", async () => {
    const check = await validator("Two");
    const result = check({ two: "x", next: [{ one: 1 }, { one: "1" }] });
    const errors = result.valid ? [] : result.errors;
    expect(errors.map(({ pointer }) => pointer)).toEqual(["/two", "/next/0"]);
  });

  test("need linear time, even if they are nested", async () => {
    const check = await validator("Node");
    const visits = (depth: number): number => {
      let count = 0;
      let value: object = { three: "3" };
      for (let level = 0; level < depth; level++) {
        const next = value;
        const names = level % 2 === 0 ? { one: "1" } : { two: "2" };
        value = Object.defineProperty({ ...names }, "next", {
          enumerable: true,
          get: () => (count++, level % 2 === 0 ? next : [next]),
        });
      }
      expect(check(value).valid).toBe(false);
      return count;
    };
    expect(visits(80)).toBeLessThan(visits(20) * 6);
  });

  test("that are nested too deep stop the validation", async () => {
    const check = await validator("Node");
    let value: object = { one: "1" };
    for (let level = 0; level < 200; level++) value = { one: "1", next: value };
    const result = check(value);
    const errors = result.valid ? [] : result.errors;
    expect(errors.map(({ code }) => code)).toEqual(["too-deep"]);
  });
});
