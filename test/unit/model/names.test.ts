import { describe, expect, test } from "vitest";
import {
  NameScope,
  camelCase,
  isBareKey,
  isIdentifier,
  pascalCase,
  safeType,
  safeVariable,
} from "../../../src/model/names.js";
import { pathSegment } from "../../../src/targets/shared/naming.js";

test.each([
  ["well-known", "WellKnown", "wellKnown"],
  [
    "getOpenid-configuration",
    "GetOpenidConfiguration",
    "getOpenidConfiguration",
  ],
  ["a.b-c d", "ABCD", "aBCD"],
  ["2fa", "_2fa", "_2fa"],
  ["", "_", "_"],
  ["-", "_", "_"],
  ["__x", "__x", "__x"],
  ["ünï", "N", "n"],
])("%j is the type %s and the variable %s", (text, type, variable) => {
  expect(pascalCase(text)).toBe(type);
  expect(camelCase(text)).toBe(variable);
  expect(isIdentifier(type) && isIdentifier(variable)).toBe(true);
});

test("reserved words get an underscore as variables or types", () => {
  expect(["delete", "then", "__proto__", "eval"].map(safeVariable)).toEqual([
    "delete_",
    "then_",
    "__proto___",
    "eval_",
  ]);
  expect(["type", "get", "bind", "constructor"].map(safeVariable)).toEqual([
    "type",
    "get",
    "bind",
    "constructor",
  ]);
  expect(["string", "any", "Date"].map(safeType)).toEqual([
    "string_",
    "any_",
    "Date",
  ]);
});

test("keys have quotes only where Prettier keeps them", () => {
  expect(["a", "$x", "_", "ünï", "名前"].every(isBareKey)).toBe(true);
  expect(["", "0", "1e3", "a-b", "😀", "a b", "ⅷ"].some(isBareKey)).toBe(false);
});

describe("a scope", () => {
  test("reserves each name once", () => {
    const scope = new NameScope(["a"]);
    expect([
      scope.reserve("a"),
      scope.reserve("a"),
      scope.reserve("b"),
    ]).toEqual(["a2", "a3", "b"]);
  });

  test("separates its number from a digit at the end of a name", () => {
    const scope = new NameScope(["v1"]);
    expect([scope.reserve("v1"), scope.reserve("v1")]).toEqual([
      "v1_2",
      "v1_3",
    ]);
  });

  test("can ignore case like file systems", () => {
    const scope = new NameScope([], true);
    expect([scope.reserve("Ab"), scope.reserve("aB")]).toEqual(["Ab", "aB2"]);
  });
});

test.each([
  ["drive", "drive"],
  ["../x", "_/x".replace("/", "_")],
  ["..", "_"],
  [".hidden", "_hidden"],
  ["a/b\\c", "a_b_c"],
  ["con", "_con"],
  ["NUL.txt", "_NUL.txt"],
  ["end.", "end"],
  ["", "_"],
  ["x".repeat(300), "x".repeat(100)],
  [`${"x".repeat(99)}..y`, "x".repeat(99)],
  ["\u0000\u202e", "__"],
])("%j is the path segment %s", (name, segment) => {
  expect(pathSegment(name)).toBe(segment);
});
