import { expect, expectTypeOf, test } from "vitest";
import {
  mergePatch,
  type MergePatch,
} from "../../../src/runtime/server/merge-patch.js";

// The examples of RFC 7396, appendix A, that have an object as target and patch.
test.each([
  [{ a: "b" }, { a: "c" }, { a: "c" }],
  [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
  [{ a: "b" }, { a: null }, {}],
  [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
  [{ a: ["b"] }, { a: "c" }, { a: "c" }],
  [{ a: "c" }, { a: ["b"] }, { a: ["b"] }],
  [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
  [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
])("%j with %j is %j", (resource, patch, expected) => {
  const before = structuredClone(resource);
  expect(mergePatch<object>(resource, patch)).toEqual(expected);
  expect(resource).toEqual(before);
});

test.each([
  ["title", { title: "b", labels: { x: "1", y: "2" } }],
  ["labels", { title: "a", labels: { x: "3" } }],
  ["labels.x", { title: "a", labels: { x: "3", y: "2" } }],
  ["labels.y", { title: "a", labels: { x: "1" } }],
  ["title, labels.x", { title: "b", labels: { x: "3", y: "2" } }],
  ["*", { title: "b", labels: { x: "3" }, newName: "n" }],
  ["new_name", { title: "a", labels: { x: "1", y: "2" }, newName: "n" }],
  ["a.b", { title: "a", labels: { x: "1", y: "2" }, a: {} }],
])("mask %j", (mask, expected) => {
  const resource = { title: "a", labels: { x: "1", y: "2" } };
  const patch = { title: "b", labels: { x: "3" }, newName: "n" };
  expect(mergePatch<object>(resource, patch, mask)).toEqual(expected);
});

test("members named __proto__ do not change prototypes", () => {
  const patch = JSON.parse('{"__proto__": {"polluted": true}}') as object;
  for (const mask of [undefined, "__proto__", "__proto__.polluted"]) {
    const result = mergePatch<object>({}, patch, mask);
    expect("polluted" in {}).toBe(false);
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
  }
});

test("a patch can remove members", () => {
  interface File {
    name: string;
    labels?: Record<string, string>;
    tags?: string[];
  }
  expectTypeOf<{ name: null }>().toExtend<MergePatch<File>>();
  expectTypeOf<{ labels: { a: null } }>().toExtend<MergePatch<File>>();
  expectTypeOf<{ name: 1 }>().not.toExtend<MergePatch<File>>();
  expectTypeOf<{ tags: null[] }>().not.toExtend<MergePatch<File>>();
});
