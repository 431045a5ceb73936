import { expect, test } from "vitest";
import {
  generic,
  named,
  memberDeclaration,
  type TypeTree,
} from "../../../src/render/typescript/types.js";

const long = (letter: string): TypeTree => named(letter.repeat(40));

test.each<[string, TypeTree, string]>([
  ["on one line", named("A"), "a: readonly A[];"],
  [
    "over several lines",
    generic("Pick", long("A"), long("B")),
    `a: readonly Pick<\n    ${"A".repeat(40)},\n    ${"B".repeat(40)}\n  >[];`,
  ],
])("a readonly array %s", (_, of, text) => {
  const type: TypeTree = { kind: "array", of, readonly: true };
  expect(memberDeclaration("a", type).text).toBe(text);
});
